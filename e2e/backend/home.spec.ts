// covers: SHELL-04
import type { Answer, home } from '@quarterdeck/contract';
import { streamName, type AppEvent, type NewEvent } from '@quarterdeck/events';
import { v7 as uuidv7 } from 'uuid';
import type { Operator } from '../../testing/backend';
import { appendAtEnd } from '../../testing/log-events';
import { endedFleet, startFleet } from './fleet-world';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from './world';

type Overview = Answer<typeof home.overview>;

let world: World;
let ada: Operator;

beforeAll(async () => {
  world = await openWorld();
  ada = await world.backend.signIn();
});
afterAll(() => world?.end());

const overview = async (at?: string): Promise<Overview> =>
  (await ada.post<Overview>('home/overview', {}, at === undefined ? {} : { 'x-at': at })).body;
const said = ({ attention }: Overview): string[] => attention.map(({ name, label }) => `${name}: ${label}`);

const tell = async (stream: string, ...events: AppEvent[]): Promise<void> => {
  const { body } = await ada.post<{ id: string }>('workspace/detail');
  const told = events.map((event) => {
    const id = uuidv7();
    const causes = { correlationId: id, causationId: id };
    const meta = { id, at: new Date().toISOString(), actor: 'system', workspace: body.id, ...causes, v: '1' };
    return { ...event, meta } as NewEvent;
  });
  await appendAtEnd(world.backend.resources.store, stream, told);
  await world.backend.caughtUp();
};

const initialized: AppEvent = {
  type: 'ServerInitialized',
  data: {
    facts: { os: 'debian 12', kernel: '6.1', architecture: 'x86_64', cores: 2, memoryBytes: 2, diskBytes: 4 },
    changed: [],
  },
};

const certificate = (serverName: string, days: number): AppEvent => ({
  type: 'CertificateIssued',
  data: {
    names: [serverName],
    serial: '04A1',
    issuer: 'Test CA',
    keyType: 'ECDSA P-256',
    fingerprint: 'a'.repeat(64),
    notBefore: new Date().toISOString(),
    notAfter: new Date(Date.now() + days * 86_400_000).toISOString(),
  },
});

test('an empty workspace lists all set-up steps, and each is checked off once done', async () => {
  // As after a sign-in link that was never used.
  await tell(streamName('person', uuidv7()), { type: 'PersonJoined', data: { role: 'admin' } });
  const empty = await overview();
  expect(empty).toEqual({
    attention: [],
    attentionCount: 0,
    counts: { products: 0, domains: 0, servers: 0 },
    steps: { server: false, setUp: false, domain: false, certificate: false, invitation: false },
  });

  const added = await ada.post<{ id: string }>('server/insert', {
    ...fieldsOf('web-1', nowhere),
    privateKey: idleKey(),
  });
  const server = added.body.id;
  expect((await overview()).steps).toMatchObject({ server: true, setUp: false, nextServer: server });
  await tell(streamName('server', server), initialized);
  const domain = await ada.post<{ id: string }>('domain/insert', {
    serverName: 'shop.localhost',
    server: { id: server },
  });
  expect(domain.status).toBe(200);
  const { id } = domain.body;
  const before = await overview();
  expect(before.steps).toMatchObject({ setUp: true, domain: true, certificate: false, nextDomain: id });
  expect(before.steps.nextServer).toBeUndefined();
  expect(said(before)).toEqual(['shop.localhost: never applied']);
  await tell(streamName('domain', id), certificate('shop.localhost', 60));
  await ada.post('invitation/insert', { role: 'member', via: 'link' });
  const { steps, counts } = await overview();
  expect(steps).toEqual({ server: true, setUp: true, domain: true, certificate: true, invitation: true });
  expect(counts).toEqual({ products: 0, domains: 1, servers: 1 });
});

test('an unreachable server, a failed run and an alert need attention, but not in a view of the time before', async () => {
  const [server] = (await ada.post<{ id: string }[]>('server/list')).body;
  const id = server?.id ?? '';
  const instant = (await ada.post<{ events: { position: string }[] }>('history/list', { limit: 1 })).body
    .events[0]?.position;
  const lost: AppEvent = {
    type: 'ServerHealthChanged',
    data: { to: 'unreachable', reason: 'refused', code: 'refused' },
  };
  await tell(streamName('server', id), lost);
  await ada.post('server/execCmd', { id, cmdType: 1, runId: uuidv7() });
  const log = { kind: 'log', id: uuidv7(), name: 'event log' };
  await tell(streamName('alert', uuidv7()), {
    type: 'AlertRaised',
    data: { subject: log, about: 'foreignEvents', says: 'The event log holds a foreign event.' },
  });
  const now = await overview();
  expect(said(now)).toEqual(['web-1: unreachable', 'event log: The event log holds a foreign event.']);
  expect(now.attentionCount).toBe(2);
  // The run failed only because its server is unreachable.
  expect(now.attention[0]?.affects).toEqual({ domains: 0, runs: 1 });
  expect(now.attention[0]?.since).toMatch(/^\d{4}-/);
  expect(said(await overview(instant))).toEqual([]);
});

test('a failed run needs no attention after the same work was started again', async () => {
  const [server] = (await ada.post<{ id: string }[]>('server/list')).body;
  const id = server?.id ?? '';
  await tell(streamName('server', id), { type: 'ServerHealthChanged', data: { to: 'reachable' } });
  const failed = (shown: Overview) =>
    shown.attention.filter(({ kind }) => kind === 'run').map((run) => run.id);
  const first = failed(await overview());
  const runId = uuidv7();
  await ada.post('server/execCmd', { id, cmdType: 1, runId });
  expect(first).toHaveLength(1);
  expect(failed(await overview())).toEqual([runId]);

  const start = () => startFleet(ada, { servers: [id], cmdType: 1 });
  const rerun = async (of: string) =>
    (await ada.post<{ runId: string }>('fleet/rerun', { id: of })).body.runId;
  let last = '';
  const labels = ['failed', 'failed 2 times', 'failed 3 times'];
  for (const [index, again] of [start, () => rerun(last), start].entries()) {
    last = await again();
    await endedFleet(ada, last);
    const fleets = (await overview()).attention.filter(({ kind }) => kind === 'fleet');
    expect(fleets.map((fleet) => [fleet.id, fleet.label])).toEqual([[last, labels[index]]]);
  }
});

test('a failed deploy needs no attention after a later one of its service on its server', async () => {
  const subject = { kind: 'service', id: uuidv7(), name: 'Orders' };
  const [first, other] = [uuidv7(), uuidv7()].map((id, at) => ({ id, name: `web-${at}` }));
  const deploy = async (version: string, server = first): Promise<string> => {
    const run = uuidv7();
    const request = { kind: 'deployService', subject, input: { version }, ...(server && { server }) };
    const end: AppEvent = {
      type: 'RunFailed',
      data: { durationMs: 140, code: 'exitCode', reason: 'exit code 1' },
    };
    await tell(streamName('run', run), { type: 'RunRequested', data: request }, end);
    return run;
  };
  const failed = async () =>
    (await overview()).attention.filter(({ kind }) => kind === 'run').map((run) => run.id);
  const before = await failed();
  const one = await deploy('1.0');
  const elsewhere = await deploy('1.0', other);
  expect(await failed()).toEqual([elsewhere, one, ...before]);
  const later = await deploy('1.1');
  expect(await failed()).toEqual([later, elsewhere, ...before]);
  expect(said(await overview()).slice(0, 2)).toEqual([
    'Deploy 1.1: Orders: failed 2 times: exit code 1',
    'Deploy 1.0: Orders: failed: exit code 1',
  ]);
});
