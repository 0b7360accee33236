// covers: VER-03
/** What somebody has changed by hand in an imported database becomes part of the model, on each real engine. */
import { randomUUID } from 'node:crypto';
import {
  adoptedInto,
  adoptionOf,
  driftOf,
  generated,
  hindering,
  migrationsOf,
  modelFrom,
  plan,
  problemsOf,
  renamesBetween,
  repairOf,
  structureOf,
  type Adoption,
  type Attribute,
  type Dialect,
  type Model,
  type ModelVersion,
} from '@quarterdeck/data-model';
import { attribute, entity } from '@quarterdeck/events';
import { startEngines, type Database, type Engine } from './engines';

let engines: Engine[];
beforeAll(async () => {
  engines = await startEngines();
});
afterAll(() => Promise.all((engines ?? []).map((engine) => engine.stop())));

const made: Record<Dialect, readonly string[]> = {
  mysql: [
    `create table author (id int auto_increment primary key, nm varchar(30), age int, key by_age (age)) default charset=utf8mb4`,
    `create table book (id int auto_increment primary key, author int, isbn varchar(20), pages int default 1,
     constraint its_author foreign key (author) references author (id))`,
    'create table line (a int not null, b int not null, primary key (a))',
  ],
  postgresql: [
    `create type mood as enum ('sad', 'ok')`,
    'create table author (id serial primary key, nm varchar(30), age int, feels mood)',
    'create index by_age on author (age)',
    'create table book (id serial primary key, author int, isbn varchar(20), pages int default 1)',
    'alter table book add constraint its_author foreign key (author) references author (id)',
    'create table line (a int not null, b int not null, primary key (a))',
  ],
};

const run = async (database: Database, statements: readonly string[]): Promise<void> => {
  for (const sql of statements)
    await database.query(sql).catch((error: unknown) => {
      throw new Error(`${String(error)}\nin ${sql}`);
    });
};

const next = (last: ModelVersion | undefined, model: Model): ModelVersion => {
  const version = generated(last, model);
  if (typeof version === 'string') throw new Error(version);
  return version;
};

interface Imported {
  readonly database: Database;
  /** Another database with the same version. */
  readonly other: Database;
  readonly version: ModelVersion;
  readonly dialect: Dialect;
}

/** In a database that was imported, and one that was made from version 1. */
const onEach = async (test: (imported: Imported) => Promise<void>, only?: Dialect): Promise<void> => {
  for (const engine of engines.filter(({ dialect }) => dialect === (only ?? dialect))) {
    const [database, other] = [await engine.fresh(), await engine.fresh()];
    await run(database, made[engine.dialect]);
    const version = next(undefined, modelFrom(await database.read(), randomUUID).model);
    await apply(other, version);
    await test({ database, other, version, dialect: engine.dialect });
    await database.drop();
    await other.drop();
  }
};

const apply = (database: Database, { migrations }: ModelVersion): Promise<void> =>
  run(
    database,
    migrations.map(({ sql }) => sql[database.dialect]),
  );

/** Whether each edit would be recorded. */
const refused = (edits: readonly Adoption[]): (string | undefined)[] =>
  edits.flatMap((edit) => {
    if ('entity' in edit && typeof edit.entity !== 'string')
      return [entity.fields.native.refuses?.(edit.entity.native ?? null, {})];
    return 'attribute' in edit ? [attribute.fields.native.refuses?.(edit.attribute.native ?? null, {})] : [];
  });

/** @returns the edits, and the next version */
async function adopted({ database, version, dialect }: Imported) {
  const { model } = version;
  const actual = await database.read();
  expect(driftOf(structureOf(model), actual)).not.toEqual([]);
  const renames = renamesBetween(structureOf(model), actual);
  const { edits, left } = adoptionOf(model, actual, randomUUID, model, renames);
  expect(left.filter((one) => !one.endsWith('is left alone.'))).toEqual([]);
  expect(refused(edits).filter((one) => one !== undefined)).toEqual([]);
  // As it is stored: without what is undefined, and with the fields in another order.
  const after = sorted(JSON.parse(JSON.stringify(adoptedInto(model, edits)))) as Model;
  expect(problemsOf(after)).toEqual([]);
  const structure = structureOf(after);
  expect(driftOf(structure, actual).map(({ words }) => words)).toEqual([]);
  const { from, to } = repairOf(structure, actual, [structureOf(model)]);
  expect(migrationsOf(plan(from, to)).map(({ sql }) => sql[dialect])).toEqual([]);
  // Once more, there is nothing to do.
  expect(adoptionOf(model, actual, randomUUID, after, renames).edits).toEqual([]);
  expect(adoptionOf(after, actual, randomUUID, after).edits).toEqual([]);
  return { edits, next: next(version, after) };
}

/** Adopts, and gives the other database the next version. */
async function adopts(imported: Imported): Promise<readonly Adoption[]> {
  const { edits, next: version } = await adopted(imported);
  await apply(imported.other, version);
  // No statement changes the options of a table.
  const drift = hindering(driftOf(structureOf(version.model), await imported.other.read()));
  expect(drift.map(({ words }) => words)).toEqual([]);
  return edits;
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? 1 : -1))
      .map(([key, its]) => [key, sorted(its)]),
  );
};

type Hand = string | Record<Dialect, string | undefined>;

const hands: readonly [what: string, sql: Hand, does?: readonly Adoption['do'][]][] = [
  ['an index', 'create index by_name on author (nm)', ['editEntity']],
  ['an index of two columns', 'create index by_both on author (nm, age)', ['editEntity']],
  [
    'an index over an expression',
    {
      mysql: 'create index by_part on author (nm(5))',
      postgresql: 'create index by_lower on author (lower(nm)) where age > 1',
    },
    ['editEntity'],
  ],
  ['a unique key', 'alter table book add constraint one_isbn unique (isbn)', ['editEntity']],
  ['a check', 'alter table author add constraint grown check (age > 0)', ['editEntity']],
  [
    'a comment of a table',
    {
      mysql: `alter table author comment 'it''s ⟦nm⟧'`,
      postgresql: `comment on table author is 'it''s ⟦nm⟧'`,
    },
    ['editEntity'],
  ],
  [
    'a comment of a column',
    {
      mysql: `alter table author modify nm varchar(30) comment 'hi'`,
      postgresql: `comment on column author.nm is 'hi'`,
    },
  ],
  [
    'a longer text',
    {
      mysql: 'alter table author modify nm varchar(80)',
      postgresql: 'alter table author alter nm type varchar(80)',
    },
    ['editAttribute'],
  ],
  [
    'a larger number',
    {
      mysql: 'alter table book modify pages bigint default 1',
      postgresql: 'alter table book alter pages type bigint',
    },
    ['editAttribute'],
  ],
  ['a default', 'alter table author alter age set default 5', ['editAttribute']],
  ['another default', 'alter table book alter pages set default 7', ['editAttribute']],
  ['no default', 'alter table book alter pages drop default', ['editAttribute']],
  [
    'a required column',
    {
      mysql: 'alter table author modify nm varchar(30) not null',
      postgresql: 'alter table author alter nm set not null',
    },
    ['editAttribute'],
  ],
  [
    'a rule of a foreign key',
    'alter table book drop constraint its_author; alter table book add constraint its_author foreign key (author) references author (id) on delete cascade',
    ['editEntity'],
  ],
  ['no foreign key', 'alter table book drop constraint its_author'],
  ['a foreign key', 'alter table book add constraint aged foreign key (pages) references author (id)'],
  ['no index', { mysql: 'drop index by_age on author', postgresql: 'drop index by_age' }, ['editEntity']],
  [
    'another index of the same name',
    {
      mysql: 'alter table author drop key by_age, add key by_age (age, nm)',
      postgresql: 'drop index by_age; create index by_age on author (age, nm)',
    },
    ['editEntity'],
  ],
  [
    'a key of two columns',
    {
      mysql: 'alter table line drop primary key, add primary key (a, b)',
      postgresql: 'alter table line drop constraint line_pkey; alter table line add primary key (a, b)',
    },
    ['editEntity'],
  ],
  [
    'a column with a default and an index',
    {
      mysql: 'alter table author add column extra int not null default 3, add key by_extra (extra)',
      postgresql:
        'alter table author add column extra int not null default 3; create index by_extra on author (extra)',
    },
    ['editEntity', 'addAttribute'],
  ],
  [
    'a table that points to one',
    'create table prize (id int primary key, author int, constraint won foreign key (author) references author (id) on delete cascade)',
    ['addEntity', 'addAttribute', 'addAttribute'],
  ],
  ['a default of a table', { mysql: 'alter table author default charset=latin1', postgresql: undefined }],
  [
    'another character set',
    { mysql: 'alter table author modify nm varchar(30) character set latin1', postgresql: undefined },
    ['editAttribute'],
  ],
  [
    'a storage parameter',
    { mysql: undefined, postgresql: 'alter table author set (fillfactor = 70)' },
    ['editEntity'],
  ],
];

test.each(hands)('%s that was made by hand is adopted', async (...[, sql, does]) => {
  let count = 0;
  await onEach(async (imported) => {
    const hand = typeof sql === 'string' ? sql : sql[imported.dialect];
    if (hand === undefined) return;
    await run(imported.database, hand.split('; '));
    const edits = await adopts(imported);
    if (does) expect(edits.map((edit) => edit.do)).toEqual(does);
    count += 1;
  });
  expect(count).toBeGreaterThan(0);
});

test('a table that was converted to another character set is adopted with its columns', async () => {
  await onEach(async (imported) => {
    await run(imported.database, ['alter table author convert to character set latin1']);
    const { edits } = await adopted(imported);
    expect(edits.map((edit) => edit.do)).toContain('editEntity');
  }, 'mysql');
});

test('a value that was added to an enum is adopted, although no statement makes it elsewhere', async () => {
  await onEach(async (imported) => {
    await run(imported.database, [`alter type mood add value 'new'`]);
    const { edits } = await adopted(imported);
    expect(edits.map((edit) => edit.do)).toEqual(['editEntity']);
  }, 'postgresql');
});

test('a renamed column is adopted as a rename together with another default, index and check', async () => {
  await onEach(async (imported) => {
    await run(imported.database, [
      'alter table author rename column age to years',
      'alter table author alter years set default 9',
      'create index by_years on author (years, nm)',
      'alter table author add constraint grown check (years > 0)',
    ]);
    const edits = await adopts(imported);
    expect(edits.map((edit) => edit.do)).toEqual(['editEntity', 'editAttribute']);
    expect(edits).toContainEqual({
      do: 'editAttribute',
      attribute: expect.objectContaining({ name: 'Age', renamed: 'Years' }),
    });
  });
});

/** With another name, and with an attribute that was made in the console. */
const edited = ({ entities, ...model }: Model): Model => ({
  ...model,
  entities: entities.map((one) => {
    if (one.name !== 'Author') return one;
    const email: Attribute = { id: randomUUID(), name: 'Email', type: 'String', optional: true };
    const attributes = one.attributes.map((its) =>
      its.name === 'Nm' ? { ...its, name: 'Full name', column: 'full_name' } : its,
    );
    return { ...one, name: 'Writer', table: 'writer', attributes: [...attributes, email] };
  }),
});

test('changes by hand are adopted after the console has renamed and added columns', async () => {
  await onEach(async ({ version: first, ...imported }) => {
    const version = next(first, edited(first.model));
    await apply(imported.database, version);
    await apply(imported.other, version);
    const { dialect } = imported;
    await run(imported.database, [
      'create index by_full_name on writer (full_name, email)',
      `alter table writer add constraint both_names check (full_name <> email)`,
      dialect === 'mysql'
        ? 'alter table writer modify email varchar(80)'
        : 'alter table writer alter email type varchar(80)',
      'create table prize (id int primary key, writer int, constraint won foreign key (writer) references writer (id))',
    ]);
    const edits = await adopts({ ...imported, version });
    expect(edits.map((edit) => edit.do)).toEqual([
      'addEntity',
      'addAttribute',
      'addAttribute',
      'editEntity',
      'editAttribute',
    ]);
  });
});

test('pending edits of one part stay, and the other parts are adopted', async () => {
  await onEach(async ({ database, version: { model }, dialect }) => {
    await run(database, [
      'create index by_name on author (nm)',
      dialect === 'mysql' ? 'drop index by_age on author' : 'drop index by_age',
    ]);
    const now: Model = {
      ...model,
      entities: model.entities.map((one) => ({
        ...one,
        ...(one.native && {
          native: {
            ...one.native,
            parts: one.native.parts.map((part) =>
              part.name === 'by_age' ? { ...part, text: `${part.text} ` } : part,
            ),
          },
        }),
      })),
    };
    const { edits, left } = adoptionOf(model, await database.read(), randomUUID, now);
    expect(left).toContain(
      'The exact table of Author has edits that are in no version yet, and stays as it is.',
    );
    expect(edits.map((edit) => edit.do)).toEqual(['editEntity']);
    const parts = adoptedInto(now, edits).entities.flatMap((one) => one.native?.parts ?? []);
    expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['by_age', 'by_name']));
  });
});
