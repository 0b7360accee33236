/** Takes a database back to where an earlier version left it, so that today's version has something to migrate. */
import type { Pool } from 'pg';
import { tables } from '../../apps/backend/src/tables';

const MADE = /^create (?:unlogged )?table (app\.\w+) /;

const madeBy = (sql: string): (string | undefined)[] =>
  sql.split(';').map((one) => MADE.exec(one.trim())?.[1]);

/** The newest step that only creates tables, because such a step can be reverted. */
const newest = tables.steps.findLast(({ sql }) => madeBy(sql).every((table) => table !== undefined))!;

export const STEP_BACK = newest.name;

export const stepBack = async (pool: Pick<Pool, 'query'>): Promise<void> => {
  await pool.query(`drop table ${madeBy(newest.sql).join()}`);
  await pool.query('delete from app.migrations where name = $1', [STEP_BACK]);
};
