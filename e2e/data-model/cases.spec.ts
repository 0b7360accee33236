// covers: VER-02, VER-04
/** Databases that people have, through the whole product: previewed, imported, versioned, planned and taken as a baseline. */
import type { Answer, versions } from '@quarterdeck/contract';
import type { Dialect } from '@quarterdeck/data-model';
import { v7 as uuidv7 } from 'uuid';
import { openTarget } from '../../apps/backend/src/databases/target';
import { openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { startServers, type Server } from './addresses';
import { databaseOn } from './database-at';
import { modelCalls } from './model-calls';

type Preview = Answer<typeof versions.preview>;
type Plan = Answer<typeof versions.plan>;

let world: World;
let alice: Operator;
let servers: Server[];
const { post, id, endOf, applied } = modelCalls(() => alice);

beforeAll(async () => {
  [world, servers] = [await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } }), await startServers()];
  alice = await world.backend.signIn({ workspace: 'cases', role: 'admin', email: 'alice@example.org' });
});
afterAll(async () => {
  await world?.end();
  await Promise.all((servers ?? []).map((server) => server.stop()));
});

interface Case {
  readonly title: string;
  readonly on: readonly Dialect[];
  readonly made: readonly string[];
  /** The entities, each with its attributes and their exact types. */
  readonly shown: Readonly<Record<string, readonly (string | RegExp)[]>>;
  /** Indexes, keys and options that the preview shows. */
  readonly parts: readonly RegExp[];
  /** All that is left alone. */
  readonly left: readonly string[];
  /** Only one of two products has it. */
  readonly only?: Server['name'];
}

const both = ['mysql', 'postgresql'] as const;

const cases: readonly Case[] = [
  {
    title: 'a table without a key of one column, and a short text',
    on: both,
    made: [
      'create table customer (id bigint not null primary key, name varchar(50) not null)',
      'create table legacy_line (order_id int not null, no int not null, primary key (order_id, no))',
    ],
    shown: {
      Customer: ['Id bigint', /^Name (varchar|character varying)\(50\)/],
      'Legacy line': [/^Order id int/, /^No int/],
    },
    parts: [/key.*order_id.*no/i],
    left: [],
  },
  {
    title: 'keys of whole numbers, with and without a sign',
    on: ['mysql'],
    made: [
      'create table role (id int not null auto_increment primary key, name varchar(255) not null)',
      `create table account (id bigint unsigned not null auto_increment primary key, role_id int not null,
       constraint account_role foreign key (role_id) references role(id))`,
    ],
    shown: {
      Role: ['Id int AUTO_INCREMENT', 'Name varchar(255)'],
      Account: ['Id bigint unsigned AUTO_INCREMENT', 'Role int'],
    },
    parts: [/account_role/],
    left: [],
  },
  {
    title: 'keys with names of their own, and a key to the same table',
    on: ['postgresql'],
    made: [
      'create table actor (actor_id serial primary key, first_name varchar(45) not null)',
      'create table film (film_id serial primary key, title varchar(255) not null, original_id int references film(film_id))',
    ],
    shown: {
      Actor: [/^Actor id integer DEFAULT "?nextval/, 'First name character varying(45)'],
      Film: [/^Film id integer DEFAULT "?nextval/, 'Title character varying(255)', 'Original integer'],
    },
    parts: [/film_original_id_fkey/],
    left: [],
  },
  {
    title: 'what MySQL prints after the type of a column, and what is no table',
    on: ['mysql'],
    only: 'MariaDB',
    made: [
      `create table t (id bigint not null auto_increment primary key, a varchar(255) not null,
       full_name varchar(255) as (upper(a)) stored, changed_at datetime(6) null default null on update current_timestamp(6),
       c int null comment 'keep me', l varchar(255) character set latin1 null, hid int invisible null) default charset=utf8mb4`,
      'create table my (id bigint not null auto_increment primary key, a int) engine=MyISAM',
      'create table v (id bigint not null auto_increment primary key, a int) with system versioning',
      'create sequence s',
      'create procedure p() select 1',
    ],
    shown: {
      My: ['Id bigint AUTO_INCREMENT', 'A int'],
      T: [
        'Id bigint AUTO_INCREMENT',
        'A varchar(255)',
        /^Full name varchar\(255\) GENERATED ALWAYS AS \(ucase\(`a`\)\) STORED/i,
        /^Changed at datetime\(6\) .*ON UPDATE current_timestamp\(6\)/i,
        /^C int COMMENT 'keep me'/,
        /^L varchar\(255\) .*latin1/,
        /^Hid int INVISIBLE/,
      ],
      V: ['Id bigint AUTO_INCREMENT', 'A int'],
    },
    parts: [/ENGINE=MyISAM/, /WITH SYSTEM VERSIONING/],
    left: ['The procedure p is left alone.', 'The sequence s is left alone.'],
  },
  {
    title: 'what PostgreSQL knows of columns and keys, and what is no table of this schema',
    on: ['postgresql'],
    made: [
      `create type mood as enum ('sad','ok')`,
      `create table a (id bigserial primary key, no serial, no2 bigint generated always as identity, m mood,
       c varchar(255) collate "C")`,
      `comment on column a.m is 'keep me'`,
      `create table b (id bigint generated always as identity primary key,
       a_id bigint references a(id) deferrable initially deferred, a2_id bigint)`,
      'alter table b add constraint nv foreign key (a2_id) references a(id) not valid',
      'create index part on b (a2_id) where a_id is not null',
      'create table u (id uuid primary key)',
      'create table r (id bigserial primary key)',
      'alter table r enable row level security',
      'create policy p on r using (false)',
      'create schema app',
      'create table app.hidden (id bigserial primary key)',
      'create table nothing ()',
    ],
    shown: {
      A: [
        /^Id bigint DEFAULT "?nextval/,
        /^No integer DEFAULT "?nextval/,
        'No2 bigint GENERATED ALWAYS AS IDENTITY',
        /^M "?mood/,
        /^C character varying\(255\) COLLATE .*"C"/,
      ],
      B: ['Id bigint GENERATED ALWAYS AS IDENTITY', 'A bigint', 'A2 bigint'],
      R: [/^Id bigint DEFAULT "?nextval/],
      U: [/^Id "?uuid/],
    },
    parts: [
      /keep me/,
      /b_a_id_fkey.*DEFERRABLE INITIALLY DEFERRED/,
      /nv.*NOT VALID/,
      /part.*WHERE .*a_id.* IS NOT NULL/,
    ],
    left: [
      'The schema app with 1 tables is left alone.',
      'The table nothing without columns is left alone.',
      'r: row level security is left alone.',
    ],
  },
  {
    title: 'numbers of its own that begin and step otherwise',
    on: ['postgresql'],
    made: [
      `create table n (id bigint generated always as identity primary key,
       up int generated by default as identity (start 10 increment 2),
       down smallint generated always as identity (increment -1 start -5 minvalue -9 cache 3 cycle),
       least int generated by default as identity (minvalue 7 maxvalue 99),
       plain smallint generated by default as identity (increment -1))`,
    ],
    shown: {
      N: [
        'Id bigint GENERATED ALWAYS AS IDENTITY',
        'Up integer GENERATED BY DEFAULT AS IDENTITY (START WITH 10 INCREMENT BY 2)',
        'Down smallint GENERATED ALWAYS AS IDENTITY (START WITH -5 INCREMENT BY -1 MINVALUE -9 CACHE 3 CYCLE)',
        'Least integer GENERATED BY DEFAULT AS IDENTITY (MINVALUE 7 MAXVALUE 99)',
        'Plain smallint GENERATED BY DEFAULT AS IDENTITY (INCREMENT BY -1)',
      ],
    },
    parts: [],
    left: [],
  },
  {
    title: 'tables whose names differ only by case, of which one is imported',
    on: ['mysql'],
    made: [
      'create table Users (Id int auto_increment primary key, a int, key ia(a), constraint c check (a > 0))',
      `create table users (id int, b int unique, constraint c check (b > 1),
       constraint fk foreign key (b) references Users(Id))`,
      'create table visit (id bigint auto_increment primary key, user int unique)',
      'alter table visit add constraint to_twin foreign key (user) references users(b)',
    ],
    shown: { Users: ['Id int AUTO_INCREMENT', 'A int'], Visit: ['Id bigint AUTO_INCREMENT', 'User int'] },
    parts: [/ia.*a/],
    left: [
      'Table users is left out: its name differs only by case from Users, and some servers take both for one.',
      'visit: the foreign key to_twin is left out with the table users that it points to.',
    ],
    // MySQL has names of checks and keys once in a database.
    only: 'MariaDB',
  },
  {
    title: 'tables and columns whose names differ only by case, of which one is imported',
    on: ['postgresql'],
    made: [
      `create table "Users" ("Case" int, "case" int primary key, "CASE" int not null unique)`,
      'create table users (id int primary key references "Users"("case"))',
    ],
    shown: { Users: ['Case integer'] },
    parts: [/Users_pkey/],
    left: [
      'Table users is left out: its name differs only by case from Users, and some servers take both for one.',
      'Users.CASE is left out: its name differs only by case from case, and some servers take both for one.',
      'Users.Case is left out: its name differs only by case from case, and some servers take both for one.',
    ],
  },
  {
    title: 'an index for a key to a table whose key is a short number',
    on: ['postgresql'],
    made: [
      'create table parent (id integer primary key)',
      'create table child (id bigserial primary key, parent_id integer references parent(id))',
      'create index ix_child_parent on child (parent_id)',
    ],
    shown: { Child: [/^Id bigint DEFAULT "?nextval/, 'Parent integer'], Parent: ['Id integer'] },
    parts: [/child_parent_id_fkey/, /ix_child_parent/],
    left: [],
  },
];

const places = cases.flatMap((one) => one.on.map((dialect) => ({ ...one, dialect })));

test.each(places)('$title: $dialect', async ({ dialect, made, shown, parts, left, only }) => {
  for (const server of servers.filter((one) => one.dialect === dialect && (only ?? one.name) === one.name)) {
    const address = await server.fresh();
    const target = await openTarget(address);
    for (const sql of made) await target.query(sql);
    await target.end();

    const product = { id: await id(alice.post('product/insert', { data: { name: `${uuidv7()}` } })) };
    const data = await databaseOn(address);
    const database = { id: await id(alice.post('database/insert', { data, product })) };
    const { body: preview } = await post<Preview>('version/import/preview', { product, database });
    const found = preview.entities.map(({ name, attributes }) => [
      name,
      attributes.map((one) => `${one.name} ${one.native}`),
    ]);
    const wanted = Object.entries(shown).map(([name, columns]) => [
      name,
      columns.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
    const words = preview.entities.flatMap((one) => one.parts).join('\n');
    for (const part of parts) expect(words).toMatch(part);
    expect(preview.left.toSorted()).toEqual(left);

    const again = (await post<Preview>('version/import/preview', { product, database })).body;
    expect(again.seal).toBe(preview.seal);

    const runId = uuidv7();
    await post('version/import/structure', { product, database, seal: preview.seal, runId });
    expect(await endOf(runId)).toMatchObject({ state: 'succeeded' });
    const imported = (await post<{ left: string[] }>('version/import/detail', { run: runId })).body;
    expect(imported.left.toSorted()).toEqual(left);
    const uuid = await id(post('version/create', product));
    const planned = (await post<Plan>('version/plan', { uuid, database })).body;
    expect(planned).toMatchObject({ from: 0, to: 1, statements: [], destroys: false, fits: true });
    const run = uuidv7();
    await post('version/baseline', { uuid, database, seal: planned.seal, runId: run });
    expect(await endOf(run)).toMatchObject({ state: 'succeeded' });
    expect((await post<Plan>('version/plan', { uuid, database })).body).toMatchObject({
      from: 1,
      statements: [],
      repairs: false,
    });

    // On an empty one, it makes the same structure.
    const empty = await databaseOn(await server.fresh());
    const other = { id: await id(alice.post('database/insert', { data: empty, product })) };
    const first = (await post<Plan>('version/plan', { uuid, database: other })).body;
    await applied({ uuid, database: other, seal: first.seal });
    const after = (await post<Plan>('version/plan', { uuid, database: other })).body;
    expect(after).toMatchObject({ from: 1, statements: [], repairs: false });
    expect(after).not.toHaveProperty('drift');
  }
});
