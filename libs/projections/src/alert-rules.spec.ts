// covers: OPS-01
import { alertCauses, causeWords, causeInWords } from '@quarterdeck/events';
import { dueOf, isCovered, momentsOf } from './alert-rules';
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
