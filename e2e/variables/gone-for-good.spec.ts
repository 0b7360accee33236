/**
 * What a removal ended or destroyed does not come back with an undo, a restore or a rollback.
 *
 * covers: ENV-01, DEP-01
 */
import type { Answer, variables } from '@quarterdeck/contract';
import type { HistoryView, UndoPreview } from '@quarterdeck/projections';
import { openWorld, type World } from '../backend/world';
import { good } from '../deploys/container-server';
import { recordedGround, type RecordedGround } from '../deploys/recorded-releases';
import type { Operator } from '../peers/backend';

type Issued = Answer<typeof variables.getAppToken>;

let world: World;
let alice: Operator;
let recorded: RecordedGround;
let server: string;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
  recorded = await recordedGround(world, alice);
  server = await recorded.server('web-1');
});
afterAll(() => world?.end());

const read = async (token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${world.backend.url}/api/env-var/own`, { headers })).status;
};
const tokenOf = async (service: string): Promise<string> =>
  (await good<Issued>(alice, 'env-var/get-app-token', { service: { id: service }, env: 3 })).token;
const tokensOf = (service: string) =>
  good<object[]>(alice, 'env-var/token/list', { service: { id: service } });

describe('the app tokens of a removed service', () => {
  test('stay revoked when the service is restored, and the history says so', async () => {
    const [service, other] = [
      await recorded.service('Orders', server),
      await recorded.service('Bills', server),
    ];
    const [token, others] = [await tokenOf(service), await tokenOf(other)];
    expect([await read(token), await read(others)]).toEqual([200, 200]);
    await good(alice, 'service/delete', { id: service, name: 'Orders' });
    expect(await read(token)).toBe(401);
    await good(alice, 'service/restore', { id: service });
    expect([await read(token), await read(others)]).toEqual([401, 200]);
    expect(await tokensOf(service)).toEqual([]);
    const { events } = await good<{ events: HistoryView[] }>(alice, 'history/list', {
      types: ['AppTokenRevoked'],
    });
    expect(events.map(({ actor }) => actor)).toHaveLength(1);
    // A token that is issued afterwards is valid.
    expect(await read(await tokenOf(service))).toBe(200);
  });

  test('stay revoked after an undo of the removal, and if the process died between removal and revocation', async () => {
    const service = await recorded.service('Undone', server);
    const token = await tokenOf(service);
    await good(alice, 'service/delete', { id: service, name: 'Undone' });
    // As if the process had died before it revoked the token.
    await world.backend.db.query('update app.app_tokens set revoked_at = null where service = $1', [service]);
    const subject = { category: 'service', id: service };
    const { events } = await good<{ events: HistoryView[] }>(alice, 'history/list', { subject });
    const position = events[0]?.position ?? '';
    const { seen } = await good<UndoPreview>(alice, 'history/undo/preview', { position });
    await good(alice, 'history/undo', { position, seen });
    expect(await good(alice, 'service/detail', { id: service })).toMatchObject({ name: 'Undone' });
    expect(await read(token)).toBe(401);
  });

  test('stay revoked when their product is removed and restored', async () => {
    const more = await recordedGround(world, alice);
    const token = await tokenOf(await more.service('Shop', server));
    await good(alice, 'product/delete', { id: more.product });
    expect(await read(token)).toBe(401);
    await good(alice, 'product/restore', { id: more.product });
    expect(await read(token)).toBe(401);
  });
});
