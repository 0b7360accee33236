/** The scheduler with servers that answer as they are told. covers: SRV-16 */
import type { ServerView } from '@quarterdeck/projections';
import type { KeptSample } from './health-samples';
import { ProbeShift, type Change } from './probe-shift';
import type { Outcome } from './one-probe';

const rule = { everySeconds: 10, failures: 2, outOf: 3 };

const server = (id: string, more: Partial<ServerView> = {}): ServerView => ({
  id,
  uuid: id,
  workspace: 'harbour',
  alias: id,
  host: '192.0.2.1',
  port: 22,
  username: 'root',
  root: '/root',
  path: '/root/static',
  nginxPath: '/root/nginx',
  key: { fingerprint: 'SHA256:key', algorithm: 'ssh-ed25519', setAt: '2026-11-20T12:00:00.000Z' },
  hostKey: { fingerprint: 'SHA256:host', algorithm: 'ssh-ed25519', since: '2026-11-20T12:00:00.000Z' },
  registeredAt: '2026-11-20T12:00:00.000Z',
  registeredBy: 'somebody',
  changedAt: '2026-11-20T12:00:00.000Z',
  changedBy: 'somebody',
  revision: 1,
  position: '1',
  ...more,
});

const fine: Outcome = { ok: true, tookMs: 5, figures: { cores: 2 } };
const refused: Outcome = {
  ok: false,
  tookMs: 5,
  figures: {},
  code: 'refused',
  reason: 'Nothing listens there.',
};

const world = () => {
  const probed: string[] = [];
  const recorded: (Change & { server: string })[] = [];
  const kept: KeptSample[] = [];
  const faults: unknown[] = [];
  let answer: (of: ServerView) => Outcome | undefined | Promise<Outcome | undefined> = () => fine;
  let broken = false;
  const shift = new ProbeShift({
    probe: async (of) => {
      probed.push(of.id);
      return answer(of);
    },
    record: async ({ id }, change) => {
      if (broken) throw new Error('no log');
      recorded.push({ server: id, ...change });
      return String(recorded.length * 10);
    },
    keep: (sample) => kept.push(sample),
    onFault: (error) => faults.push(error),
  });
  return {
    shift,
    probed,
    recorded,
    kept,
    faults,
    answering: (how: typeof answer) => void (answer = how),
    breakLog: (to: boolean) => void (broken = to),
  };
};

beforeEach(() => void jest.useFakeTimers({ now: new Date('2026-11-20T12:00:00.000Z') }));
afterEach(() => jest.useRealTimers());
const pass = (seconds: number): Promise<void> => jest.advanceTimersByTimeAsync(seconds * 1000);

it('probes each server once an interval, and spreads those that existed before', async () => {
  const { shift, probed } = world();
  const ids = Array.from({ length: 50 }, (_, index) => `web-${index}`);
  for (const id of ids) shift.listed({ server: server(id), rule }, true);
  await pass(1);
  expect(probed.length).toBeLessThan(25);
  await pass(9);
  expect([...probed].sort()).toEqual([...ids].sort());
  await pass(10);
  expect(probed).toHaveLength(100);
});

it('probes a new server at once, but leaves the first contact to whoever adds it', async () => {
  const { shift, probed } = world();
  shift.listed({ server: server('web-1'), rule: { ...rule, everySeconds: 3600 } }, false);
  const { hostKey: _none, ...unknown } = server('web-2');
  shift.listed({ server: unknown, rule: { ...rule, everySeconds: 3600 } }, false);
  await pass(1);
  expect(probed).toEqual(['web-1']);
  shift.listed({ server: server('web-2'), rule: { ...rule, everySeconds: 3600 } }, false);
  await pass(1);
  expect(probed).toEqual(['web-1', 'web-2']);
});

it('makes the first contact itself if nobody does', async () => {
  const { shift, probed } = world();
  const { hostKey: _none, ...unknown } = server('web-2');
  shift.listed({ server: unknown, rule: { ...rule, everySeconds: 3600 } }, false);
  await pass(10);
  expect(probed).toEqual(['web-2']);
});

it('records a change once, with its reason, and nothing while the state stays the same', async () => {
  const { shift, recorded, kept, answering } = world();
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(60);
  expect(recorded).toEqual([{ server: 'web-1', to: 'reachable' }]);
  answering(() => refused);
  await pass(60);
  expect(recorded.slice(1)).toEqual([
    { server: 'web-1', to: 'unreachable', code: 'refused', reason: 'Nothing listens there.' },
  ]);
  answering(() => fine);
  await pass(60);
  expect(recorded.slice(2)).toEqual([{ server: 'web-1', to: 'reachable' }]);
  // One at once, then one every ten seconds.
  expect(kept.map(({ ok }) => (ok ? '+' : '-')).join('')).toBe(
    `+${'+'.repeat(6)}${'-'.repeat(6)}${'+'.repeat(6)}`,
  );
});

it('records nothing after a take-over while the probes agree with the record', async () => {
  const { shift, recorded, answering } = world();
  const since = '2026-11-20T11:00:00.000Z';
  shift.listed({ server: server('up', { health: { state: 'reachable', since } }), rule }, true);
  shift.listed({ server: server('down', { health: { state: 'unreachable', since } }), rule }, true);
  answering(({ id }) => (id === 'up' ? fine : refused));
  await pass(60);
  expect(recorded).toEqual([]);
});

it('retries if the log did not accept the record', async () => {
  const { shift, recorded, faults, breakLog } = world();
  breakLog(true);
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(15);
  expect(recorded).toEqual([]);
  expect(faults.length).toBeGreaterThan(0);
  breakLog(false);
  await pass(10);
  expect(recorded).toEqual([{ server: 'web-1', to: 'reachable' }]);
});

it('never probes a server twice at once, and does not neglect the others', async () => {
  const { shift, probed, answering } = world();
  const never = new Promise<Outcome>(() => undefined);
  answering(({ id }) => (id === 'stuck' ? never : fine));
  shift.listed({ server: server('stuck'), rule }, false);
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(100);
  expect(probed.filter((id) => id === 'stuck')).toHaveLength(1);
  expect(probed.filter((id) => id === 'web-1').length).toBeGreaterThanOrEqual(10);
});

it('draws no conclusion about a server whose sessions are all in use', async () => {
  const { shift, recorded, kept, answering } = world();
  answering(() => undefined);
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(60);
  expect([recorded, kept]).toEqual([[], []]);
});

it('does not connect while the host key is refused, and says once why', async () => {
  const { shift, probed, recorded } = world();
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(15);
  const before = probed.length;
  const refusedHostKey = {
    algorithm: 'ssh-ed25519',
    fingerprint: 'SHA256:other',
    at: '2026-11-20T12:00:00Z',
  };
  for (let time = 0; time < 2; time += 1) {
    shift.listed({ server: server('web-1', { refusedHostKey }), rule }, false);
    await pass(1);
  }
  await pass(60);
  expect(probed).toHaveLength(before);
  expect(recorded.slice(1)).toEqual([
    {
      server: 'web-1',
      to: 'unreachable',
      code: 'hostKeyChanged',
      reason: expect.stringMatching(/expected SHA256:host, got SHA256:other/) as string,
    },
  ]);
  // An administrator accepts the new key.
  const hostKey = { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:other', since: '2026-11-20T12:01:00Z' };
  const health = { state: 'unreachable', since: '2026-11-20T12:00:30Z' } as const;
  shift.listed({ server: server('web-1', { hostKey, health, position: '90' }), rule }, false);
  await pass(1);
  expect(recorded.slice(2)).toEqual([{ server: 'web-1', to: 'reachable' }]);
});

it('reports a changed host key at the first look', async () => {
  const { shift, recorded, answering } = world();
  const reason = "The server's host key has changed.";
  answering(() => ({ ok: false, tookMs: 5, figures: {}, code: 'hostKeyChanged', reason }));
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(1);
  expect(recorded).toEqual([{ server: 'web-1', to: 'unreachable', code: 'hostKeyChanged', reason }]);
});

it('starts again after a server has moved, even in the middle of a probe', async () => {
  const { shift, probed, recorded, kept, answering } = world();
  let end: (outcome: Outcome) => void = () => undefined;
  answering(() => new Promise((resolve) => (end = resolve)));
  shift.listed({ server: server('web-1'), rule: { ...rule, everySeconds: 3600 } }, false);
  await pass(1);
  answering(() => fine);
  shift.listed(
    { server: server('web-1', { host: '192.0.2.2' }), rule: { ...rule, everySeconds: 3600 } },
    false,
  );
  await pass(1);
  expect(probed).toHaveLength(1);
  end(refused);
  await pass(1);
  expect(probed).toHaveLength(2);
  expect(kept.map(({ ok }) => ok)).toEqual([true]);
  expect(recorded).toEqual([{ server: 'web-1', to: 'reachable' }]);
});

it('applies a new interval at once', async () => {
  const { shift, probed } = world();
  shift.listed({ server: server('web-1'), rule: { ...rule, everySeconds: 3600 } }, false);
  await pass(60);
  expect(probed).toHaveLength(1);
  shift.listed({ server: server('web-1'), rule: { ...rule, everySeconds: 5 } }, false);
  await pass(60);
  expect(probed.length).toBeGreaterThanOrEqual(12);
});

it('leaves a removed server alone, even one that is being probed', async () => {
  const { shift, probed, recorded, kept, answering } = world();
  let end: (outcome: Outcome) => void = () => undefined;
  answering(() => new Promise((resolve) => (end = resolve)));
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(1);
  shift.removed(['web-1']);
  end(fine);
  await pass(60);
  expect([probed.length, recorded, kept]).toEqual([1, [], []]);
});

it('ends together with its running probes', async () => {
  const { shift, probed, recorded, kept, answering, faults } = world();
  let end: (outcome: Outcome) => void = () => undefined;
  answering(() => new Promise((resolve) => (end = resolve)));
  shift.listed({ server: server('web-1'), rule }, false);
  await pass(1);
  const stopped = shift.stop();
  end(fine);
  await stopped;
  await pass(60);
  expect([probed.length, recorded, kept, faults]).toEqual([1, [], [], []]);
});
