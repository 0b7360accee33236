// covers: VER-03, VER-04
/** Changes made by hand in a real database are found, named and reverted. */
import {
  driftOf,
  hindering,
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

it('lists defaults and rules of foreign keys, which no model can represent, but not what is left alone', async () => {
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
      /^user_.role_id: on delete cascade of the foreign key fk_.* is not part of the version.$/,
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

it('names the character sets and collations of columns that no version gave them', async () => {
  const statements: Record<Dialect, readonly string[]> = {
    mysql: [
      'alter table user_ modify first_name varchar(255) character set latin1 not null',
      'alter table role default character set latin1',
    ],
    postgresql: ['alter table user_ alter first_name type varchar(255) collate "C"'],
  };
  for (const engine of engines) {
    const database = await engine.fresh();
    await build(database);
    await run(database, statements[engine.dialect]);
    const actual = await database.read();
    const words = driftOf(expected, actual).map((drift) => drift.words);
    const [first, ...others] = words.filter((one) => !one.startsWith('role.'));
    expect(first).toMatch(
      /^(role: default|user_.first_name:) (collation|character set) .*(latin1|C).* is not part of the version\.$/,
    );
    expect(others).toHaveLength(engine.dialect === 'mysql' ? 1 : 0);
    const { from, to } = repairOf(expected, actual);
    expect(plan(from, to)).toEqual([]);
    await database.drop();
  }
});

/** Imported tables, changes of them by hand, the difference that is named, and whether a repair takes the change back. */
const ofImports: Record<
  Dialect,
  { made: readonly string[]; changes: readonly [string, RegExp, 'taken back' | 'stays'][] }
> = {
  mysql: {
    made: [
      `create table m (id int auto_increment primary key, e enum('sad','ok') not null, s set('a','b'),
       l varchar(20) character set latin1, t varchar(20)) default charset=utf8mb4`,
    ],
    changes: [
      [
        `modify e enum('sad','ok','new') not null`,
        /^m\.e should be enum\('sad','ok'\).* but is .*'new'/,
        'taken back',
      ],
      [`modify e enum('ok','sad') not null`, /^m\.e should be enum\('sad','ok'\)/, 'taken back'],
      [`modify s set('a','b','c')`, /^m\.s should be set\('a','b'\)/, 'taken back'],
      [
        'modify l varchar(20) character set utf8mb4',
        /^m\.l should be .*latin1.* but is .*utf8mb4/,
        'taken back',
      ],
      ['modify t varchar(20) collate utf8mb4_bin', /^m\.t should be .* but is .*utf8mb4_bin/, 'taken back'],
      [
        'modify t varchar(20) character set latin1',
        /^m\.t should be .*utf8mb4.* but is .*latin1/,
        'taken back',
      ],
      ['convert to character set latin1', /\nm\.t should be .*utf8mb4.* but is .*latin1/, 'taken back'],
    ].map(([sql, words, then]) => [`alter table m ${String(sql)}`, words, then]) as never,
  },
  postgresql: {
    made: [
      `create type mood as enum ('sad', 'ok')`,
      'create domain price as numeric(9,2) check (value > 0)',
      'create domain code as text collate "C"',
      'create sequence numbers increment by 5',
      `create table m (id int primary key default nextval('numbers'), e mood, es mood[], p price, c text collate "C", d code)`,
    ],
    changes: [
      [
        `alter type mood add value 'new'`,
        /^m: the enum mood should be \('sad', 'ok'\), but is .*'new'/,
        'stays',
      ],
      [`alter type mood rename value 'sad' to 'low'`, /^m: the enum mood should be \('sad'/, 'stays'],
      [
        'alter domain price drop constraint price_check',
        /^m: the domain price should be AS numeric.*CHECK/,
        'stays',
      ],
      ['alter domain price set default 1', /^m: the domain price should be .* but is .*DEFAULT 1/, 'stays'],
      ['alter domain price set not null', /^m: the domain price should be .* but is .*NOT NULL/, 'stays'],
      [
        'alter sequence numbers increment by 7',
        /^m: the sequence numbers .*INCREMENT BY 5.*INCREMENT BY 7/,
        'stays',
      ],
      [
        'alter table m alter c type text',
        /^m\.c should be "text" COLLATE "C", but is "text"\.$/,
        'taken back',
      ],
      ['alter table m alter d type text collate "C"', /^m\.d should be "code", but is "text"/, 'taken back'],
    ],
  },
};

it.each(Object.values(ofImports).flatMap(({ changes }) => changes.map(([sql]) => sql)))(
  'compares what an import has recorded: %s',
  async (sql) => {
    for (const engine of engines) {
      const { made, changes } = ofImports[engine.dialect];
      const [, words, then] = changes.find(([one]) => one === sql) ?? [];
      if (words === undefined) continue;
      const database = await engine.fresh();
      await run(database, made);
      const { model } = modelFrom(await database.read(), newId);
      const should = structureOf(model);
      expect(driftOf(should, await database.read())).toEqual([]);
      await database.query(sql);
      const changed = await database.read();
      const found = hindering(driftOf(should, changed));
      expect(found.map((drift) => drift.words).join('\n')).toMatch(words);
      const { from, to } = repairOf(should, changed);
      const statements = migrationsOf(plan(from, to)).map((one) => one.sql[engine.dialect]);
      await run(database, statements);
      const repaired = await database.read();
      expect(hindering(driftOf(to, repaired))).toEqual([]);
      expect([statements.length > 0, hindering(driftOf(should, repaired))]).toEqual(
        then === 'stays' ? [false, found] : [true, []],
      );
      await database.drop();
    }
  },
);

it('takes another default of a table for no change of its columns', async () => {
  for (const engine of engines.filter(({ dialect }) => dialect === 'mysql')) {
    const database = await engine.fresh();
    await run(database, ofImports.mysql.made);
    const should = structureOf(modelFrom(await database.read(), newId).model);
    await database.query('alter table m default character set latin1');
    expect(driftOf(should, await database.read())).toEqual([
      { kind: 'extra', table: 'm', words: expect.stringMatching(/^m should be .*utf8mb4.* but is .*latin1/) },
    ]);
    await database.drop();
  }
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
