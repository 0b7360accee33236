// covers: OPS-01, OPS-05
import { instantOf, instantsOf } from './clocks';

const at = (text: string): number => Date.parse(`${text}Z`);

test.each([
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30', 0],
  ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:30', 0],
  ['Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30', 2],
  ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30', 2],
  ['Asia/Kathmandu', '2026-06-15T12:00', '2026-06-15T06:15', 1],
  ['Pacific/Kiritimati', '2026-06-15T00:30', '2026-06-14T10:30', 1],
])('the clocks of %s show %s first at %s, %i times in all', (zone, local, first, times) => {
  expect(instantOf(zone, at(local))).toBe(at(first));
  expect(instantsOf(zone, at(local))).toHaveLength(times);
});
