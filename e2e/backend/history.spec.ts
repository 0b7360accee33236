// covers: AUD-01
import { attributeTypes } from '@quarterdeck/data-model';
import type { HistoryView, PersonView } from '@quarterdeck/projections';
import type { EventDetail } from '../../apps/backend/src/history/history.controller';
import type { Operator } from '../../testing/backend';
import { Client } from 'pg';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';

const MANY_PARTS = `
  insert into read.subjects select (jsonb_populate_record(s, jsonb_build_object(
    'id', 'attribute-' || n, 'subjectId', n::text, 'name', 'part', 'within', $1::text))).*
  from read.subjects s, generate_series(1, 5000) n where s.id = $1`;

interface Page {
  events: HistoryView[];
  next?: string;
}

let world: World;
let alice: Operator;
let bob: Operator;
let stranger: Operator;
let ids: string[];
const list = async (query: object = {}, who = alice) => (await who.post<Page>('history/list', query)).body;
const idOf = async (who: Operator) => (await who.get<{ profile: { id: string } }>('session')).body.profile.id;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  bob = await world.backend.signIn({ email: 'bob@example.org' });
  stranger = await world.backend.signIn({ workspace: 'elsewhere' });
  const privateKey = idleKey();
  ids = [];
  for (const alias of ['web-1', 'web-2', '100%_sure'])
    ids.push(
      String((await alice.post('server/insert', { ...fieldsOf(alias, nowhere), privateKey })).body.id),
    );
  await bob.post('server/update', {
    id: ids[0],
    data: { ...fieldsOf('mail', nowhere), root: '/srv', username: 'deploy' },
  });
  await bob.post('server/delete', { id: ids[1] });
});
afterAll(async () => world?.end());

describe('the history', () => {
  test('shows who did what, when and to what, newest first, including removed things', async () => {
    const { events } = await list({ subject: { category: 'server' } });
    expect(events.map(({ type, subject, says }) => [type, subject.name, says])).toEqual([
      ['ServerRemoved', 'web-2', 'removed web-2'],
      ['ServerPathsChanged', 'mail', expect.stringContaining('/srv')],
      ['ServerMoved', 'mail', 'moved to deploy@127.0.0.1:9'],
      ['ServerRenamed', 'mail', 'renamed to mail'],
      ['ServerRegistered', '100%_sure', expect.stringContaining('registered')],
      ['ServerRegistered', 'web-2', expect.stringContaining('registered')],
      ['ServerRegistered', 'mail', expect.stringContaining('registered web-1')],
    ]);
    expect(events[0]?.actor).toBe(await idOf(bob));
  });

  test('says what a nested record is a part of, outermost first', async () => {
    const inserted = async (path: string, body: object) => String((await alice.post(path, body)).body.id);
    const product = await inserted('product/insert', { data: { name: 'Shop', description: '' } });
    const within = { product: { id: product } };
    const entity = await inserted('data-model/entity/insert', {
      ...within,
      data: { name: 'book', table: '', isUuid: false },
    });
    const attribute = await inserted('data-model/attribute/insert', {
      entity: { id: entity },
      data: { name: 'title', type: 1, optional: false },
    });
    const shop = { category: 'product', id: product, name: 'Shop' };
    const [event] = (await list({ subject: { category: 'attribute', id: attribute } })).events;
    expect(event?.subject).toEqual({
      category: 'attribute',
      id: attribute,
      name: 'title',
      within: [shop, { category: 'entity', id: entity, name: 'book' }],
    });
    expect((await list({ subject: { category: 'product' } })).events[0]?.subject).toEqual(shop);
    const parts = async (id: string, who = alice) =>
      (await list({ subject: { category: 'product', id, parts: true } }, who)).events.map(({ says }) => says);
    expect(await parts(product)).toEqual([
      expect.stringContaining('title'),
      expect.stringContaining('book'),
      expect.stringContaining('Shop'),
    ]);
    expect(await parts(product, stranger)).toEqual([]);
    // Of more parts than a query can name, the parents of each event are looked up.
    const database = new Client({ connectionString: world.postgres.url });
    await database.connect();
    await database.query(MANY_PARTS, [`entity-${entity}`]);
    await database.end();
    expect(await parts(product)).toHaveLength(3);
    await alice.post('data-model/attribute/delete', { id: attribute });
    expect((await parts(product))[0]).toContain('title');
    const { body } = await alice.post<EventDetail>('history/detail', { position: event?.position });
    expect(body.changes).toContainEqual({ field: 'Type', after: attributeTypes[0] });
  });

  test('finds records by words of their names, with what they belong to, and no removed ones', async () => {
    const find = async (text: string, who = alice) => (await who.post('history/find', { text })).body;
    const shop = { category: 'product', id: expect.any(String), name: 'Shop' };
    expect(await find('BOOK shop title')).toEqual([
      shop,
      { category: 'entity', id: expect.any(String), name: 'book', within: [shop] },
    ]);
    // A part of a product is found by its kind as well, after what is called so.
    const [product] = (await alice.post<{ id: string }[]>('product/list', {})).body;
    const optionSet = { product: { id: product?.id }, data: { name: 'States' } };
    await alice.post('data-model/option-set/insert', optionSet);
    const states = { category: 'optionSet', id: expect.any(String), name: 'States', within: [shop] };
    for (const words of ['option', 'Sets']) expect(await find(words)).toEqual([states]);
    expect(await find('shop sets')).toEqual([shop, states]);
    expect(await find('option', stranger)).toEqual([]);
    // A percent sign is no wildcard, and a shorter word is not searched for.
    expect(await find('100%_s')).toEqual([{ category: 'server', id: ids[2], name: '100%_sure' }]);
    expect([await find('web-2'), await find('%_%'), await find('ti sh')]).toEqual([[], [], []]);
    expect(await find('book', stranger)).toEqual([]);
    expect((await alice.post('history/find', { text: 'a'.repeat(201) })).body).toMatchObject({
      data: { text: 'at most 200 characters are accepted' },
    });
  });

  test('is searched by text, type, subject, actor, time and cause', async () => {
    const typesOf = async (query: object) => (await list(query)).events.map(({ type }) => type);
    expect(await typesOf({ text: 'DEPLOY@' })).toEqual(['ServerMoved']);
    expect(await typesOf({ text: '100%_' })).toEqual(['ServerRegistered']);
    expect(await typesOf({ text: '%_s' })).toEqual(['ServerRegistered']);
    expect(await typesOf({ text: 'mail', types: ['ServerRegistered', 'ServerMoved'] })).toEqual([
      'ServerMoved',
      'ServerRegistered',
    ]);
    expect(await typesOf({ text: 'bob@example', subject: { category: 'server' } })).toHaveLength(4);
    expect(await typesOf({ subject: { category: 'server', id: ids[1] } })).toEqual([
      'ServerRemoved',
      'ServerRegistered',
    ]);
    expect(await typesOf({ actor: await idOf(bob), types: ['ServerRemoved'] })).toEqual(['ServerRemoved']);
    const removed = (await list({ types: ['ServerRemoved'] })).events[0];
    expect(await typesOf({ from: removed?.at, types: ['ServerRemoved', 'ServerRegistered'] })).toEqual([
      'ServerRemoved',
    ]);
    expect(await typesOf({ to: removed?.at, types: ['ServerRemoved', 'ServerRegistered'] })).toHaveLength(4);
    const moved = (await list({ types: ['ServerMoved'] })).events[0];
    expect(await typesOf({ cause: moved?.correlationId })).toEqual([
      'ServerPathsChanged',
      'ServerMoved',
      'ServerRenamed',
    ]);
  });

  test('is read in pages without gaps or repetitions', async () => {
    const all = (await list({ limit: 200 })).events.map(({ position }) => position);
    const paged: string[] = [];
    let before: string | undefined;
    do {
      const page: Page = await list({ limit: 3, ...(before ? { before } : {}) });
      paged.push(...page.events.map(({ position }) => position));
      before = page.next;
    } while (before);
    expect(paged).toEqual(all);
    expect(all.length).toBeGreaterThan(7);
  });

  test('shows an event with everything that the same request caused, oldest first', async () => {
    const moved = (await list({ types: ['ServerMoved'] })).events[0];
    const { body } = await alice.post<EventDetail>('history/detail', {
      position: moved?.position,
    });
    expect(body.event).toEqual(moved);
    expect(body.chain.map(({ type }) => type)).toEqual([
      'ServerRenamed',
      'ServerMoved',
      'ServerPathsChanged',
    ]);
    expect(body.chainLength).toBe(3);
  });

  test('shows what an event changed, with the values before and after, as the folds compute them', async () => {
    const changesOf = async (type: string) => {
      const [event] = (await list({ types: [type] })).events;
      return (await alice.post<EventDetail>('history/detail', { position: event?.position })).body.changes;
    };
    expect(await changesOf('ServerMoved')).toEqual([{ field: 'Username', before: 'root', after: 'deploy' }]);
    expect(await changesOf('ServerPathsChanged')).toEqual([
      { field: 'Root', before: '/root', after: '/srv' },
    ]);
    expect(await changesOf('ServerRenamed')).toEqual([{ field: 'Alias', before: 'web-1', after: 'mail' }]);
    expect(await changesOf('ServerRegistered')).toContainEqual({ field: 'Alias', after: '100%_sure' });
    expect(await changesOf('ServerRemoved')).toContainEqual({ field: 'Alias', before: 'web-2' });
    expect(await changesOf('PersonSignedIn')).toContainEqual({
      field: 'Last sign in at',
      after: expect.any(String) as string,
    });
  });

  test('is limited to the workspace', async () => {
    const theirs = await list({ limit: 200 }, stranger);
    const ours = await list({ limit: 200 });
    const streams = new Set(ours.events.map(({ stream }) => stream));
    expect(theirs.events.some(({ stream }) => streams.has(stream))).toBe(false);
    expect((await list({ text: 'web' }, stranger)).events).toEqual([]);
    const answer = await stranger.post('history/detail', { position: ours.events[0]?.position });
    expect(answer).toMatchObject({ status: 404, body: { msg: 'event could not be found' } });
    expect((await stranger.post('history/detail', { position: '999999' })).body).toEqual(answer.body);
  });

  test('names the actors', async () => {
    const { body } = await alice.post<PersonView[]>('person/list');
    const actors = new Set(
      (await list({ types: ['ServerRemoved', 'ServerRegistered'] })).events.map(({ actor }) => actor),
    );
    for (const actor of actors) expect(body.map(({ id }) => id)).toContain(actor);
  });
});
