// covers: VER-03, VER-04
/** Changes made by hand in a real database are found, named and reverted. */
import {
  driftOf,
  migrationsOf,
  modelFrom,
  noStructure,
  plan,
  problemsOf,
  repairOf,
  starter,
  structureOf,
  type Dialect,
} from '@quarterdeck/data-model';
import { startEngines, type Database, type Engine } from './engines';

let engines: Engine[];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => Promise.all((engines ?? []).map((engine) => engine.stop())));

let ids = 0;
const newId = () => `id-${++ids}`;
const begun = starter(newId);
const expected = structureOf(begun);
const [, user, session] = begun.entities.map(({ id }) => id);
/** Name of a column's foreign key without `fk_`; it is made from the attribute's id. */
const keyOf = (entity: string | undefined, column: string) =>
  expected.tables
    .find(({ id }) => id === entity)
    ?.columns.find(({ name }) => name === column)
    ?.reference?.name.slice(3) ?? '';

const run = async (database: Database, statements: readonly string[]) => {
  for (const statement of statements) await database.query(statement);
};
const build = (database: Database) =>
  run(
    database,
    migrationsOf(plan(noStructure, expected)).map(({ sql }) => sql[database.dialect]),
  );

const roleKey = keyOf(user, 'role_id');
const userKey = keyOf(session, 'user_id');

/** Statements executed by hand, and the words that report each. */
const byHand: readonly [Record<Dialect, string> | string, string][] = [
  [
    'alter table user_ add column nickname varchar(50)',
    'user_: the column nickname (varchar(50)) is not part of the version.',
  ],
  ['alter table user_ drop column email', 'user_: the column email is missing.'],
  [
    {
      mysql: 'alter table user_ modify column first_name text not null',
      postgresql: 'alter table user_ alter column first_name type text',
    },
    'user_.first_name should be String, but is text.',
  ],
  [
    {
      mysql: 'alter table user_ modify column last_name varchar(255) null',
      postgresql: 'alter table user_ alter column last_name drop not null',
    },
    'user_.last_name should be required, but accepts null.',
  ],
  [
    {
      mysql: `alter table user_ drop foreign key fk_${roleKey}`,
      postgresql: `alter table user_ drop constraint fk_${roleKey}`,
    },
    'user_.role_id should point to role, but has no key.',
  ],
  [
    {
      mysql: `alter table session rename index ix_${userKey} to by_user`,
      postgresql: `drop index ix_${userKey}`,
    },
    `session.user_id: the index`,
  ],
  ['create table notes (body text)', 'The table notes is not part of the version.'],
  [
    'create unique index one_city on address (city)',
    'address: unique index one_city (city) is not part of the version.',
  ],
  [
    'create index by_street on address (street)',
    'address.street: the index by_street is not part of the version.',
  ],
  ['drop table address', 'The table address is missing.'],
  [`alter table role add constraint named check (name <> '')`, 'role: check named'],
];

it.each(byHand)('finds and names %j', async (statement, words) => {
  for (const engine of engines) {
    const database = await engine.fresh();
    await build(database);
    expect(driftOf(expected, await database.read())).toEqual([]);
    await database.query(typeof statement === 'string' ? statement : statement[engine.dialect]);
    const drifts = driftOf(expected, await database.read());
    expect(drifts.map((drift) => drift.words.slice(0, words.length))).toEqual([words]);
    await database.drop();
  }
});

it('lists defaults, rules of foreign keys, triggers and views, which no model can represent', async () => {
  const statements: Record<Dialect, readonly string[]> = {
    mysql: [
      `alter table user_ drop foreign key fk_${roleKey}`,
      'create trigger watched before insert on role for each row set new.name = trim(new.name)',
    ],
    postgresql: [
      `alter table user_ drop constraint fk_${roleKey}`,
      `create function nothing() returns trigger language plpgsql as 'begin return new; end'`,
      'create trigger watched before insert on role for each row execute function nothing()',
    ],
  };
  for (const engine of engines) {
    const database = await engine.fresh();
    await build(database);
    await run(database, [
      ...statements[engine.dialect],
      `alter table user_ add constraint fk_${roleKey} foreign key (role_id) references role (id) on delete cascade`,
      `alter table address alter column city set default 'Bern'`,
      'create view cities as select city from address',
    ]);
    const actual = await database.read();
    const words = [
      /^address.city: default '?Bern.* is not part of the version.$/,
      /^role: trigger watched is not part of the version.$/,
      /^user_.role_id: on delete cascade of the foreign key fk_.* is not part of the version.$/,
      /^The view cities is not part of the version.$/,
    ];
    const found = driftOf(expected, actual);
    expect(new Set(found.map(({ kind }) => kind))).toEqual(new Set(['extra']));
    expect(found).toHaveLength(words.length);
    for (const pattern of words)
      expect(found).toContainEqual(expect.objectContaining({ words: expect.stringMatching(pattern) }));
    // They prevent no repair, and no repair removes them.
    const { from, to } = repairOf(expected, actual);
    expect(plan(from, to)).toEqual([]);
    expect(driftOf(to, actual)).toEqual([]);
    const { notRepresentable } = modelFrom(actual, newId);
    expect(notRepresentable.filter((one) => !one.includes('function'))).toEqual([
      'The view cities is left alone.',
      'role: trigger watched is left alone.',
    ]);
    await database.drop();
  }
});

it('names what PostgreSQL does to rows beside the columns', async () => {
  const engine = engines.find(({ dialect }) => dialect === 'postgresql')!;
  const database = await engine.fresh();
  await build(database);
  await run(database, [
    'create table uuu (id uuid primary key default gen_random_uuid(), f integer)',
    'alter table uuu alter id drop default',
    'create rule r as on delete to role do instead nothing',
    'alter table role enable row level security',
    'create sequence s9',
    `alter table uuu alter f set default nextval('s9')`,
  ]);
  const { tables } = await database.read();
  const extras = (name: string) => tables.find((table) => table.name === name)?.extras;
  expect(extras('role')).toEqual(['row level security', 'rule r']);
  expect(extras('uuu')).toEqual(['a key without a default']);
  expect(tables.find(({ name }) => name === 'uuu')?.columns[0]?.extras).toEqual(['numbers of its own']);
  await database.drop();
});

it('reverts by migrations whatever a model can represent, and drops nothing that no version had', async () => {
  const reparable = byHand.filter(
    ([, words]) => !/unique|check|by_street/.test(words) && !words.includes('address is missing'),
  );
  for (const engine of engines) {
    const database = await engine.fresh();
    await build(database);
    await run(
      database,
      reparable.map(([statement]) => (typeof statement === 'string' ? statement : statement[engine.dialect])),
    );
    expect(driftOf(expected, await database.read()).length).toBe(reparable.length);
    const { from, to } = repairOf(expected, await database.read());
    await run(
      database,
      migrationsOf(plan(from, to)).map(({ sql }) => sql[engine.dialect]),
    );
    expect(
      driftOf(expected, await database.read()).map(({ kind, words }) => [kind, words.split(' ')[2]]),
    ).toEqual([
      ['tableExtra', 'notes'],
      ['columnExtra', 'column'],
    ]);
    await database.drop();
  }
});

it('imports the model of a database that it created, without loss', async () => {
  for (const engine of engines) {
    const database = await engine.fresh();
    await build(database);
    const { model, notRepresentable } = modelFrom(await database.read(), newId);
    expect(notRepresentable).toEqual([]);
    expect(problemsOf(model)).toEqual([]);
    expect(driftOf(structureOf(model), await database.read())).toEqual([]);
    await database.drop();
  }
});

it('takes the keys, types and reserved words of a foreign database as they are', async () => {
  const foreign: Record<Dialect, readonly string[]> = {
    mysql: [
      'create table Customers (id bigint auto_increment primary key, fullName varchar(100) not null, level tinyint, photo blob, unique key (fullName))',
      'create table order_rows (order_id bigint, line_number int, primary key (order_id, line_number))',
      'create table tag (id bigint auto_increment primary key, `select` int, customer_id bigint, foreign key (customer_id) references Customers (id))',
    ],
    postgresql: [
      'create table "Customers" (id bigserial primary key, "fullName" varchar(100) not null unique, level smallint, photo bytea)',
      'create table order_rows (order_id bigint, line_number int, primary key (order_id, line_number))',
      'create table tag (id bigserial primary key, "select" int, customer_id bigint references "Customers" (id))',
    ],
  };
  for (const engine of engines) {
    const database = await engine.fresh();
    await run(database, foreign[engine.dialect]);
    const { model, notRepresentable } = modelFrom(await database.read(), newId);
    expect(problemsOf(model)).toEqual([]);
    expect(notRepresentable).toEqual([]);
    expect(model.entities.map(({ name }) => name)).toEqual(['Customers', 'Order rows', 'Tag']);
    expect(model.entities[0]).toMatchObject({ table: 'Customers', native: { key: ['id'] } });
    expect(model.entities[0]?.attributes.map(({ name, type, column }) => [name, type, column])).toEqual([
      ['Id', 'Long', 'id'],
      ['Full name', 'String', 'fullName'],
      ['Level', 'Int', undefined],
      ['Photo', 'String', undefined],
    ]);
    expect(model.entities[1]?.native?.key).toEqual(['order_id', 'line_number']);
    expect(model.entities[2]?.attributes).toMatchObject([
      { name: 'Id' },
      { name: 'Select', column: 'select' },
      { name: 'Customer', type: 'ForeignKey' },
    ]);
    expect(driftOf(structureOf(model), await database.read())).toEqual([]);
    await database.drop();
  }
});
