/** Searches the database for traces of a person. */
import type { Pool } from 'pg';

/** The tables with a row that contains one of the words. */
export const tracesOf = async (db: Pool, ...words: string[]): Promise<string[]> => {
  const { rows } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const table = await db.query(`select from ${name} t where t::text ilike any($1)`, [
      words.map((word) => `%${word}%`),
    ]);
    if (table.rowCount) found.push(name);
  }
  return found;
};
