// covers: NOTIF-01
import { edgesOf, endOf, phaseAt, refusedEnd, refusedStart, startOf } from './notification-times';

const at = (iso: string): number => Date.parse(iso);

test.each([
  ['2026-12-24', '2026-12-24T00:00:00.000Z', '2026-12-25T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ['2026-12-24T18:00Z', '2026-12-24T18:00:00.000Z', '2026-12-24T18:00:00.000Z'],
  ['2026-12-24T18:00:30.5+01:00', '2026-12-24T17:00:30.500Z', '2026-12-24T17:00:30.500Z'],
  ['2026-12-24T18:00-03:30', '2026-12-24T21:30:00.000Z', '2026-12-24T21:30:00.000Z'],
])('%s starts at %s and ends at %s', (text, start, end) => {
  expect([startOf(text), endOf(text)]).toEqual([at(start), at(end)]);
});

test.each([
  'tomorrow',
  '24.12.2026',
  '2026-02-29',
  '2026-13-01',
  '2026-12-24T18:00',
  '2026-12-24 18:00Z',
  '2026-12-24T24:00Z',
  '2026-12-24T18:60Z',
  '2026-12-24T18:00+24:00',
  '2026-12-24T18:00Z ',
])('%j is refused, with an example of what is expected', (text) => {
  expect(startOf(text)).toBeUndefined();
  for (const message of [refusedStart(text), refusedEnd(text, '')])
    expect(message).toMatch(/2026-12-24T18:00Z, is expected/);
});

test.each([
  ['2026-12-24', '2026-12-24', undefined],
  ['2026-12-24T18:00Z', '2026-12-24', undefined],
  ['2026-12-24T18:00Z', '2026-12-24T18:00:00.001Z', undefined],
  ['', '2026-12-24', undefined],
  // Wrong for another reason, which is said at the start.
  ['tomorrow', '2026-12-24', undefined],
  ['2026-12-24T18:00Z', '2026-12-24T18:00Z', 'ends before'],
  ['2026-12-24T18:00Z', '2026-12-24T19:00+02:00', 'ends before'],
  ['2026-12-25', '2026-12-24', 'ends before'],
])('from %j until %j is refused as: %j', (start, end, refused) => {
  const message = refusedEnd(end, start);
  expect(message !== undefined).toBe(refused !== undefined);
});

describe('a notification is', () => {
  const window = { dateStart: '2026-12-24T18:00Z', dateEnd: '2026-12-26' };
  test.each([
    ['2026-12-24T17:59:59.999Z', 'upcoming'],
    ['2026-12-24T18:00:00.000Z', 'due'],
    ['2026-12-26T23:59:59.999Z', 'due'],
    ['2026-12-27T00:00:00.000Z', 'over'],
  ])('at %s %s', (time, phase) => {
    expect(phaseAt(window, at(time))).toBe(phase);
  });

  test('always due without start and end', () => {
    expect(phaseAt({ dateStart: '', dateEnd: '' }, 0)).toBe('due');
  });
});

test('the edges of several windows are each time once, in their order', () => {
  const windows = [
    { dateStart: '2026-12-27', dateEnd: '' },
    { dateStart: '2026-12-24T18:00Z', dateEnd: '2026-12-26' },
  ];
  expect(edgesOf(windows).map((edge) => new Date(edge).toISOString())).toEqual([
    '2026-12-24T18:00:00.000Z',
    '2026-12-27T00:00:00.000Z',
  ]);
});
