/** The engines that the tests of data models run on, and how their servers compare names. */
import { randomUUID } from 'node:crypto';
import {
  adoptionOf,
  driftOf,
  migrationsOf,
  modelFrom,
  noStructure,
  plan,
  repairOf,
  structureOf,
  tableOf,
  type Attribute,
  type Entity,
  type Model,
} from '@quarterdeck/data-model';
import { hasMysql, startTestMariadb } from '../../testing/mariadb';
import { engineOf, startEngines, type Database, type Engine } from './engines';

let engines: Engine[];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => Promise.all((engines ?? []).map((engine) => engine.stop())));

const known = hasMysql();

it(
  known
    ? 'runs on MariaDB, PostgreSQL and MySQL'
    : 'runs on MariaDB and PostgreSQL; MySQL is left out: it is not installed, and MYSQL_SERVER names no server',
  async () => {
    const versions: string[] = [];
    for (const engine of engines) {
      const database = await engine.fresh();
      const [row] = await database.query('select version() as version');
      versions.push(`${engine.name} ${String(row?.version)}`);
      await database.drop();
    }
    expect(versions).toEqual([
      expect.stringMatching(/^MariaDB .*MariaDB/),
      expect.stringMatching(/^PostgreSQL PostgreSQL/),
      ...(known ? [expect.stringMatching(/^MySQL \d+\.\d+\.\d+/)] : []),
    ]);
  },
);

const run = async (database: Database, steps: ReturnType<typeof plan>) => {
  for (const { sql } of migrationsOf(steps)) await database.query(sql.mysql);
};

const entity = (id: string, name: string, attributes: readonly Attribute[]): Entity => ({
  id,
  name,
  table: name,
  isUuid: false,
  attributes,
});
const model = (thing: string): Model => ({
  entities: [
    entity('t', thing, [
      { id: 'n', name: 'Name', type: 'String', optional: true },
      { id: 'o', name: 'Other', type: 'ForeignKey', optional: true, foreignEntity: 'o' },
    ]),
    entity('o', 'Other', []),
  ],
  optionSets: [],
});

it.each([1, 2])(
  'compares the names of tables as a server with lower_case_table_names=%d does, and drops none of them',
  async (mode) => {
    const server = engineOf('MariaDB', await startTestMariadb([`--lower-case-table-names=${mode}`]));
    const database = await server.fresh();
    const [row] = await database.query('select @@lower_case_table_names as mode');
    // Mode 2 needs a file system that ignores case, as on macOS. Elsewhere the server takes mode 0.
    expect([mode, mode === 1 ? 1 : 0]).toContain(Number(row?.mode));
    const [one, two] = [structureOf(model('Thing')), structureOf(model('Things'))];
    await run(database, plan(noStructure, one));
    expect(driftOf(one, await database.read())).toEqual([]);
    // The names differ only in case, so nothing has to be repaired.
    const asIs = repairOf(one, await database.read());
    expect(plan(asIs.from, asIs.to)).toEqual([]);
    expect(adoptionOf(model('Thing'), await database.read(), randomUUID, model('Thing'))).toMatchObject({
      edits: [],
    });
    await run(database, plan(one, structureOf(model('THING'))));
    expect(driftOf(structureOf(model('THING')), await database.read())).toEqual([]);
    await run(database, plan(structureOf(model('THING')), two));
    expect(driftOf(two, await database.read())).toEqual([]);
    await database.query('insert into `Other` () values ()');
    await database.query('alter table `Other` add column by_hand int');
    await database.query('alter table `Other` add column was_ours int');
    const before = structureOf({
      entities: model('Thing').entities.map((its) =>
        its.id === 'o'
          ? { ...its, attributes: [{ id: 'w', name: 'Was ours', type: 'Int', optional: true }] }
          : its,
      ),
      optionSets: [],
    });
    const repair = repairOf(two, await database.read(), [before]);
    const steps = plan(repair.from, repair.to);
    // A column that no version had stays.
    expect(steps).toMatchObject([{ kind: 'dropColumn', column: 'was_ours' }]);
    await run(database, steps);
    expect(driftOf(two, await database.read()).map(({ column }) => column)).toEqual(['by_hand']);
    await database.query('alter table `Other` drop column by_hand');
    expect(await database.query('select count(*) as n from `Other`')).toEqual([{ n: 1 }]);
    // Imported, it makes the same tables.
    const { model: found } = modelFrom(await database.read(), randomUUID);
    expect(found.entities.map((its) => tableOf(its).toLowerCase()).toSorted()).toEqual(['other', 'things']);
    expect(driftOf(structureOf(found), await database.read())).toEqual([]);
    await database.drop();
    await server.stop();
  },
);

it('reads tables whose names differ only by case apart, in the same order each time', async () => {
  for (const { dialect, fresh } of engines) {
    const database = await fresh();
    const name = (table: string) => (dialect === 'mysql' ? `\`${table}\`` : `"${table}"`);
    // Servers that find their tables in a hash or a folder have them in no order.
    const pairs = Array.from({ length: 12 }, (_, at) => [`PAIR_${at}`, `pair_${at}`] as const);
    for (const [upper, lower] of pairs) {
      await database.query(
        `create table ${name(lower)} (no int, at int, primary key (no, at), check (at > 1))`,
      );
      await database.query(`create table ${name(upper)} (no int primary key, other int, check (no > 2),
        constraint ${name(`fk_${upper}`)} foreign key (no, other) references ${name(lower)} (no, at) on delete cascade)`);
      await database.query(`create index by_${upper} on ${name(upper)} (other)`);
    }
    const read = await database.read();
    const names = pairs.flat().toSorted();
    expect(read.tables.map((table) => table.name)).toEqual(names);
    for (const { name: table, key, columns, extras, exact } of read.tables) {
      const isUpper = table.startsWith('PAIR');
      expect([table, key]).toEqual([table, `primary key (${isUpper ? 'no' : 'no,at'})`]);
      expect(columns.map((column) => column.name)).toEqual(isUpper ? ['no', 'other'] : ['no', 'at']);
      const words = extras.join('\n');
      expect(extras.filter((one) => one.startsWith('check '))).toHaveLength(1);
      expect(words).toMatch(isUpper ? /no\W* > 2/ : /at\W* > 1/);
      expect(words.includes('on delete cascade')).toBe(isUpper);
      expect(exact?.columns.map((column) => column.name)).toEqual(columns.map((column) => column.name));
    }
    expect(await database.read()).toEqual(read);
    await database.drop();
  }
});

it('brings numbers of their own to what the version says, whatever was set by hand, and keeps those in use', async () => {
  const { fresh } = engines.find(({ name }) => name === 'PostgreSQL')!;
  const [always, byDefault] = ['generated always as identity', 'generated by default as identity'];
  const changes = [
    ['', always],
    ['default 7', `${byDefault} (start 10 increment 2)`],
    [`${byDefault} (start 10 increment 2)`, byDefault],
    [byDefault, `${always} (start 10 increment 2 maxvalue 99 cache 5 cycle)`],
    [`${always} (maxvalue 500 cycle)`, `${always} (minvalue -5 start 3)`],
    [`${byDefault} (increment -3)`, `${byDefault} (increment -2 minvalue -90 maxvalue 4)`],
    [always, 'default 7'],
    [byDefault, ''],
  ];
  const tableOfKinds = async (kinds: readonly (string | undefined)[]) => {
    const database = await fresh();
    const columns = kinds.map((kind, at) => `c${at} int not null ${kind}`);
    await database.query(`create table n (${columns.join(', ')})`);
    return database;
  };
  const version = await tableOfKinds(changes.map(([, now]) => now));
  const byHand = await tableOfKinds(changes.map(([was]) => was));
  const wanted = structureOf(modelFrom(await version.read(), randomUUID).model);
  await byHand.query('insert into n (c0, c7) values (1, default), (1, default)');
  expect(driftOf(wanted, await byHand.read()).map(({ column }) => column)).toEqual(
    changes.map((_, at) => `c${at}`),
  );
  const repair = repairOf(wanted, await byHand.read());
  for (const { sql } of migrationsOf(plan(repair.from, repair.to))) await byHand.query(sql.postgresql);
  expect(driftOf(wanted, await byHand.read())).toEqual([]);
  await byHand.query('insert into n (c7) values (1)');
  expect((await byHand.query('select c2, c4 from n')).at(-1)).toEqual({ c2: 13, c4: 3 });
  await byHand.drop();
  await version.drop();
});
