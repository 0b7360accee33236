/** Applies every version of a walk to a real database, reads each back, and undoes it again. */
import {
  destroys,
  driftOf,
  lintWay,
  generated,
  migrationsOf,
  plan,
  refusals,
  structureOf,
  withRows,
  type Column,
  type Dialect,
  type Finding,
  type Model,
  type ModelVersion,
  type Structure,
  type Table,
  wayBetween,
  type Way,
} from '@quarterdeck/data-model';
import { quoted } from '@quarterdeck/data-model';
import type { Database, Engine } from './engines';

/** Counts of one journey, for the report. */
export interface Done {
  versions: number;
  statements: number;
  /** Values that were written before a version and found after it. */
  kept: number;
}

export async function journey(engine: Engine, versions: readonly Model[]): Promise<Done> {
  const done: Done = { versions: 0, statements: 0, kept: 0 };
  const [steps, scratch, leaps] = [await engine.fresh(), await engine.fresh(), await engine.fresh()];
  try {
    await there(steps, scratch, versions.map(structureOf), done);
    await overSeveral(leaps, recorded(versions), done);
  } finally {
    await leaps.drop();
    await steps.drop();
    await scratch.drop();
  }
  return done;
}

async function there(
  steps: Database,
  scratch: Database,
  structures: readonly Structure[],
  done: Done,
): Promise<void> {
  const first = structures[0] as Structure;
  const last = structures.at(-1) as Structure;
  for (const [at, to] of structures.entries()) {
    const from = structures[at - 1];
    if (from === undefined) continue;
    await forward(steps, direct(from, to), done);
    done.versions += 1;
  }
  await apply(scratch, first, last, done);
  expect(alike(await scratch.read())).toEqual(alike(await steps.read()));
  for (const [at, to] of [...structures.entries()].toReversed()) {
    const from = structures[at + 1];
    if (from !== undefined) await apply(steps, from, to, done);
  }
  expect((await steps.read()).tables).toEqual([]);
}

/** The versions of these models, without those that would change nothing. */
function recorded(models: readonly Model[]): ModelVersion[] {
  const versions: ModelVersion[] = [];
  for (const model of models) {
    const version = generated(versions.at(-1), model);
    if (typeof version !== 'string') versions.push(version);
  }
  return versions;
}

/** Moves to one of the first versions, from there over all others to the last, back to the first, and to none. */
async function overSeveral(database: Database, versions: readonly ModelVersion[], done: Done): Promise<void> {
  const last = versions.length;
  const stops = [0, Math.ceil(last / 3), last, Math.min(1, last), 0];
  for (const [at, to] of stops.entries())
    if (at > 0) await forward(database, wayBetween(versions, stops[at - 1] ?? 0, to), done);
}

const direct = (from: Structure, to: Structure): Way => ({
  from,
  between: [],
  to,
  migrations: migrationsOf(plan(from, to)).map((migration) => ({ ...migration, version: 1 })),
});

/** Migrates with rows if lint promises that they survive, and without rows otherwise. */
async function forward(database: Database, way: Way, done: Done): Promise<void> {
  const { from, to } = way;
  for (const table of from.tables) await write(database, table);
  const counted = await judged(database, lintWay(way));
  const isSafe = !destroys(counted) && refusals(counted).length === 0;
  if (!isSafe) await empty(database, from);
  const before = isSafe ? await valuesOf(database, from) : undefined;
  await carryOut(database, way, done);
  if (before) {
    const after = await valuesOf(database, to);
    for (const [column, values] of stillThere(before, from, to)) {
      expect({ column, values: after.get(column) }).toEqual({ column, values });
      done.kept += values.length;
    }
  }
  await empty(database, to);
}

const apply = (database: Database, from: Structure, to: Structure, done: Done): Promise<void> =>
  carryOut(database, direct(from, to), done);

async function carryOut(database: Database, { migrations, to }: Way, done: Done): Promise<void> {
  for (const { sql } of migrations) {
    await database.query(sql[database.dialect]).catch((error: unknown) => {
      throw new Error(`${database.dialect}: ${String(error)}\nin ${sql[database.dialect]}`);
    });
    done.statements += 1;
  }
  expect(driftOf(to, await database.read())).toEqual([]);
}

const judged = async (database: Database, findings: readonly Finding[]): Promise<Finding[]> => {
  const rows: (number | undefined)[] = [];
  for (const { count } of findings) {
    const [row] = count ? await database.query(count[database.dialect]) : [];
    rows.push(row && Number(row.rows_concerned));
  }
  return withRows(findings, rows);
};

const samples: Record<string, Record<Dialect, string>> = {
  String: { mysql: `'O''Neill'`, postgresql: `'O''Neill'` },
  Int: { mysql: '7', postgresql: '7' },
  Long: { mysql: '9007199254740993', postgresql: '9007199254740993' },
  Boolean: { mysql: 'true', postgresql: 'true' },
  LocalDate: { mysql: `'2024-02-29'`, postgresql: `'2024-02-29'` },
  LocalDateTime: { mysql: `'2024-02-29 10:11:12.5'`, postgresql: `'2024-02-29 10:11:12.5'` },
  LocalTime: { mysql: `'10:11:12.5'`, postgresql: `'10:11:12.5'` },
  BigDecimal: { mysql: '12345.6789', postgresql: '12345.6789' },
  Double: { mysql: '0.5', postgresql: '0.5' },
  JSON: { mysql: `'{"a": [1]}'`, postgresql: `'{"a": [1]}'` },
};

/** Adds rows. A table with a required reference stays empty: its first row would need another one. */
async function write(database: Database, table: Table): Promise<void> {
  if (table.columns.some(({ reference, required }) => reference && required)) return;
  const name = (identifier: string) => quoted(identifier, database.dialect);
  const filled = table.columns.filter(({ reference }) => !reference);
  const values = filled.map(({ type }) => samples[type]?.[database.dialect] ?? 'null');
  const empty = database.dialect === 'mysql' ? '() values ()' : 'default values';
  await database.query(
    `insert into ${name(table.name)} ${
      filled.length === 0
        ? empty
        : `(${filled.map((column) => name(column.name)).join(', ')}) values (${values.join(', ')})`
    }`,
  );
}

async function empty(database: Database, structure: Structure): Promise<void> {
  for (const { name } of structure.tables)
    await database.query(`delete from ${quoted(name, database.dialect)}`);
}

/** The values of each column as text, by the ids of table and column. */
async function valuesOf(database: Database, structure: Structure): Promise<Map<string, unknown[]>> {
  const values = new Map<string, unknown[]>();
  for (const table of structure.tables)
    for (const { id, name } of [{ id: 'key', name: 'id' }, ...table.columns]) {
      const column = quoted(name, database.dialect);
      const rows = await database.query(
        `select cast(${column} as char(300)) as v from ${quoted(table.name, database.dialect)} order by 1`,
      );
      values.set(
        `${table.id} ${id}`,
        rows.map(({ v }) => v),
      );
    }
  return values;
}

/** Columns that keep their type: another type formats its values differently. */
function* stillThere(
  before: ReadonlyMap<string, unknown[]>,
  from: Structure,
  to: Structure,
): Generator<[string, unknown[]]> {
  for (const table of from.tables) {
    const after = to.tables.find(({ id }) => id === table.id);
    if (!after) continue;
    const same = (column: Column) =>
      after.columns.some(({ id, type }) => id === column.id && type === column.type);
    for (const id of ['key', ...table.columns.filter(same).map((column) => column.id)]) {
      const key = `${table.id} ${id}`;
      yield [key, before.get(key) ?? []];
    }
  }
}

const sorted = <T>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));

/**
 * Without what no model guarantees: renames change the order of tables and columns, and PostgreSQL keeps the names of keys
 * when a table is renamed. Other databases of the server are not of interest.
 */
const alike = ({ others: _others, ...structure }: Structure): object => ({
  ...structure,
  tables: sorted(
    structure.tables.map(({ exact, ...table }) => ({
      ...table,
      columns: sorted(table.columns),
      ...(exact && {
        exact: {
          ...exact,
          columns: sorted(exact.columns),
          native: {
            ...exact.native,
            parts: sorted(exact.native.parts.map(({ name: _name, ...part }) => part)),
          },
        },
      }),
    })),
  ),
});
