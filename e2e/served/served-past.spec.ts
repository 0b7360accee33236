/** What an API was, and what a change of it means for its callers. covers: API-02, API-04 */
import { until } from '../../testing/patience';
import { openServedShop, type ServedShop } from './served-shop';

let served: ServedShop;
beforeAll(async () => {
  served = await openServedShop();
  const { shop } = served;
  await shop.query(`insert into customer (name) values ('Ada'), ('Grace')`);
});
afterAll(() => served?.end());

/** Position of the newest event of an endpoint. */
const positionOf = async (id: string): Promise<string> => {
  await served.world.backend.caughtUp();
  const { events } = await served.ask<{ events: { position: string }[] }>('history/list', {
    subject: { category: 'endpoint', id },
  });
  return events.map(({ position }) => position).toSorted((a, b) => Number(b) - Number(a))[0] ?? '';
};
const listOf = (path: string, projection: string[], more: object = {}) =>
  served.endpointOf({
    method: 'GET',
    path,
    blocks: [{ type: 'list', entity: 'Customer', projection, ...more }],
  });

test('what callers notice of the changes between two instants is told, breaking changes first', async () => {
  const { ask, added, alice, instance } = served;
  const id = await added('product/backend/endpoint', listOf('/compared', ['id', 'name']));
  const before = await positionOf(id);
  await added('product/backend/endpoint', listOf('/compared/new', ['id']));
  await ask('product/backend/endpoint/update', { id, data: listOf('/compared', ['id']).data });
  const after = await positionOf(id);
  await ask('product/backend/endpoint/delete', { uuid: id, apiInfo: { uuid: instance } });
  await served.world.backend.caughtUp();
  const changes = (given: object) =>
    ask<{ changes: object[] }>('product/backend/changes', { instance: { uuid: instance }, ...given });
  expect(await changes({ from: before, to: after })).toMatchObject({
    from: { position: before },
    to: { position: after },
    changes: [
      {
        isBreaking: true,
        endpoint: 'GET /compared',
        message: 'each item of the answer has no name any more',
      },
      { isBreaking: false, endpoint: 'GET /compared/new', message: 'it is new' },
    ],
    more: 0,
  });
  expect((await changes({ from: before })).changes).toContainEqual({
    isBreaking: true,
    endpoint: 'GET /compared',
    message: 'it is removed',
  });
  expect((await changes({ from: after, to: after })).changes).toEqual([]);
  expect(
    await alice.post('product/backend/changes', { instance: { uuid: instance }, from: after, to: before }),
  ).toMatchObject({ status: 400, body: { data: { to: 'this is before the beginning' } } });
});

test('an endpoint answers as its definition was at an instant, and only reads', async () => {
  const { ask, added, alice, endpointOf, instance, send, shop } = served;
  interface Tried {
    status: number;
    body: string;
    headers: Record<string, string>;
  }
  const tried = (id: string, at?: string) =>
    alice.post<Tried & { data?: object }>('product/backend/try', {
      instance: { uuid: instance },
      endpoint: { uuid: id },
      as: 'nobody',
      ...(at !== undefined && { at }),
    });
  const id = await added('product/backend/endpoint', listOf('/past', ['name'], { take: 1 }));
  const before = await positionOf(id);
  await ask('product/backend/endpoint/update', { id, data: listOf('/past/now', ['id'], { take: 1 }).data });
  await served.world.backend.caughtUp();
  expect(await send('/past/now')).toMatchObject({ status: 200, text: '[{"id":"1"}]' });
  expect((await tried(id, before)).body).toMatchObject({
    status: 200,
    body: '[{"name":"Ada"}]',
    headers: { 'x-definition': before },
  });
  // Those who call it notice nothing, and neither do its numbers.
  expect((await tried(id)).body.body).toBe('[{"id":"1"}]');
  expect(await send('/past')).toMatchObject({ status: 404 });
  expect(await send('/past/now', { headers: { 'x-answers-by': `${before} ${id}` } })).toMatchObject({
    status: 200,
    text: '[{"id":"1"}]',
  });
  // What writes is refused before, and within a snippet by the process and by the database.
  const names = async () => (await shop.query('select name from customer order by id')).rows;
  const all = await names();
  const insert = { type: 'insert', entity: 'Customer', data: { name: 'Eve' } };
  const writing = await added(
    'product/backend/endpoint',
    endpointOf({ method: 'POST', path: '/past/writing', blocks: [insert] }),
  );
  expect(await tried(writing, await positionOf(writing))).toMatchObject({
    status: 400,
    body: { data: { at: 'it wrote at this instant: only what reads can be called as it was' } },
  });
  const ts = `await call('insert', { entity: 'Customer', data: { name: 'Eve' } });\nreturn 1;`;
  const snippet = await added(
    'product/backend/endpoint',
    endpointOf({ method: 'POST', path: '/past/snippet', blocks: [{ type: 'snippet', ts }] }),
  );
  const since = await positionOf(snippet);
  let refused = await tried(snippet, since);
  // On a busy machine a snippet may not get its turn within its 200 ms.
  while (refused.body.status === 503) refused = await tried(snippet, since);
  expect(refused.body).toMatchObject({
    status: 422,
    body: JSON.stringify({ message: 'a definition that is not the present one only reads' }),
  });
  expect(await names()).toEqual(all);
  expect(await tried(snippet, before)).toMatchObject({
    status: 400,
    body: { data: { at: 'this endpoint did not exist at this instant: choose another one' } },
  });
});

test('sampled requests are replayed against a change before it is saved', async () => {
  const { ask, added, alice, endpointOf, instance, send, world } = served;
  const given = listOf('/replayed', ['id', 'name'], { take: { $: 'query.take', default: 5 } });
  const id = await added('product/backend/endpoint', given);
  const replay = (data: object, of = id) =>
    alice.post<{ verdict: string; message: string; requests: object[]; data?: object }>(
      'product/backend/endpoint/replay',
      { instance: { uuid: instance }, endpoint: { uuid: of }, data },
    );
  await world.backend.caughtUp();
  expect((await replay(given.data)).body).toEqual({
    verdict: 'unproven',
    message: 'No request to this endpoint is kept at the moment.',
    requests: [],
  });
  expect((await send('/replayed?take=1&search=confidential')).status).toBe(200);
  expect((await send('/replayed?take=1&token=confidential')).status).toBe(200);
  type Traffic = { endpoints: { endpoint: string; requests: number; samples: number }[] };
  const traffic = () => ask<Traffic>('product/backend/traffic', { instance: { uuid: instance } });
  const counted = async () => (await traffic()).endpoints.find(({ endpoint }) => endpoint === id);
  await until(async () => (await counted())?.requests === 2);
  // That with a token is not kept.
  expect(await counted()).toMatchObject({ samples: 1 });
  const changed = listOf('/replayed', ['name'], { take: { $: 'query.take', default: 5 } });
  const report = (await replay(changed.data)).body;
  expect(report).toMatchObject({
    verdict: 'differs',
    message: '1 of 1 request is answered differently.',
    requests: [
      {
        request: 'GET /replayed?take=…&search=…',
        as: 'nobody',
        before: { status: 200, ms: expect.any(Number) },
        after: { status: 200 },
        shape: [{ path: '[].id', before: 'string', after: 'absent' }],
      },
    ],
  });
  expect(JSON.stringify([report, await traffic()])).not.toContain('confidential');
  expect((await replay({ ...given.data, tag: 'shown' })).body).toMatchObject({
    verdict: 'same',
    message: '1 of 1 request is answered the same.',
  });
  // A replay is no traffic, and changes nothing.
  expect(await counted()).toMatchObject({ requests: 2, samples: 1 });
  expect((await send('/replayed')).body).toMatchObject([{ id: '1', name: 'Ada' }, { id: '2' }]);
  // What cannot be saved cannot be replayed, and what writes is not.
  expect(await replay(listOf('/replayed', ['nmae']).data)).toMatchObject({
    status: 400,
    body: { data: { 'data.blocks.0.projection.0': expect.any(String) } },
  });
  const insert = { type: 'insert', entity: 'Customer', data: { name: 'Eve' } };
  const writing = endpointOf({ method: 'POST', path: '/replayed', blocks: [insert] });
  expect((await replay(writing.data)).body).toEqual({
    verdict: 'unproven',
    message: 'This endpoint writes. Requests to it are neither kept nor replayed.',
    requests: [],
  });
  expect((await replay(given.data, instance)).status).toBe(404);
});
