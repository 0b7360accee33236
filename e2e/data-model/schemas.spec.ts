/** Schemas in the shape of well-known ones are imported whole, and made again as they were. */
import { randomUUID } from 'node:crypto';
import {
  driftOf,
  generated,
  hindering,
  modelFrom,
  structureOf,
  type Dialect,
  type Model,
} from '@quarterdeck/data-model';
import { startEngines, type Database, type Engine } from './engines';
import { roundTrip } from './round-trip';
import { mysqlSchemas } from './schemas/mysql';
import { postgresqlSchemas } from './schemas/postgresql';

let engines: Engine[];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(async () => {
  for (const engine of engines) await engine.stop();
});

const cases = [
  ...Object.entries(mysqlSchemas).map(([name, statements]) => ({
    name,
    statements,
    dialect: 'mysql' as const,
  })),
  ...Object.entries(postgresqlSchemas).map(([name, statements]) => ({
    name,
    statements,
    dialect: 'postgresql' as const,
  })),
];

const carryOut = async (database: Database, statements: readonly string[]): Promise<void> => {
  for (const sql of statements)
    await database.query(sql).catch((error: unknown) => {
      throw new Error(`${String(error)}\nin ${sql}`);
    });
};

test.each(cases)('$name on $dialect', async ({ statements, dialect }) => {
  for (const engine of engines.filter((one) => one.dialect === dialect)) await comesBack(engine, statements);
});

test.each(cases)('$name on $dialect is made by the other engine too', async ({ statements, dialect }) => {
  const [from] = engines.filter((one) => one.dialect === dialect);
  const others = engines.filter((one) => one.dialect !== dialect);
  const origin = await (from as Engine).fresh();
  await carryOut(origin, statements);
  const { model } = modelFrom(await origin.read(), randomUUID);
  await origin.drop();
  const version = generated(undefined, model);
  if (typeof version === 'string') throw new Error(version);
  expect(others).not.toEqual([]);
  for (const other of others) {
    const empty = await other.fresh();
    await carryOut(
      empty,
      version.migrations.map(({ sql }) => sql[other.dialect]),
    );
    const drift = hindering(driftOf(structureOf(model), await empty.read()));
    expect(drift.map(({ words }) => words)).toEqual([]);
    await empty.drop();
  }
});

/** PostgreSQL drops no column that a view reads, or that a table has from its parent. */
const HOLDS_COLUMNS = /^create view| inherits \(/;

/** Without every second attribute that is in no key, and without what pointed to the last entity. */
function reduced({ entities, optionSets }: Model): Model {
  const gone = entities.at(-1)?.id;
  return {
    optionSets,
    entities: entities.slice(0, -1).map((entity) => ({
      ...entity,
      attributes: entity.attributes.filter(
        ({ native, foreignEntity }, at) =>
          foreignEntity !== gone && (at % 2 === 0 || entity.native?.key.includes(native?.as ?? '')),
      ),
    })),
  };
}

test.each(cases)(
  '$name on $dialect loses what a version takes away, and nothing is left of it',
  async (one) => {
    for (const engine of engines.filter(({ dialect }) => dialect === one.dialect)) {
      const origin = await engine.fresh();
      await carryOut(
        origin,
        one.statements.filter((sql) => !HOLDS_COLUMNS.test(sql)),
      );
      const imported = generated(undefined, modelFrom(await origin.read(), randomUUID).model);
      if (typeof imported === 'string') throw new Error(imported);
      const version = generated(imported, reduced(imported.model));
      if (typeof version === 'string') throw new Error(version);
      await carryOut(
        origin,
        version.migrations.map(({ sql }) => sql[engine.dialect]),
      );
      const drift = driftOf(structureOf(version.model), await origin.read());
      expect(drift.map(({ words }) => words)).toEqual([]);
      await origin.drop();
    }
  },
);

async function comesBack(engine: Engine, statements: readonly string[]): Promise<void> {
  const [origin, empty] = [await engine.fresh(), await engine.fresh()];
  await carryOut(origin, statements);
  const { lost, statements: planned, differences } = await roundTrip(origin, empty);
  expect({ lost, planned, differences }).toEqual({ lost: [], planned: [], differences: [] });
  await origin.drop();
  await empty.drop();
}

const mariadbAlone = [
  `create table hidden (id int primary key, secret varchar(20) invisible default 'x', at timestamp(6) not null default current_timestamp(6) on update current_timestamp(6))`,
  'create table kept_past (id int primary key, price int) with system versioning',
  `create table named_past (id int primary key, price int without system versioning, since timestamp(6) generated always as row start,
    until timestamp(6) generated always as row end, period for system_time (since, until)) with system versioning`,
  `create table valid (id int primary key, begins date not null, ends date not null, period for lasting (begins, ends))`,
  'create sequence numbers start with 7',
];

test('what MariaDB alone has: invisible columns, the past of rows, and periods', async () => {
  for (const engine of engines.filter(({ name }) => name === 'MariaDB'))
    await comesBack(engine, mariadbAlone);
});

/** In the product's own texts, `⟦name⟧` is a column. */
const withMarks: Record<Dialect, string[]> = {
  mysql: [
    `create table ticket (id int not null auto_increment primary key,
      state enum('⟦id⟧', 'b') not null default '⟦id⟧' comment 'see ⟦id⟧, ⟦0⟧ and ⟦⟧',
      note varchar(50) default '⟦state⟧' comment '⟧ odd ⟦', check (note <> '⟦id⟧'), key \`⟦note⟧\` (note)) default charset=utf8mb4 comment='about ⟦id⟧'`,
  ],
  postgresql: [
    `create type state as enum ('⟦id⟧', 'b')`,
    `create table ticket (id serial primary key, state state not null default '⟦id⟧', note varchar(50) default '⟦state⟧',
      check (note <> '⟦id⟧'))`,
    `create index "⟦note⟧" on ticket (note) where note <> '⟦note⟧'`,
    `comment on table ticket is 'about ⟦id⟧'`,
    `comment on column ticket.state is 'see ⟦id⟧, ⟦0⟧ and ⟦⟧'`,
    `comment on column ticket.note is '⟧ odd ⟦'`,
  ],
};

test('comments, defaults, options, checks and names of indexes may have any brackets', async () => {
  for (const engine of engines) await comesBack(engine, withMarks[engine.dialect]);
});
