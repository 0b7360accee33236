/**
 * What the rows of a database are known to refuse stops before the first statement, on each engine. Conversions are in
 * `conversions.spec.ts`. covers: VER-02
 */
import { randomUUID } from 'node:crypto';
import {
  generated,
  modelFrom,
  type Attribute,
  type Dialect,
  type Entity,
  type Model,
  type ModelVersion,
} from '@quarterdeck/data-model';
import { openTarget } from '../../apps/backend/src/databases/target';
import { startServers, type Server } from './addresses';
import { applyVersion } from './applied';
import { readStructure } from './read-structure';

let servers: Server[];
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all((servers ?? []).map((server) => server.stop())));

const versionsOf = (...models: Model[]): string[] => {
  const versions: ModelVersion[] = [];
  for (const model of models) versions.push(generated(versions.at(-1), model) as ModelVersion);
  return versions.map((version) => JSON.stringify(version));
};
const value = (type: Attribute['type'], more: Partial<Attribute> = {}): Attribute => ({
  id: 'v',
  name: 'Val',
  type,
  optional: true,
  ...more,
});
const entity = (name: string, ...attributes: Attribute[]): Entity => ({
  id: name,
  name,
  isUuid: false,
  attributes,
});
const model = (...entities: Entity[]): Model => ({ entities, optionSets: [] });

/** The first statement of version 2 would create the table `before`. */
const before = entity('Before');
const rows = ['insert into thing (val) values (5), (6)', 'insert into other (id) values (5)'];
const target = (name: string): Partial<Attribute> => ({ foreignEntity: name, column: 'val' });

it.each([
  {
    title: 'values that are no key of the table that they will point to',
    first: model(entity('Other'), entity('Thing', value('Long'))),
    second: model(before, entity('Other'), entity('Thing', value('ForeignKey', target('Other')))),
    rows,
    words: 'val of thing becomes a foreign key, but rows have values that are no key of other. Rows: 1.',
  },
  {
    title: 'values of another whole type that are no key',
    first: model(entity('Other'), entity('Thing', value('Int'))),
    second: model(before, entity('Other'), entity('Thing', value('ForeignKey', target('Other')))),
    rows,
    words: 'val of thing becomes a foreign key, but rows have values that are no key of other. Rows: 1.',
  },
  {
    title: 'texts that are no key once they are converted',
    first: model(entity('Other'), entity('Thing', value('String'))),
    second: model(before, entity('Other'), entity('Thing', value('ForeignKey', target('Other')))),
    rows: [`insert into thing (val) values ('05'), ('6')`, ...rows.slice(1)],
    words: /(?: are no key of the table |violates foreign key constraint).* Nothing was changed\.$/,
  },
  {
    title: 'values that point to a table that is new',
    first: model(entity('Thing', value('Long'))),
    second: model(before, entity('New'), entity('Thing', value('ForeignKey', target('New')))),
    rows: rows.slice(0, 1),
    words: 'val of thing becomes a foreign key, but rows have values that are no key of new. Rows: 2.',
  },
  {
    title: 'rows without a value that becomes required',
    first: model(entity('Thing', value('Long'))),
    second: model(before, entity('Thing', value('Long', { optional: false }))),
    rows: ['insert into thing (val) values (null)'],
    words: 'val becomes required: the database refuses rows without a value. Rows: 1.',
  },
  {
    title: 'rows without a value of a new required attribute',
    first: model(entity('Thing')),
    second: model(before, entity('Thing', value('Long', { optional: false }))),
    rows: ['insert into thing (id) values (1)'],
    words: 'The new column val of thing is required, but existing rows have no value for it. Rows: 1.',
  },
])('$title', async ({ first, second, rows: made, words }) => {
  const versions = versionsOf(first, second);
  for (const server of servers) {
    const address = await server.fresh();
    const at = { address, target: await openTarget(address) };
    await applyVersion(at, { versions, from: 0, version: 1 });
    for (const sql of made) await at.target.query(sql);
    await expect(applyVersion(at, { versions, from: 1, version: 2 })).rejects.toThrow(words);
    const tables = (await readStructure(at.target)).tables.map(({ name }) => name);
    expect([server.name, tables.includes('before')]).toEqual([server.name, false]);
    await at.target.end();
  }
});

it.each([
  {
    title: 'of the same type',
    was: value('Long'),
    is: value('Long'),
    values: [null, '5'],
    given: '7',
    get: ['5', '7'],
  },
  {
    title: 'of another name and type',
    was: value('Int'),
    is: value('String', { name: 'Label' }),
    values: [null, '5'],
    given: `it's \\ 7`,
    get: ['5', `it's \\ 7`],
  },
  {
    title: 'of JSON',
    was: value('JSON'),
    is: value('JSON'),
    values: [null],
    given: '{"a":1}',
    get: ['{"a":1}'],
  },
])('rows get the given value before their column becomes required: $title', async (one) => {
  const versions = versionsOf(
    model(entity('Thing', one.was)),
    model({ ...entity('Thing', { ...one.is, optional: false }), name: 'Piece' }),
  );
  const column = one.is.name.toLowerCase();
  const where = `piece.${column}`;
  for (const server of servers) {
    const address = await server.fresh();
    const at = { address, target: await openTarget(address) };
    await applyVersion(at, { versions, from: 0, version: 1 });
    for (const its of one.values) await at.target.query('insert into thing (val) values (?)', [its]);
    const { findings, judged } = await applyVersion(at, {
      versions,
      from: 1,
      version: 2,
      values: [{ where, value: one.given }],
    });
    expect(judged.wrong).toBeUndefined();
    expect(findings.find(({ code }) => code === 'columnRequired')).toMatchObject({
      where,
      asks: one.is.type,
    });
    const found = await at.target.query(`select ${column} as val from piece order by id desc`);
    const texts = found.map(({ val }) => (typeof val === 'string' ? val : JSON.stringify(val)));
    expect([server.name, texts.map((text) => text.replaceAll(': ', ':'))]).toEqual([server.name, one.get]);
    await expect(at.target.query(`insert into piece (${column}) values (null)`)).rejects.toThrow(/null/i);
    await at.target.end();
  }
});

it('rows of an imported table get the given key, also one that is checked only at the end', async () => {
  for (const server of servers) {
    const address = await server.fresh();
    const at = { address, target: await openTarget(address) };
    const isPostgresql = at.target.dialect === 'postgresql';
    await at.target.query('create table owner (id int primary key)');
    await at.target.query(
      `create table pet (id int primary key, owner_id int default 2,
       constraint owned foreign key (owner_id) references owner (id)${isPostgresql ? ' deferrable initially deferred' : ''})`,
    );
    await at.target.query('insert into owner values (1), (2)');
    await at.target.query('insert into pet values (1, null), (2, 2), (3, null)');
    const { model: found } = modelFrom(await readStructure(at.target), randomUUID);
    const required = found.entities.map((its) => ({
      ...its,
      attributes: its.attributes.map((column) => ({ ...column, optional: false })),
    }));
    const versions = versionsOf(found, model(...required));
    const given = { versions, from: 1, version: 2 };
    await expect(applyVersion(at, given)).rejects.toThrow(/owner_id becomes required.* Rows: 2\./);
    await applyVersion(at, { ...given, values: [{ where: 'pet.owner_id', value: '1' }] });
    const rows = await at.target.query('select owner_id from pet order by id');
    expect([server.name, rows.map((row) => Number(row.owner_id))]).toEqual([server.name, [1, 2, 1]]);
    await at.target.query('insert into pet (id) values (4)');
    await at.target.end();
  }
});

const imported: Record<Dialect, string[]> = {
  mysql: [
    'create table person (id int not null auto_increment primary key, mail varchar(50), unique key one_mail (mail))',
    'create table pet (id int not null auto_increment primary key, owner int, constraint owned foreign key (owner) references person (id))',
  ],
  postgresql: [
    'create table person (id serial primary key, mail varchar(50), constraint one_mail unique (mail))',
    'create table pet (id serial primary key, owner int, constraint owned foreign key (owner) references person (id))',
  ],
};

it.each([
  {
    title: 'a unique key that was dropped by hand, and values that rows have twice since',
    drop: {
      mysql: 'drop index one_mail on person',
      postgresql: 'alter table person drop constraint one_mail',
    },
    row: `insert into person (mail) values ('a'), ('a'), ('b'), (null), (null)`,
    words: 'mail of person becomes unique, but rows have the same values. Rows: 2.',
  },
  {
    title: 'a foreign key that was dropped by hand, and values that are no key since',
    drop: {
      mysql: 'alter table pet drop foreign key owned',
      postgresql: 'alter table pet drop constraint owned',
    },
    row: 'insert into pet (owner) values (7), (null)',
    words: 'owner of pet becomes a foreign key, but rows have values that are no key of person. Rows: 1.',
  },
])('in an imported database, $title', async ({ drop, row, words }) => {
  for (const server of servers) {
    const address = await server.fresh();
    const at = { address, target: await openTarget(address) };
    for (const sql of imported[server.dialect]) await at.target.query(sql);
    const found = modelFrom(await readStructure(at.target), randomUUID).model;
    const versions = versionsOf(found, { ...found, entities: [...found.entities, before] });
    await applyVersion(at, { versions, from: 0, version: 1 });
    await at.target.query(drop[server.dialect]);
    await at.target.query(row);
    await expect(applyVersion(at, { versions, from: 1, version: 2 })).rejects.toThrow(words);
    const tables = (await readStructure(at.target)).tables.map(({ name }) => name);
    expect([server.name, tables.includes('before')]).toEqual([server.name, false]);
    await at.target.end();
  }
});
