// covers: OPS-01
import { alertCauses, causeWords, causeInWords } from '@quarterdeck/events';
import {
  dueOf,
  isCovered,
  maintenanceAt,
  maintenanceTimesOf,
  momentsOf,
  putOffBy,
  tellingOf,
} from './alert-rules';
import { alertView } from './alerts';

const at = (hour: number, minute = 0): string => new Date(Date.UTC(2026, 10, 20, hour, minute)).toISOString();
const now = (hour: number, minute = 0): Date => new Date(at(hour, minute));

test('each cause of an alert has one word, but a test', () => {
  const causes = alertView.shape.about.options.filter((about) => about !== 'test');
  expect(causeWords.map((word) => alertCauses[word]).toSorted()).toEqual(causes.toSorted());
  expect(causeInWords('diskFull')).toBe('disk almost full');
});

describe('what a rule covers', () => {
  const all = { causes: [], leastSeverity: 'notice', servers: [], sites: [], products: [] } as const;
  const disk = { about: 'diskFull', subject: { kind: 'server', id: 's1' }, server: 's1' } as const;
  const site = { about: 'siteDown', subject: { kind: 'domain', id: 'd1' }, server: 's1' } as const;
  const service = {
    about: 'serviceDown',
    subject: { kind: 'service', id: 'v1' },
    server: 's2',
    product: 'p1',
  } as const;

  test.each([
    ['everything', all, [true, true, true]],
    ['causes', { ...all, causes: ['disk almost full'] }, [true, false, false]],
    ['from a severity on', { ...all, leastSeverity: 'critical' }, [false, true, true]],
    ['a server with its sites and services', { ...all, servers: ['s1'] }, [true, true, false]],
    ['a site alone', { ...all, sites: ['d1'] }, [false, true, false]],
    ['a product with its services', { ...all, products: ['p1'] }, [false, false, true]],
    ['a site or a product', { ...all, sites: ['d1'], products: ['p1'] }, [false, true, true]],
    [
      'causes of a server',
      { ...all, causes: ['site not answering'], servers: ['s2'] },
      [false, false, false],
    ],
  ] as const)('%s', (_, rule, covered) => {
    expect([disk, site, service].map((one) => isCovered(rule, one))).toEqual(covered);
  });
});

describe('when a rule tells', () => {
  const once = { holdsMinutes: 15, repeatHours: 0 };
  const again = { holdsMinutes: 0, repeatHours: 4 };

  test('once it has lasted long enough, and not if it ended before', () => {
    expect(momentsOf(once, { since: at(10) }, now(10, 14))).toEqual([]);
    expect(momentsOf(once, { since: at(10) }, now(10, 15))).toEqual([at(10, 15)]);
    expect(momentsOf(once, { since: at(10), until: at(10, 15) }, now(20))).toEqual([]);
    expect(momentsOf(once, { since: at(10), until: at(10, 16) }, now(20))).toEqual([at(10, 15)]);
  });

  test('again and again while it lasts', () => {
    expect(momentsOf(again, { since: at(1), until: at(9) }, now(20))).toEqual([at(1), at(5)]);
    expect(momentsOf(again, { since: at(1) }, now(9))).toEqual([at(1), at(5), at(9)]);
  });

  test('what is due now is the last of these moments, and what was missed is told once', () => {
    expect(dueOf([once], { since: at(10) }, now(10, 5))).toEqual({ next: at(10, 15) });
    expect(dueOf([once], { since: at(10) }, now(10, 20))).toEqual({ due: at(10, 15) });
    expect(dueOf([once], { since: at(10), told: at(10, 15) }, now(20))).toEqual({});
    expect(dueOf([again], { since: at(1) }, now(1))).toEqual({ due: at(1), next: at(5) });
    expect(dueOf([again], { since: at(1), told: at(1) }, now(10))).toEqual({ due: at(9), next: at(13) });
  });

  test('of two rules for one channel the earlier one tells it, and the repetitions of both count', () => {
    expect(dueOf([once, again], { since: at(10) }, now(10, 20))).toEqual({ due: at(10), next: at(14) });
    expect(dueOf([once, again], { since: at(10), told: at(10) }, now(10, 20))).toEqual({ next: at(14) });
  });

  test('at each moment exactly one message is due, whenever somebody looks', () => {
    const told: string[] = [];
    for (let minute = 0; minute <= 24 * 60; minute += 1) {
      const looked = now(1, minute);
      const { due } = dueOf([again], { since: at(1), ...(told.length > 0 && { told: told.at(-1) }) }, looked);
      if (due !== undefined) told.push(due);
    }
    expect(told).toEqual(momentsOf(again, { since: at(1) }, now(25)));
  });
});

describe('maintenance and quiet hours', () => {
  const window = maintenanceTimesOf({
    id: 'm1',
    workspace: 'w1',
    name: 'Updates',
    happens: 'once',
    once: { starts: at(10), ends: at(12) },
    weekly: null,
    servers: ['s1'],
    sites: [],
    products: [],
  });
  const disk = { about: 'diskFull', subject: { kind: 'server', id: 's1' }, server: 's1' } as const;
  const other = { ...disk, subject: { kind: 'server', id: 's2' }, server: 's2' };
  const rule = { holdsMinutes: 0, repeatHours: 1, quietHours: null };
  const during = tellingOf(rule, disk, [window]);

  test('what begins in a window is told at its end, once, if it is still open', () => {
    expect(momentsOf(during, { since: at(10, 30) }, now(11, 59))).toEqual([]);
    expect(momentsOf(during, { since: at(10, 30), until: at(12) }, now(20))).toEqual([]);
    expect(momentsOf(tellingOf(undefined, disk, [window]), { since: at(10, 30) }, now(20))).toEqual([at(12)]);
    expect(maintenanceAt([window], disk, at(10, 30))?.name).toBe('Updates');
    expect(maintenanceAt([window], disk, at(12))).toBeUndefined();
  });

  test('repetitions wait as well, and are one afterwards', () => {
    expect(momentsOf(during, { since: at(8, 30) }, now(13))).toEqual([
      at(8, 30),
      at(9, 30),
      at(12),
      at(12, 30),
    ]);
    expect(dueOf([during], { since: at(8, 30), told: at(9, 30) }, now(11))).toEqual({ next: at(12) });
    expect(dueOf([during], { since: at(8, 30), told: at(9, 30) }, now(12))).toEqual({
      due: at(12),
      next: at(12, 30),
    });
  });

  test('a window is for its servers, sites and products, or for everything', () => {
    expect(momentsOf(tellingOf(undefined, other, [window]), { since: at(10, 30) }, now(20))).toEqual([
      at(10, 30),
    ]);
    expect(maintenanceAt([{ ...window, servers: [] }], other, at(11))?.id).toBe('m1');
    expect(putOffBy([window], disk, Date.parse(at(11)))).toBe(Date.parse(at(12)));
  });

  test.each(['foreignEvents', 'logCut'] as const)('no window puts off %s', (about) => {
    const tampered = { about, subject: { kind: 'console', id: 'c1' } };
    expect(maintenanceAt([{ ...window, servers: [] }], tampered, at(11))).toBeUndefined();
    expect(putOffBy([{ ...window, servers: [] }], tampered, Date.parse(at(11)))).toBe(Date.parse(at(11)));
  });

  test('a delay that ends after the window is not shortened by it', () => {
    const slow = tellingOf({ ...rule, holdsMinutes: 120 }, disk, [window]);
    expect(momentsOf(slow, { since: at(11) }, now(13))).toEqual([at(13)]);
  });

  test('quiet hours put off what is below the most severe', () => {
    const quietHours = { days: [], from: '22:00', until: '07:00', zone: '' };
    const night = { ...rule, repeatHours: 0, quietHours };
    const site = { about: 'siteDown', subject: { kind: 'domain', id: 'd1' }, server: 's1' } as const;
    expect(momentsOf(tellingOf(night, disk, []), { since: at(23) }, now(40))).toEqual([at(31)]);
    expect(momentsOf(tellingOf(night, site, []), { since: at(23) }, now(40))).toEqual([at(23)]);
    expect(dueOf([tellingOf(night, disk, [])], { since: at(23) }, now(24))).toEqual({ next: at(31) });
  });
});
