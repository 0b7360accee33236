/**
 * A dry run. In PostgreSQL, a transaction is rolled back at the end. MySQL and MariaDB cannot roll back changes of the
 * structure, so there they are made in a copy of the structure, without rows, which is dropped afterwards.
 */
import { randomUUID } from 'node:crypto';
import { hindrance, quoted, type Migration, type Structure } from '@quarterdeck/data-model';
import { ApplyRefused, isLost, readStructure, type Target } from './target';

/** @returns why there was no dry run, if there was none */
export async function rehearse(
  target: Target,
  migrations: readonly Migration[],
  to: Structure,
): Promise<string | undefined> {
  const through = () => carriedOut(target, migrations, to);
  return target.dialect === 'mysql' ? inCopy(target, through) : inTransaction(target, through);
}

async function carriedOut(target: Target, migrations: readonly Migration[], to: Structure): Promise<void> {
  for (const [at, { sql, label }] of migrations.entries())
    await target.query(sql[target.dialect], [], Infinity).catch((error: unknown) => {
      if (isLost(error)) throw error;
      throw new ApplyRefused(
        `The dry run failed at statement ${at + 1} (${label}): ${(error as Error).message}. Nothing was changed.`,
      );
    });
  const found = hindrance(to, await readStructure(target));
  if (found !== '')
    throw new ApplyRefused(`The dry run led to another structure: ${found} Nothing was changed.`);
}

async function inTransaction(target: Target, work: () => Promise<void>): Promise<undefined> {
  await target.query('begin');
  try {
    await work();
  } finally {
    // Without a connection there is no transaction either.
    await target.query('rollback').catch(() => undefined);
  }
  return undefined;
}

async function inCopy(target: Target, work: () => Promise<void>): Promise<string | undefined> {
  const [row] = await target.query('select database() as name');
  const name = String(row?.name);
  const real = quoted(name, 'mysql');
  // A random name, so only this copy can be dropped.
  const copy = quoted(`quarterdeck_${randomUUID().replaceAll('-', '')}`, 'mysql');
  try {
    await target.query(`create database ${copy}`);
  } catch (error) {
    if (isLost(error)) throw error;
    return `this user may not create the database ${copy} for it (${(error as Error).message})`;
  }
  try {
    const tables = await target.query(`show full tables where table_type = 'BASE TABLE'`);
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
    await target.query(`drop database if exists ${copy}`);
  }
  return undefined;
}
