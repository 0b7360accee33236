/** When the SSL monitor starts by itself: with a fake clock on a real database. covers: DOM-11 */
import { randomUUID } from 'node:crypto';
import type { NextRenewal, RunView, SslLabel, SslMonitorStatus } from '@quarterdeck/projections';
import { RenewalPlans } from '../../apps/backend/src/certificates/renewal-plans';
import { runOf, SslScheduler } from '../../apps/backend/src/ssl-monitor/ssl-scheduler';
import { inDays, tellOfDomain } from '../alerts/domain-events';
import { openDomainGround, type DomainGround } from '../domains/ground';
import type { RunningBackend } from '../../testing/backend';
import { until } from '../../testing/patience';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const settings = {
  checkPauseMs: 0,
  renewPauseMs: 0,
  concurrency: 1,
  expiringDays: 30,
  schedule: '17 3 * * *',
};

let ground: DomainGround;
let other: RunningBackend;
let main: string;
beforeAll(async () => {
  ground = await openDomainGround();
  other = await ground.world.another({
    env: { OUTBOUND_ALLOW: '127.0.0.0/8', DNS_SERVERS: ground.bind.server },
  });
  const server = await ground.server('web-1');
  for (const label of ['one', 'two']) await ground.domain(label, server);
  // A workspace with a schedule, but without domains.
  const eve = await ground.world.backend.signIn({ email: 'eve@example.org', workspace: 'empty' });
  await eve.post('workspace/ssl-monitor', settings);
  // The schedule has not been turned on yet.
  await look(occurrence(), 1000);
  expect(await runs()).toEqual([]);
  expect(await ground.alice.post('ssl/status')).toMatchObject({ body: { phase: 'idle' } });
  expect((await ground.alice.post('ssl/status')).body).not.toHaveProperty('nextAt');
  const { body } = await ground.alice.post<{ id: string }>('workspace/ssl-monitor', settings);
  main = body.id;
});
afterAll(() => ground?.end());

/** The next 03:17 UTC, that many days later. */
const occurrence = (days = 0): Date => {
  const at = new Date();
  at.setUTCHours(3, 17, 0, 0);
  if (at.getTime() <= Date.now()) at.setTime(at.getTime() + DAY_MS);
  return new Date(at.getTime() + days * DAY_MS);
};
const look = (
  at: Date,
  afterMs: number,
  by: Pick<RunningBackend, 'app'> = ground.world.backend,
): Promise<void> => by.app.get(SslScheduler, { strict: false }).look(new Date(at.getTime() + afterMs));
const runs = async (): Promise<RunView[]> => {
  const { rows } = await ground.world.backend.db.query<{ view: RunView }>(
    `select view from read.runs where kind = 'sslMonitor' order by "requestedPosition"`,
  );
  return rows.map(({ view }) => view);
};
const ended = (id: string): Promise<void> =>
  until(async () => (await runs()).find((run) => run.id === id)?.endedAt !== undefined);

test('the monitor starts at its time and not before, and once, however many processes look', async () => {
  const at = occurrence();
  await look(at, -1);
  expect(await runs()).toEqual([]);
  await Promise.all([look(at, 0), look(at, 20_000, other), look(at, 40_000)]);
  const id = runOf(main, at);
  await ended(id);
  for (const who of [other, ground.world.backend]) await look(at, 59 * MINUTE_MS, who);
  expect(await runs()).toEqual([
    expect.objectContaining({ id, workspace: main, requestedBy: 'system', state: 'succeeded' }),
  ]);
  const { body } = await ground.bob.post<SslMonitorStatus>('ssl/status');
  expect(body).toMatchObject({ run: id, phase: 'complete', nextAt: occurrence().toISOString() });
});

test('an occurrence before the schedule was set, or hours ago, is not made up for', async () => {
  const before = await runs();
  const chosen = new Date(Date.now() - (Date.now() % MINUTE_MS));
  const schedule = `${chosen.getUTCMinutes()} ${chosen.getUTCHours()} * * *`;
  await ground.alice.post('workspace/ssl-monitor', { ...settings, schedule });
  await look(chosen, 30 * MINUTE_MS);
  await look(new Date(chosen.getTime() + DAY_MS), 61 * MINUTE_MS);
  expect(await runs()).toEqual(before);
  await ground.alice.post('workspace/ssl-monitor', settings);
});

test('the monitor waits for a run that was started by hand, and runs after it', async () => {
  const at = occurrence(1);
  // The second domain is checked a minute later.
  await ground.alice.post('workspace/ssl-monitor', { ...settings, checkPauseMs: MINUTE_MS });
  const byHand = randomUUID();
  await ground.alice.post('ssl/run', { runId: byHand });
  const before = (await runs()).length;
  await look(at, 1000);
  await look(at, 21_000, other);
  // It is in line, once.
  const waiting = (await runs()).slice(before);
  expect(waiting).toEqual([expect.objectContaining({ id: runOf(main, at), state: 'requested' })]);
  await ground.alice.post('workspace/ssl-monitor', settings);
  await ground.alice.post('run/cancel', { id: byHand });
  await ended(byHand);
  await ended(runOf(main, at));
  expect((await runs()).at(-1)).toMatchObject({ id: runOf(main, at), state: 'succeeded' });
});

test('a workspace without a schedule is left alone', async () => {
  const { schedule: _, ...none } = settings;
  await ground.alice.post('workspace/ssl-monitor', none);
  const before = await runs();
  await look(occurrence(2), 1000);
  expect(await runs()).toEqual(before);
  expect((await ground.alice.post<SslMonitorStatus>('ssl/status')).body.nextAt).toBeUndefined();
});

test('with renewal only after expiry, a certificate that is due by its lifetime waits', async () => {
  const { world, alice, db } = { ...ground, db: ground.world.backend.db };
  const { rows } = await db.query<{ id: string; serverName: string }>(
    'select id, "serverName" from read.domains where workspace = $1 limit 1',
    [main],
  );
  const { id = '', serverName = '' } = rows[0] ?? {};
  await tellOfDomain(world.backend.resources.store, main, id, {
    type: 'CertificateIssued',
    data: {
      serial: 'AA',
      issuer: 'Test CA',
      names: [serverName],
      keyType: 'ECDSA P-256',
      fingerprint: 'AB',
      notBefore: inDays(-80),
      notAfter: inDays(10),
    },
  });
  await world.backend.caughtUp();
  const due = async (label: SslLabel): Promise<number> => {
    const check = { domain: id, serverName, found: { label, valid: label !== 'expired', serial: 'AA' } };
    const plans = world.backend.app.get(RenewalPlans, { strict: false });
    return (await plans.due([check], main, new AbortController().signal)).length;
  };
  const next = async () => (await alice.post<NextRenewal>('domain/renewal', { id })).body.renewal;
  const { schedule: _, ...paces } = settings;
  await alice.post('workspace/ssl-monitor', paces);
  expect([await due('expiring'), (await next())?.is]).toEqual([1, 'renew']);
  await alice.post('workspace/ssl-monitor', { ...paces, onlyExpired: true });
  expect([await due('expiring'), await due('expired')]).toEqual([0, 1]);
  expect(await next()).toMatchObject({
    is: 'wait',
    reason: expect.stringContaining('This workspace renews only expired'),
  });
});
