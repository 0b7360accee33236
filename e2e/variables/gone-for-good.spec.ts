/**
 * What a removal ended or destroyed does not come back with an undo, a restore or a rollback.
 *
 * covers: ENV-01, DEP-01
 */
import type { Answer, deploys, variables } from '@quarterdeck/contract';
import type { HistoryView, DeployRow, UndoPreview } from '@quarterdeck/projections';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { ExclusiveRuns } from '../../apps/backend/src/runs';
import { DeployVariables } from '../../apps/backend/src/deploys/deploy-variables';
import { DestroyValue, deploysDecider } from '../../apps/backend/src/deploys/deploys.decider';
import { openWorld, type World } from '../backend/world';
import { ended, good } from '../deploys/container-server';
import { recordedGround, type RecordedGround } from '../deploys/recorded-releases';
import type { Operator } from '../../testing/backend';

type Issued = Answer<typeof variables.getAppToken>;
type KeptValuesAnswer = Answer<typeof deploys.keptValues>;

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

describe('the values of a variable that deploys keep', () => {
  const canary = 'canary-5b1de0-of-a-leaked-key';
  const variable = async (service: string, key: string, value: string, env = 3) =>
    (
      await good<{ id: string }>(alice, 'env-var/insert', {
        data: { key, value, env: { id: env }, secret: true },
        serviceDeploy: { id: service },
      })
    ).id;
  const kept = async (service: string) =>
    (await good<KeptValuesAnswer>(alice, 'deploy/release/value/list', { service: { id: service } })).map(
      ({ key, env, releases }) => [key, env.id, releases.map(({ version }) => version)],
    );
  const destroy = (service: string, key: string, env = 3) =>
    alice.post<{ count: number }>('deploy/release/value/destroy', { service: { id: service }, key, env });
  const valuesIn = async (service: string, key: string): Promise<(string | undefined)[]> => {
    const all = await good<DeployRow[]>(alice, 'deploy/release/list', { service: { id: service } });
    const { vault } = world.backend.resources;
    return Promise.all(
      all.toReversed().map(async ({ workspace, variables }) => {
        const ref = variables.find((one) => one.key === key)?.ref;
        return ref === undefined ? undefined : vault.get({ workspace, ref });
      }),
    );
  };

  test('are named after its deletion, and destroyed in every deploy by one event each', async () => {
    const service = await recorded.service('Leaky', server);
    const leaked = await variable(service, 'STRIPE', canary);
    await variable(service, 'OTHER', 'canary-of-another-key');
    // In dev the same value: a leaked key is gone everywhere. Another value there stays.
    await variable(service, 'STRIPE', canary, 1);
    const first = await recorded.release(service, '1.0');
    await recorded.release(service, '0.9', { env: 1 });
    await good(alice, 'env-var/update', {
      id: leaked,
      data: { key: 'STRIPE', value: 'canary-rotated', env: { id: 3 }, secret: true },
    });
    await recorded.release(service, '1.1');
    await good(alice, 'env-var/delete', { id: leaked });
    expect(await kept(service)).toEqual([
      ['OTHER', 3, ['1.1', '1.0']],
      ['STRIPE', 1, ['0.9']],
      ['STRIPE', 3, ['1.1', '1.0']],
    ]);
    expect(await valuesIn(service, 'STRIPE')).toEqual([canary, canary, 'canary-rotated']);

    expect(await destroy(service, 'STRIPE')).toMatchObject({ status: 200, body: { count: 3 } });
    expect(await valuesIn(service, 'STRIPE')).toEqual([undefined, undefined, undefined]);
    expect(await valuesIn(service, 'OTHER')).toEqual([
      'canary-of-another-key',
      undefined,
      'canary-of-another-key',
    ]);
    expect(await kept(service)).toEqual([['OTHER', 3, ['1.1', '1.0']]]);
    // The list stays in the order of the requests.
    const all = await good<DeployRow[]>(alice, 'deploy/release/list', { service: { id: service } });
    expect(all.map((one) => one.package.version)).toEqual(['1.1', '0.9', '1.0']);
    expect(await recorded.said('release', first)).toEqual([
      expect.stringContaining('Leaky 1.0'),
      'deployed 1.0',
      'destroyed the value of STRIPE that the deploy of 1.0 kept',
    ]);
    const marked = await good<DeployRow>(alice, 'deploy/release/detail', { id: first });
    expect(marked.variables).toMatchObject([{ key: 'OTHER' }, { key: 'STRIPE', destroyed: true }]);
    // Asked again, there is nothing left, also for the value of a variable that never was.
    for (const key of ['STRIPE', 'NEVER'])
      expect(await destroy(service, key)).toMatchObject({ status: 200, body: { count: 0 } });
  });

  test('are missing in a rollback: it takes those of today or goes without, and says so everywhere', async () => {
    const service = await recorded.service('Back', server);
    const [first] = [
      await variable(service, 'A_KEY', 'canary-a'),
      await variable(service, 'B_KEY', 'canary-b'),
      await variable(service, 'C_KEY', 'canary-c'),
    ];
    const release = await recorded.release(service, '1.0');
    await recorded.release(service, '2.0');
    for (const key of ['A_KEY', 'B_KEY']) expect((await destroy(service, key)).body.count).toBe(2);
    const back = (more: object = {}) =>
      alice.post<{ msg: string; runId: string }>('deploy/release/rollback', { id: release, ...more });
    const refusedFor = (msg: string) => ({ status: 409, body: { msg } });
    expect(await back()).toMatchObject(
      refusedFor(
        'the values of A_KEY and B_KEY that this deploy kept were destroyed: use those of today, or go without them',
      ),
    );
    expect(await back({ without: ['A_KEY'] })).toMatchObject(
      refusedFor(
        'the value of B_KEY that this deploy kept was destroyed: use the one of today, or go without it',
      ),
    );
    await good(alice, 'env-var/delete', { id: first });
    expect(await back({ today: true })).toMatchObject(
      refusedFor('A_KEY has no value in prod today: add it first, or go without it'),
    );
    // Nobody loses a value that is still kept by a rollback, or takes a slip of the pen for done.
    for (const [key, reason] of [
      ['C_KEY', /^this deploy still keeps the value of C_KEY/],
      ['D_KEY', /^it has no D_KEY/],
    ] as const)
      expect(await back({ today: true, without: ['A_KEY', key] })).toMatchObject({
        status: 400,
        body: { data: { without: expect.stringMatching(reason) } },
      });
    const list = () => good<DeployRow[]>(alice, 'deploy/release/list', { service: { id: service } });
    expect(await list()).toHaveLength(2);

    const { status, body } = await back({ today: true, without: ['A_KEY'], why: 'A leak' });
    expect(status).toBe(200);
    const lost = [
      { key: 'A_KEY', instead: 'nothing' },
      { key: 'B_KEY', instead: 'today' },
    ];
    const [made] = await list();
    expect(made).toMatchObject({ rollbackTo: release, lost });
    expect(made?.variables.map(({ key }) => key)).toEqual(['B_KEY', 'C_KEY']);
    expect((await valuesIn(service, 'B_KEY')).at(-1)).toBe('canary-b');
    const [says] = await recorded.said('release', body.runId);
    expect(says).toMatch(
      /^requested a rollback to Back 1\.0 in prod on web-1 without A_KEY, with today's value of B_KEY: A leak$/,
    );
    // The server is unreachable, so the run fails, but after it has told that.
    const { run, out } = await ended(alice, body.runId);
    expect(run.steps.map(({ step }) => step)).toContain('variables');
    expect(out).toContain('A_KEY is left out: the value that the earlier deploy kept was destroyed.');
    expect(out).toContain(
      'B_KEY has the value of today: the one that the earlier deploy kept was destroyed.',
    );

    await variable(service, 'A_KEY', 'canary-a-of-today');
    expect(await back({ today: true })).toMatchObject({ status: 200 });
    expect((await list())[0]?.variables.map(({ key }) => key)).toEqual(['A_KEY', 'B_KEY', 'C_KEY']);
    expect((await valuesIn(service, 'A_KEY')).at(-1)).toBe('canary-a-of-today');
  });

  test('are destroyed later if the process died between the event and the destruction', async () => {
    const service = await recorded.service('Died', server);
    await variable(service, 'KEY', 'canary-died');
    const release = await recorded.release(service, '1.0');
    const { workspace } = await good<DeployRow>(alice, 'deploy/release/detail', { id: release });
    const record = new DestroyValue(release, { key: 'KEY' }, ownMeta('system', workspace));
    await world.backend.app.get(Decisions, { strict: false }).execute(deploysDecider, record);
    await world.backend.caughtUp();
    expect(await valuesIn(service, 'KEY')).toEqual(['canary-died']);
    await world.backend.app.get(DeployVariables, { strict: false }).sweep();
    expect(await valuesIn(service, 'KEY')).toEqual([undefined]);
  });

  test('stay while a deploy of the service is under way, which may need them', async () => {
    const service = await recorded.service('Busy', server);
    await variable(service, 'KEY', 'canary-busy');
    const release = await recorded.release(service, '1.0');
    const [one] = await good<{ id: string }[]>(alice, 'package/list', { service: { id: service } });
    const { workspace } = await good<DeployRow>(alice, 'deploy/release/detail', { id: release });
    const held = { kind: 'server', id: server, name: 'web-1' } as const;
    // The deploy waits, because something else has the server.
    const runId = await world.backend.app
      .get(ExclusiveRuns, { strict: false })
      .withLock(held, workspace, async () => {
        const asked = { id: service, packageId: one?.id };
        const { runId: started } = await good<{ runId: string }>(alice, 'deploy', asked);
        expect(await destroy(service, 'KEY')).toMatchObject({
          status: 409,
          body: { msg: expect.stringMatching(/^Busy is being deployed to web-1: wait/) },
        });
        return started;
      });
    await ended(alice, runId);
    expect(await destroy(service, 'KEY')).toMatchObject({ status: 200, body: { count: 2 } });
  });
});
