/** What the command line has to know of the running back end. */
import type { Pool } from 'pg';

export const rememberAddress = async (pool: Pool, url: string): Promise<void> => {
  await pool.query(
    `insert into app.installation (key, value) values ('url', $1)
     on conflict (key) do update set value = excluded.value`,
    [url],
  );
};

/** Of the back end that started last. */
export const rememberedAddress = async (pool: Pool): Promise<string | undefined> => {
  const { rows } = await pool.query<{ value: string }>(
    `select value from app.installation where key = 'url'`,
  );
  return rows[0]?.value;
};
