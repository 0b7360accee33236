import { serverVerdict, type JudgedServer, type Probed } from './server-verdict';

const since = '2026-11-20T12:00:00.000Z';
const now = Date.parse(since) + 44 * 60_000;
const reachable: JudgedServer = { health: { state: 'reachable', since } };
const unreachable: JudgedServer = { health: { state: 'unreachable', since } };
const fine: Probed = { ok: true, load1: 1, cores: 2, memoryTotal: 100, memoryAvailable: 50 };
const refused = { refusedHostKey: { algorithm: 'ssh-ed25519', fingerprint: 'SHA256:x', at: since } };

test.each<[string, JudgedServer, Probed | undefined, string]>([
  ['healthy', reachable, fine, 'good'],
  ['healthy', reachable, undefined, 'good'],
  ['healthy', reachable, { ...fine, ok: false, load1: 9 }, 'good'],
  ['overloaded', reachable, { ...fine, load1: 4.1 }, 'warn'],
  ['memory almost full', reachable, { ...fine, memoryAvailable: 9 }, 'warn'],
  ['disk almost full', reachable, { ...fine, diskTotal: 100, diskUsed: 91, diskAvailable: 4 }, 'warn'],
  ['unreachable for 44 min', unreachable, fine, 'bad'],
  ['host key changed', { ...unreachable, ...refused }, undefined, 'bad'],
  ['not reached yet', {}, { ok: false }, 'warn'],
  ['not checked yet', {}, undefined, 'quiet'],
])('a server is %s', (label, server, newest, tone) => {
  expect(serverVerdict(server, { now, newest })).toMatchObject({ label, tone });
});

test.each([
  [20_000, 'less than a minute'],
  [59 * 60_000, '59 min'],
  [3 * 3_600_000, '3 h'],
  [72 * 3_600_000, '3 days'],
])('%d ms without an answer are told as %s', (ms, words) => {
  expect(serverVerdict(unreachable, { now: Date.parse(since) + ms }).label).toBe(`unreachable for ${words}`);
});
