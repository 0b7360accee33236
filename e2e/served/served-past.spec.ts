/** What an API was, and what a change of it means for its callers. covers: API-02, API-04 */
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
