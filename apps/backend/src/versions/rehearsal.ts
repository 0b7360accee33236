/**
 * A dry run. In PostgreSQL, a transaction is rolled back at the end. MySQL and MariaDB cannot roll back changes of the
 * structure, so there they are made in a copy of the structure, without rows, which is dropped afterwards. Values that
 * are converted are tried out before (`trial.ts`).
 */
import { quoted, type Migration, type Structure } from '@quarterdeck/data-model';
import { afterApply } from './apply.jobs';
import { workWith } from './model-work';
import { ApplyRefused, isLost, readAnswers, type Target } from './target';
import { tryValues } from './trial';

export interface Rehearsal {
  readonly run: string;
  readonly migrations: readonly Migration[];
  readonly to: Structure;
  /** Whether this run has ended, so that nobody uses its copy. False for runs of other consoles. */
  isOver(run: string): Promise<boolean>;
}

/** @returns why there was no dry run, if there was none */
export async function rehearse(target: Target, rehearsal: Rehearsal): Promise<string | undefined> {
  const through = () => carriedOut(target, rehearsal);
  if (target.dialect !== 'mysql') return inTransaction(target, through);
  const problems = [await tryValues(target, rehearsal.migrations), await inCopy(target, rehearsal, through)];
  return problems.filter((problem) => problem !== undefined).join('; ') || undefined;
}

/**
 * Whether a dry run will be possible; `undefined` if that is not known before it is tried. In MySQL and MariaDB the user
 * needs the right to create the copy.
 *
 * @param grants the user's own, as `show grants` lists them
 */
export const mayRehearse = (dialect: Target['dialect'], grants: readonly string[]): boolean | undefined => {
  if (dialect !== 'mysql') return true;
  if (grants.some((grant) => /^revoke /i.test(grant))) return undefined;
  if (grants.some(givesCopies)) return true;
  // `GRANT role TO user`: what a role may is not listed.
  return grants.some((grant) => !/ on /i.test(grant)) ? undefined : false;
};

/** Whether the grant lets its user create and drop databases of the name of a copy. */
const givesCopies = (grant: string): boolean => {
  const [, rights = '', quotedName = ''] = /^grant (.+) on (\*|`(?:[^`]|``)+`)\.\* to /i.exec(grant) ?? [];
  const listed = rights.toLowerCase().split(/, ?/);
  if (!listed.includes('all privileges') && !(listed.includes('create') && listed.includes('drop')))
    return false;
  return quotedName === '*' || isNameOfCopies(quotedName.slice(1, -1).replaceAll('``', '`'));
};

/** In a pattern of a grant, `%` is any text and `_` any character, unless escaped. */
const isNameOfCopies = (pattern: string): boolean => {
  const fixed = pattern.replace(/%$/, '').replaceAll('\\_', '_');
  return pattern.endsWith('%') && !fixed.includes('%') && 'quarterdeck_'.startsWith(fixed);
};

/** See `mayRehearse`. */
export const willRehearse = async (target: Target): Promise<boolean | undefined> => {
  if (target.dialect !== 'mysql') return true;
  const rows = await target.query('show grants');
  return mayRehearse(
    'mysql',
    rows.map((row) => String(Object.values(row)[0])),
  );
};

/** Named after its run, so that another attempt finds what an interrupted one has left. */
export const copyOf = (run: string): string => `quarterdeck_${run.replaceAll('-', '')}`;

const runOf = (copy: string): string | undefined => {
  const parts = /^quarterdeck_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(copy);
  return parts?.slice(1).join('-');
};

export const dropCopy = async (target: Target, run: string): Promise<void> =>
  void (await target.query(`drop database if exists ${quoted(copyOf(run), 'mysql')}`));

/** Drops what runs have left that ended without a connection. Only copies that this user may see are listed. */
async function sweep(target: Target, { isOver }: Rehearsal): Promise<void> {
  const rows = await target.query(`show databases like 'quarterdeck\\_%'`);
  for (const row of rows.slice(0, MAX_SWEPT)) {
    const run = runOf(String(Object.values(row)[0]));
    if (run !== undefined && (await isOver(run))) await dropCopy(target, run);
  }
}

const MAX_SWEPT = 100;

async function carriedOut(target: Target, { migrations, to }: Rehearsal): Promise<void> {
  for (const [at, { sql, label }] of migrations.entries())
    await target.query(sql[target.dialect], [], Infinity).catch((error: unknown) => {
      if (isLost(error)) throw error;
      throw new ApplyRefused(
        `The dry run failed at statement ${at + 1} (${label}): ${(error as Error).message}. Nothing was changed.`,
      );
    });
  const answers = await readAnswers(target);
  const { hindered } = await workWith(afterApply, { to, recorded: undefined, answers }, [to, answers]);
  if (hindered !== '')
    throw new ApplyRefused(`The dry run led to another structure: ${hindered} Nothing was changed.`);
}

async function inTransaction(target: Target, work: () => Promise<void>): Promise<undefined> {
  await target.query('begin');
  try {
    // What is checked at the end of a transaction would forbid changing a table whose rows have been filled.
    await target.query('set constraints all immediate');
    await work();
  } finally {
    // Without a connection there is no transaction either.
    await target.query('rollback').catch(() => undefined);
  }
  return undefined;
}

async function inCopy(
  target: Target,
  rehearsal: Rehearsal,
  work: () => Promise<void>,
): Promise<string | undefined> {
  const { run } = rehearsal;
  const [row] = await target.query('select database() as name');
  const name = String(row?.name);
  const real = quoted(name, 'mysql');
  const copy = quoted(copyOf(run), 'mysql');
  try {
    await sweep(target, rehearsal);
    await dropCopy(target, run);
    await target.query(`create database ${copy}`);
  } catch (error) {
    if (isLost(error)) throw error;
    return `this user may not create the database ${copy} for it (${(error as Error).message})`;
  }
  try {
    const tables = await target.query(
      `show full tables where table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'SEQUENCE')`,
    );
    const statements: string[] = [];
    for (const table of tables) {
      const [made] = await target.query(
        `show create table ${quoted(String(Object.values(table)[0]), 'mysql')}`,
      );
      statements.push(String(made?.['Create Table']));
    }
    await target.query(`use ${copy}`);
    // The tables are created in order of their names, so foreign keys may point to tables that do not exist yet.
    await target.query('set session foreign_key_checks = 0');
    for (const statement of statements) await target.query(statement, [], Infinity);
    await target.query('set session foreign_key_checks = 1');
    await work();
  } finally {
    await target.query(`use ${real}`);
    await target.query('set session foreign_key_checks = 1');
    await dropCopy(target, run);
  }
  return undefined;
}
