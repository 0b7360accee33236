/** The address of the console, for the command line and for redirects of providers. */
import type { Pool } from 'pg';
import type { Config } from '../tokens';

export const rememberAddress = async (pool: Pool, url: string): Promise<void> => {
  await pool.query(
    `insert into app.installation (key, value) values ('url', $1)
     on conflict (key) do update set value = excluded.value`,
    [url],
  );
};

/** PUBLIC_URL, or the address of the back end that started last, without a final slash. */
export const publicAddress = async (
  pool: Pool,
  { PUBLIC_URL, HOST, PORT }: Pick<Config, 'PUBLIC_URL' | 'HOST' | 'PORT'>,
): Promise<string> => {
  if (PUBLIC_URL) return PUBLIC_URL;
  const { rows } = await pool.query<{ value: string }>(
    `select value from app.installation where key = 'url'`,
  );
  return rows[0]?.value ?? `http://${HOST}:${PORT}`;
};
