/**
 * Converts the values that columns have, before the first statement does. The dry run of MySQL and MariaDB has no rows, so
 * it cannot find values that the database refuses. They are copied into a temporary table, which only this connection
 * sees, and which needs no right to create a database.
 */
import { quoted, trialsOf, type Migration, type Trial } from '@quarterdeck/data-model';
import { ApplyRefused, isLost, type Target } from './target';

/** Temporary tables hide others of their name. */
const VALUES = 'quarterdeck_values';

/** @returns why the values could not be tried out, if they could not */
export async function tryValues(
  target: Target,
  migrations: readonly Pick<Migration, 'step'>[],
): Promise<string | undefined> {
  const steps = migrations.map(({ step }) => step);
  for (const trial of trialsOf(steps, VALUES)) {
    try {
      await copyValues(target, trial);
    } catch (error) {
      if (isLost(error)) throw error;
      return `the values of ${trial.table}.${trial.column} could not be copied to try out their conversion (${(error as Error).message})`;
    }
    try {
      for (const sql of trial.conversions) await target.query(sql, [], Infinity);
      const [row] = trial.withoutKey === undefined ? [] : await target.query(trial.withoutKey, [], Infinity);
      if (row && Number(row.rows_concerned) > 0)
        throw new Error(
          `${Number(row.rows_concerned)} of them are no key of the table that they will point to`,
        );
    } catch (error) {
      if (isLost(error)) throw error;
      throw new ApplyRefused(
        `${trial.table}.${trial.column} has values that cannot be converted: ${(error as Error).message}. Nothing was changed.`,
      );
    } finally {
      // Without a connection there is no temporary table either.
      await target.query(`drop temporary table if exists ${quoted(VALUES, 'mysql')}`).catch(() => undefined);
    }
  }
  return undefined;
}

async function copyValues(target: Target, { table, column }: Trial): Promise<void> {
  const [its] = await target.query(
    `select table_collation as collation from information_schema.tables where table_schema = database() and table_name = ?`,
    [table],
  );
  const [mode] = await target.query('select @@session.sql_mode as mode');
  const name = quoted(column, 'mysql');
  // Texts get the character set of their table, as in the table itself.
  const collation = typeof its?.collation === 'string' ? ` collate ${its.collation}` : '';
  // Values that the table has are copied, whatever this session would accept as new ones.
  await target.query(`set session sql_mode = ''`);
  try {
    // Otherwise the server locks the rows that it reads.
    await target.query('set transaction isolation level read committed');
    await target.query(
      `create temporary table ${quoted(VALUES, 'mysql')}${collation} as select ${name} from ${quoted(table, 'mysql')} where ${name} is not null`,
      [],
      Infinity,
    );
  } finally {
    await target.query('set session sql_mode = ?', [String(mode?.mode)]);
  }
}
