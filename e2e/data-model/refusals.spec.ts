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
