/**
 * APIs of databases that others made: keys of any name, keys of several columns, types of the engine.
 *
 * covers: API-04
 */
import { randomUUID } from 'node:crypto';
import { compileCall, perform, Refused, type ApiModel, type Block, type Values } from '@quarterdeck/api';
import { startGrounds, type Ground } from './grounds';
import { importedModel } from './imported-model';

const TABLES: Record<string, string[]> = {
  postgresql: [
    'drop schema if exists films cascade; create schema films; set search_path to films',
    `create type rating as enum ('G', 'PG')`,
    `create table "film" ("film_id" serial primary key, "Title" varchar(40) not null, "rating" rating default 'G', "length" smallint,
      "tags" text[], "poster" bytea, "added" timestamptz not null default now(), "code" uuid, "rate" numeric(4,2) not null default 4.99)`,
    'create table "actor" ("actor_id" varchar(10) primary key, "order" text)',
    `create table "film_actor" ("film_id" int not null references "film", "actor_id" varchar(10) not null references "actor", "since" date, primary key ("film_id", "actor_id"))`,
    'create table "note" ("text" text)',
  ],
  mysql: [
    "create table `film` (`film_id` int unsigned auto_increment primary key, `Title` varchar(40) character set latin1 not null, `rating` enum('G', 'PG') default 'G', `length` smallint unsigned, `poster` blob, `added` timestamp not null default current_timestamp, `flag` bit(1), `rate` decimal(4,2) not null default 4.99)",
    'create table `actor` (`actor_id` varchar(10) primary key, `order` text)',
    'create table `film_actor` (`film_id` int unsigned not null, `actor_id` varchar(10) not null, `since` date, primary key (`film_id`, `actor_id`), foreign key (`film_id`) references `film` (`film_id`), foreign key (`actor_id`) references `actor` (`actor_id`))',
    'create table `note` (`text` text)',
  ],
};

let grounds: Ground[];

beforeAll(async () => {
  grounds = await startGrounds();
});

afterAll(() => Promise.all(grounds.map((ground) => ground.stop())));

const VALUES: Values = {
  params: {},
  query: {},
  body: null,
  user: null,
  chain: {},
  in: {},
  now: '2026-11-28T13:30:00.000000',
};

describe.each([
  ['PostgreSQL', 0],
  ['MariaDB', 1],
])('%s', (_, at) => {
  let ground: Ground;
  let model: ApiModel;

  beforeAll(async () => {
    ground = grounds[at] as Ground;
    model = await importedModel(ground, TABLES[ground.dialect] ?? []);
  });

  const ask = async (block: object, query: object = {}): Promise<unknown> => {
    const compiled = compileCall(block as Block, model);
    if (compiled.type === 'snippet') throw new Error('no snippet');
    return (await perform(compiled, { ...VALUES, query }, { ask: ground.ask, uuid: randomUUID })).value();
  };

  test('inserts, reads, changes and deletes rows with keys of any name', async () => {
    expect(
      Object.fromEntries(
        [...model.entities.values()].map(({ name, key }) => [name, key.map((one) => one.name)]),
      ),
    ).toEqual({ Actor: ['actorId'], Film: ['filmId'], FilmActor: ['film', 'actor'], Note: [] });
    const film = { type: 'insert', entity: 'Film', data: { title: 'Größe', length: 90 } };
    expect(await ask(film)).toMatchObject({
      filmId: 1,
      title: 'Größe',
      rating: 'G',
      length: 90,
      rate: '4.99',
      added: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    });
    expect(await ask({ type: 'insert', entity: 'Actor', data: { actorId: 'a1', order: 'first' } })).toEqual({
      actorId: 'a1',
      order: 'first',
    });
    expect(
      await ask({
        type: 'insert',
        entity: 'FilmActor',
        data: { film: 1, actor: 'a1', since: { $now: 'date' } },
      }),
    ).toEqual({ film: 1, actor: 'a1', since: '2026-11-28' });
    const list = {
      type: 'list',
      entity: 'Film',
      projection: ['title'],
      filters: {
        rating: { in: ['G', 'PG'] },
        title: { contains: 'ö' },
        some: { 'FilmActor.film': { actor: { order: 'first' } } },
      },
      references: { cast: { from: 'FilmActor.film', projection: ['since'], references: { actor: {} } } },
    };
    expect(await ask(list)).toEqual([
      { title: 'Größe', cast: [{ since: '2026-11-28', actor: { actorId: 'a1', order: 'first' } }] },
    ]);
    expect(
      await ask({
        type: 'update',
        entity: 'Film',
        filters: { some: { 'FilmActor.film': {} } },
        data: { rating: 'PG' },
      }),
    ).toEqual({ changed: 1 });
    expect(
      await ask({ type: 'delete', entity: 'FilmActor', filters: { film: { title: 'Größe' }, actor: 'a1' } }),
    ).toEqual({ changed: 1 });
    expect(
      await ask({
        type: 'delete',
        entity: 'Film',
        filters: { none: { 'FilmActor.film': {} }, rating: 'PG' },
      }),
    ).toEqual({ changed: 1 });
  });

  test('a table without a key can be read and written', async () => {
    await ask({ type: 'insert', entity: 'Note', data: { text: 'a' } });
    expect(await ask({ type: 'list', entity: 'Note' })).toEqual([{ text: 'a' }]);
  });

  test('bytes are shown, and nothing else can be done with them', () => {
    const film = model.entities.get('Film');
    expect(film?.attributes.get('poster')).toMatchObject({ comparable: false, writable: false });
    expect(() => compileCall({ type: 'list', entity: 'Film', filters: { poster: 'x' } }, model)).toThrow(
      'only isNull can be asked',
    );
  });

  test('a value that the type of the engine does not have is refused, or finds nothing', async () => {
    const filters = { rating: { $: 'query.rating' } };
    expect(await ask({ type: 'list', entity: 'Film', filters }, { rating: 'X' })).toEqual([]);
    await expect(
      ask({ type: 'list', entity: 'Film', filters: { filmId: { $: 'query.id' } } }, { id: '1.5' }),
    ).rejects.toThrow(Refused);
  });
});
