/**
 * The SSL monitor over hundreds of domains, with a real back end, DNS and TLS, killed and stopped in the middle.
 *
 * covers: DOM-09, DOM-10, DOM-11
 */
import { randomInt, randomUUID } from 'node:crypto';
import { parseLogLine } from '@quarterdeck/events';
import {
  noSslChecks,
  type ListPage,
  type SslCheck,
  type SslCounters,
  type SslMonitorStatus,
} from '@quarterdeck/projections';
import { connectSocket } from '../../testing/socket';
import type { Operator } from '../../testing/backend';
import { operator } from '../../testing/operator';
import type { EndpointKind } from '../../testing/tls-endpoints';
import { runOf } from '../../apps/backend/src/ssl-monitor/ssl-scheduler';
import { openSslGround, type SslGround } from './ssl-ground';
import { until } from '../../testing/patience';

const DOMAINS = 400;
const AT_ONCE = 20;
const fast = { checkPauseMs: 0, renewPauseMs: 0, concurrency: AT_ONCE, expiringDays: 30 };

/** The expected result for each kind of host. */
const kinds: Partial<Record<EndpointKind, { every: number; label: string; code?: string }>> = {
  hanging: { every: 50, label: 'unchecked', code: 'timeout' },
  expired: { every: 20, label: 'expired', code: 'CERT_HAS_EXPIRED' },
  refusing: { every: 20, label: 'unchecked', code: 'refused' },
  garbage: { every: 20, label: 'unchecked', code: 'notTls' },
  wrongName: { every: 20, label: 'valid', code: 'NAME_MISMATCH' },
  selfSigned: { every: 20, label: 'valid', code: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
  expiring: { every: 10, label: 'expiring' },
};

interface Planted {
  name: string;
  kind: EndpointKind;
  label: string;
  code: string | undefined;
}
const planted = (zone: string): Planted[] => {
  const offsets = Object.entries(kinds).map(([kind, how], offset) => ({
    kind: kind as EndpointKind,
    how,
    offset,
  }));
  return Array.from({ length: DOMAINS - 2 }, (_, index) => {
    const fitting = offsets.find(({ how, offset }) => index % how.every === offset);
    const kind = fitting?.kind ?? 'valid';
    const name = `n${String(index).padStart(4, '0')}.${kind === 'refusing' ? 'down' : 'up'}.${zone}`;
    return { name, kind, label: fitting?.how.label ?? 'valid', code: fitting?.how.code };
  });
};

let ground: SslGround;
let hosts: Planted[];
let bob: Operator;
let timed: Operator;
const outcomes = new Map<string, { label: string; code: string | undefined }>();

const expected = (): SslCounters => {
  const all = [...outcomes.values()];
  const labelled = (...labels: string[]) => all.filter(({ label }) => labels.includes(label));
  const trusted = (wanted: string) =>
    all.filter(({ label, code }) => label === wanted && code === undefined).length;
  return {
    total: DOMAINS,
    checked: DOMAINS,
    renewed: 0,
    failed: 0,
    valid: trusted('valid'),
    expiring: trusted('expiring'),
    expired: labelled('expired').length,
    unreachable: labelled('unchecked').filter(({ code }) => code !== 'removed').length,
    invalid: labelled('valid', 'expiring').filter(({ code }) => code !== undefined).length,
  };
};

beforeAll(async () => {
  ground = await openSslGround({ SSL_SCHEDULE: 'on' });
  const { bind, alice } = ground;
  hosts = planted(bind.zone);
  // A domain that may not be called, and one whose name no longer exists.
  bind.change(`add inside.${bind.zone} 60 A 10.66.0.1`, `add gone.${bind.zone} 60 A ${ground.up}`);
  const [up, down, inside] = [
    await ground.server(ground.up),
    await ground.server(ground.down),
    await ground.server('10.66.0.1'),
  ];
  await alice.post('workspace/ssl-monitor', fast);
  const queue = hosts.values();
  const adding = async (): Promise<void> => {
    for (const { name, kind, label, code } of queue) {
      ground.serve(name, kind);
      outcomes.set(name, { label, code });
      await ground.domain(name, kind === 'refusing' ? down : up);
    }
  };
  await Promise.all(Array.from({ length: 24 }, adding));
  await ground.domain(`inside.${bind.zone}`, inside);
  await ground.domain(`gone.${bind.zone}`, up);
  bind.change(`delete gone.${bind.zone} A`);
  outcomes.set(`inside.${bind.zone}`, { label: 'unchecked', code: 'outbound-refused' });
  outcomes.set(`gone.${bind.zone}`, { label: 'unchecked', code: 'ENOTFOUND' });
  [bob, timed] = [await ground.person('bob@example.org'), await ground.person('tim@example.org', 'timed')];
  await ground.domain(`timed.down.${bind.zone}`, await ground.server(ground.down, timed), timed);
  await timed.post('workspace/ssl-monitor', { ...fast, schedule: '* * * * *' });
});
afterAll(() => ground?.end());

const start = async (more: object = {}): Promise<string> => {
  const runId = randomUUID();
  const { status, body } = await ground.alice.post('ssl/run', { runId, ...more });
  expect([status, body]).toEqual([200, { runId }]);
  return runId;
};

/** Expects each domain once in the rows and once in the log. */
const expectWhole = async (run: string): Promise<void> => {
  const checks = await ground.checks(run);
  const found = checks.map(({ serverName, found }) => [serverName, found?.label, found?.code]);
  const wanted = [...outcomes].map(([name, { label, code }]) => [name, label, code]);
  expect(found).toEqual(wanted.sort(([one = ''], [other = '']) => (one < other ? -1 : 1)));
  expect(checks.every(({ at }) => at !== undefined)).toBe(true);
  const asked = { id: run, filters: { state: 'expired' }, sort: '-domain', size: 5 };
  const { body: page } = await ground.alice.post<ListPage<SslCheck>>('ssl/checks/page', asked);
  const expired = checks.filter((check) => check.found?.label === 'expired').map(({ domain }) => domain);
  expect([page.total, page.found, page.rows.length]).toEqual([checks.length, expired.length, 5]);
  expect(page.rows.every(({ domain }) => expired.includes(domain))).toBe(true);

  const lines = await ground.lines(run);
  const results = new Map<string, number>();
  for (const line of lines) {
    const { text } = parseLogLine(line);
    // A check logs one line with the result, and sometimes one with the cause.
    const name =
      /^Failed to check SSL for (\S+)$/.exec(text)?.[1] ?? /^(\S+) (is valid|expires|has)/.exec(text)?.[1];
    const only = /^(\S+): It is (?:not for|self-signed)/.exec(text)?.[1];
    for (const one of [name, only]) if (one) results.set(one, (results.get(one) ?? 0) + 1);
  }
  expect([...results].filter(([, times]) => times !== 1)).toEqual([]);
  expect(results.size).toBe(DOMAINS);
};
const servedEvents = async (): Promise<{ domains: number; events: number }> => {
  const { rows } = await ground.db.query<{ domains: number; events: number }>(
    `select count(distinct stream)::int as domains, count(*)::int as events
     from log.events where type = 'CertificateServed'
       and meta->>'workspace' = (select id from read.workspaces where name = 'main')`,
  );
  return rows[0] ?? { domains: 0, events: 0 };
};

test('checks hundreds of domains, good and bad, in one run that two operators watch', async () => {
  const { alice, endpoints } = ground;
  const told = new Map<Operator, SslMonitorStatus[]>([alice, bob].map((who) => [who, []]));
  const sockets = await Promise.all([alice, bob].map((who) => connectSocket(who)));
  for (const [at, who] of [alice, bob].entries()) {
    await sockets[at]?.resume('0');
    sockets[at]?.socket.on('ssl', (status: SslMonitorStatus) => told.get(who)?.push(status));
  }
  expect(await ground.status()).toEqual({
    phase: 'idle',
    counters: noSslChecks,
  });
  const before = ground.memory();
  const began = performance.now();
  const run = await start();
  await until(async () => (await ground.checkedOf(run)) > 20);
  const second = await bob.post('ssl/run');
  expect([second.status, second.body]).toEqual([
    409,
    { msg: expect.stringContaining('is under way'), current: expect.objectContaining({ runId: run }) },
  ]);
  await until(async () => (await ground.status(bob)).phase === 'checking');
  expect(await ground.status(bob)).toMatchObject({ run, phase: 'checking', counters: { total: DOMAINS } });
  expect((await ground.ended(run)).state).toBe('succeeded');
  const took = performance.now() - began;

  await expectWhole(run);
  expect(await ground.status(bob)).toEqual({ run, phase: 'complete', counters: expected() });
  const lines = await ground.lines(run);
  expect(lines.slice(0, 2)).toEqual(['[info] Fetching domains...', `[info] Found ${DOMAINS} domains`]);
  const { expiring, expired, unreachable, invalid } = expected();
  expect(lines.at(-1)).toBe(
    `[success] Complete: ${DOMAINS} domains, ${expiring} expiring, ${expired} expired, ${unreachable} unreachable, ${invalid} not valid, 0 renewed, 0 renewals failed`,
  );
  // No configuration of ours is live on the server, which is reported and is not a failure.
  expect(lines.filter((line) => line.includes(' is not renewed: '))).toHaveLength(expired);
  // The domain that may not be called was not checked.
  expect(await servedEvents()).toEqual({ domains: DOMAINS - 1, events: DOMAINS - 1 });

  for (const [at, who] of [alice, bob].entries()) {
    const mine = told.get(who) ?? [];
    await sockets[at]?.until(() => mine.at(-1)?.phase === 'complete');
    expect(mine.at(-1)).toEqual({ run, phase: 'complete', counters: expected() });
    const checked = mine.map(({ counters }) => counters.checked);
    expect(checked).toEqual(checked.toSorted((one, other) => one - other));
    expect(mine.length).toBeLessThan(took / 200 + 5);
    expect(Math.max(...mine.map((status) => JSON.stringify(status).length))).toBeLessThan(300);
    sockets[at]?.close();
  }
  // The server notices a moment later that a connection was closed.
  expect(endpoints.most).toBeLessThanOrEqual(2 * AT_ONCE);
  expect(endpoints.most).toBeGreaterThan(AT_ONCE / 4);
  expect(endpoints.accepted).toBeLessThanOrEqual(DOMAINS);
  const grown = (ground.memory().most - before.now) / 1024;
  console.log(
    `${DOMAINS} domains in ${Math.round(took)} ms, ${endpoints.most} at once, ${Math.round(grown)} MB more`,
  );
  expect(grown).toBeLessThan(200);
});

test('after three kills at random moments, a run has checked every domain once and counted correctly', async () => {
  const { accepted } = ground.endpoints;
  const served = await servedEvents();
  const run = await start();
  for (const share of [0, 120, 240]) {
    const target = share + randomInt(10, 110);
    await until(async () => (await ground.checkedOf(run)) >= target);
    await ground.restart();
  }
  const { state, steps } = await ground.ended(run);
  expect(state).toBe('succeeded');
  expect(steps.map(({ step, state: how }) => `${step} ${how}`)).toEqual([
    'fetch succeeded',
    'check lost',
    'check lost',
    'check lost',
    'check succeeded',
    'renew succeeded',
  ]);
  await expectWhole(run);
  expect(await ground.status()).toEqual({ run, phase: 'complete', counters: expected() });
  // Only checks that were running at a kill were repeated. Their results are the same, so no new events are recorded.
  expect(ground.endpoints.accepted - accepted).toBeLessThanOrEqual(DOMAINS + 3 * AT_ONCE);
  expect(await servedEvents()).toEqual(served);
});

describe('without hanging hosts', () => {
  beforeAll(() => {
    for (const { name, kind } of hosts)
      if (kind === 'hanging') {
        ground.serve(name, 'valid');
        outcomes.set(name, { label: 'valid', code: undefined });
      }
  });

  test('a stopped run reports its progress, and really ends', async () => {
    const run = await start();
    await until(async () => (await ground.checkedOf(run)) > 100);
    await ground.alice.post('run/cancel', { id: run });
    expect((await ground.ended(run)).state).toBe('cancelled');
    const checked = await ground.checkedOf(run);
    expect(checked).toBeLessThan(DOMAINS);
    expect((await ground.lines(run)).at(-1)).toBe(`[warning] Stopped after ${checked} of ${DOMAINS} domains`);
    expect(await ground.status()).toMatchObject({
      run,
      phase: 'stopped',
      counters: { total: DOMAINS, checked },
    });
    await until(() => ground.endpoints.connections === 0);
    const { accepted } = ground.endpoints;
    // The next run can start, which an active run would prevent.
    const next = await start({ checkOnly: true });
    await ground.ended(next);
    expect(ground.endpoints.accepted - accepted).toBeLessThanOrEqual(DOMAINS);
    expect(await ground.checkedOf(run)).toBe(checked);
    await expectWhole(next);
    expect((await ground.run(next)).steps.map(({ step }) => step)).toEqual(['fetch', 'check']);
    expect(await ground.status()).toEqual({ run: next, phase: 'complete', counters: expected() });
    expect((await ground.lines(next)).at(-1)).toContain('[success] Complete: ');
  });

  test('a run survives rows that cannot be written for a moment, and a domain that is removed meanwhile', async () => {
    const last = hosts.findLast(({ kind }) => kind === 'valid')?.name ?? '';
    const run = await start();
    await until(async () => (await ground.checkedOf(run)) > 100);
    await ground.db.query('alter table app.ssl_checks rename to away');
    const { rows } = await ground.db.query<{ id: string }>(
      'select id from read.domains where "serverName" = $1',
      [last],
    );
    const gone = await ground.alice.post('domain/delete', { id: rows[0]?.id, serverName: last });
    expect(gone.status).toBe(200);
    await ground.db.query('alter table app.away rename to ssl_checks');
    expect((await ground.ended(run)).state).toBe('succeeded');
    outcomes.set(last, { label: 'unchecked', code: 'removed' });
    const checks = await ground.checks(run);
    expect(checks.find(({ serverName }) => serverName === last)?.found).toMatchObject({ code: 'removed' });
    expect(checks.every(({ found }: SslCheck) => found !== undefined)).toBe(true);
    expect(await ground.status()).toEqual({ run, phase: 'complete', counters: expected() });
    expect(await ground.lines(run)).toContain(`[info] ${last} was removed meanwhile`);
  });

  test("a run ends in Error, with the specification's message, if the domains cannot be fetched", async () => {
    await ground.db.query('alter table app.ssl_checks rename to away');
    const run = await start();
    expect(await ground.ended(run)).toMatchObject({ state: 'failed', code: 'fetch' });
    await ground.db.query('alter table app.away rename to ssl_checks');
    expect(await ground.lines(run)).toEqual([
      '[info] Fetching domains...',
      '[error] Failed to fetch domains: 503',
    ]);
    expect(await ground.status()).toMatchObject({ run, phase: 'error' });
  });

  test('the schedule starts a run, even if the back end was killed meanwhile', async () => {
    const began = async () =>
      (
        await ground.db.query<{ id: string; workspace: string; by: string; at: string }>(
          `select id, workspace, view->>'requestedBy' as by, view->>'requestedAt' as at from read.runs
           where kind = 'sslMonitor' and workspace <> (select id from read.workspaces where name = 'main')`,
        )
      ).rows;
    await until(async () => (await began()).length > 0);
    for (const { id, workspace, by, at } of await began()) {
      expect(by).toBe('system');
      // Started for one of the occurrences that are made up for, and for none of them twice.
      const minute = Date.parse(at) - (Date.parse(at) % 60_000);
      const occurrences = Array.from({ length: 61 }, (_, back) => new Date(minute - back * 60_000));
      expect(occurrences.map((occurrence) => runOf(workspace, occurrence))).toContain(id);
    }
    const status = () => ground.status(operator(ground.backend.url, timed.cookie));
    await until(async () => (await status()).counters.total === 1);
    const { nextAt } = await status();
    expect(Date.parse(nextAt ?? '') - Date.now()).toBeLessThanOrEqual(60_000);
  });
});
