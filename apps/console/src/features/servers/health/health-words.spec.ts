/** covers: SRV-16 */
import type { HealthHistory } from '@quarterdeck/projections';
import { dockerWords, measuresOf, nginxWords, noOutageInWords, uptimeInWords } from './health-words';

const GIB = 1024 ** 3;
const fine = {
  load1: 1.5,
  cores: 2,
  memoryTotal: 8 * 1024 ** 3,
  memoryAvailable: 6 * 1024 ** 3,
  diskTotal: 100 * 1024 ** 3,
  diskAvailable: 50 * 1024 ** 3,
};
const warnings = (more: object) =>
  Object.fromEntries(measuresOf({ ...fine, ...more }).map(({ id, warning }) => [id, warning?.word]));

test('measures show the total they are a part of', () => {
  expect(measuresOf(fine).map(({ value, detail }) => [value, detail])).toEqual([
    ['1.50', 'over 1 min on 2 cores'],
    ['25 %', '2 GiB of 8 GiB'],
    ['50 %', '50 GiB of 100 GiB'],
  ]);
  expect(measuresOf({ ...fine, cores: 1 })[0]?.detail).toBe('over 1 min on 1 core');
});

test('disk usage is the percentage that df prints, even with reserved space', () => {
  // A quarter of 100 GiB is reserved; df says 26 % used.
  const reserved = { diskTotal: 100 * GIB, diskUsed: 19.2 * GIB, diskAvailable: 55.8 * GIB };
  expect(measuresOf(reserved)).toMatchObject([{ value: '26 %', detail: '19.2 GiB of 75 GiB' }]);
  // Rounds up like df, but 7 of 100 is exactly 7 %.
  expect(measuresOf({ diskTotal: 100, diskUsed: 7, diskAvailable: 93 })).toMatchObject([{ value: '7 %' }]);
  const almost = { diskTotal: 100 * GIB, diskUsed: 68 * GIB, diskAvailable: 7 * GIB };
  expect(measuresOf(almost)).toMatchObject([{ value: '91 %', warning: { word: 'almost full' } }]);
});

test('shows disk usage for a sample recorded without the used space', () => {
  expect(measuresOf({ diskTotal: 100 * GIB, diskAvailable: 74 * GIB })).toMatchObject([
    { value: '26 %', detail: '26 GiB of 100 GiB' },
  ]);
});

test('warns above 90 % of memory or disk and above a load of twice the cores', () => {
  expect(warnings({})).toEqual({ load: undefined, memory: undefined, disk: undefined });
  const full = { memoryAvailable: 0.1 * fine.memoryTotal, diskAvailable: 0.1 * fine.diskTotal, load1: 4 };
  expect(warnings(full)).toEqual({ load: undefined, memory: undefined, disk: undefined });
  const fuller = { memoryAvailable: 0.09 * fine.memoryTotal, diskAvailable: 0, load1: 4.01 };
  expect(warnings(fuller)).toEqual({ load: 'overloaded', memory: 'almost full', disk: 'almost full' });
});

test('omits figures that a server does not send and caps bars at 100 %', () => {
  expect(measuresOf({})).toEqual([]);
  expect(measuresOf({ memoryTotal: 0, memoryAvailable: 0, diskTotal: 5 })).toEqual([]);
  expect(measuresOf({ load1: 99 })).toMatchObject([{ part: 1, value: '99.0', detail: 'over 1 min' }]);
  expect(measuresOf({ load1: 99 })[0]).not.toHaveProperty('warning');
});

test('formats uptimes for people', () => {
  expect([59, 3600, 90_000, 100 * 86_400].map(uptimeInWords)).toEqual([
    '0 min',
    '1 h 0 min',
    '1 d 1 h',
    '100 d 0 h',
  ]);
});

test('describes the state of services', () => {
  expect(dockerWords({ docker: 'running', containers: 1 })?.words).toBe('running, 1 container');
  expect(dockerWords({ docker: 'running' })?.words).toBe('running');
  expect(dockerWords({ docker: 'silent' })).toEqual({ tone: 'bad', words: 'does not answer' });
  expect(nginxWords({ nginx: 'absent' })?.words).toBe('not installed');
  expect([dockerWords({}), nginxWords({})]).toEqual([undefined, undefined]);
});

test('claims "no outage" only for time that was checked', () => {
  const hour = 3_600_000;
  const to = Date.parse('2026-11-20T12:00:00.000Z');
  const instant = (ms: number): string => new Date(ms).toISOString();
  const checkedFor = (minutes: readonly number[]): HealthHistory => ({
    id: 's',
    from: instant(to - 168 * hour),
    to: instant(to),
    gapSeconds: 6000,
    points: minutes.map((minute) => ({ at: instant(to - minute * 60_000), samples: 2, failed: 0 })),
    unreachable: [],
  });
  const said = (minutes: readonly number[]) => noOutageInWords(checkedFor(minutes), 'the last 7 days');
  expect(said([60, 40, 0])).toBe('no outage while it was checked: 1 h 0 min of the last 7 days');
  expect(said(Array.from({ length: 168 }, (_, at) => (167 - at) * 60))).toBe('no outage in the last 7 days');
  // The gaps between these checks do not count.
  expect(said([4000, 3940, 60])).toBe('no outage while it was checked: 2 h 0 min of the last 7 days');
  expect(said([4000])).toBe('no outage in its 2 checks, too few to speak for the last 7 days');
});
