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
