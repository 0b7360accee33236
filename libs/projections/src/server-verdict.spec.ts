import { foundOf, type ListAsked } from './listing';
import { serverColumns, worstServersFirst, type ServerRow } from './server-columns';
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
])('%d ms without an answer is shown as %s', (ms, words) => {
  expect(serverVerdict(unreachable, { now: Date.parse(since) + ms }).label).toBe(`unreachable for ${words}`);
});

test('the list is searched by what it shows, and the worst come first', () => {
  const server = (alias: string, more: object = {}) =>
    ({ ...reachable, id: alias, alias, ...more }) as ServerRow;
  const rows = worstServersFirst([
    server('a-1', { newest: fine }),
    server('b-1', unreachable),
    server('c-1', { newest: { ...fine, load1: 9 } }),
    server('d-1', refused),
  ]);
  expect(rows.map(({ alias }) => alias)).toEqual(['b-1', 'd-1', 'c-1', 'a-1']);
  const found = (asked: ListAsked) => foundOf(rows, serverColumns, asked).map(({ alias }) => alias);
  expect(found({ search: 'overloaded' })).toEqual(['c-1']);
  expect(found({ filters: { hostKey: 'changed' } })).toEqual(['d-1']);
  expect(found({ sort: '-alias' })).toEqual(['d-1', 'c-1', 'b-1', 'a-1']);
});
