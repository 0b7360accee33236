import type { Pool } from 'pg';

/** Runs `work` while the database refuses rows that match, as on a full disk. */
export const withoutRoom = async <T>(
  db: Pool,
  { table, rows }: { table: string; rows: string },
  work: () => Promise<T>,
): Promise<T> => {
  await db.query(`
    create or replace function app.no_room() returns trigger language plpgsql as $$
    begin raise exception 'no room' using errcode = 'disk_full'; end $$;
    create trigger no_room before insert on ${table} for each row when (${rows}) execute function app.no_room()`);
  try {
    return await work();
  } finally {
    await db.query(`drop trigger no_room on ${table}`);
  }
};
