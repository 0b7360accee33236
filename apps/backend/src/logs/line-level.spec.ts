import { levelOf, levelOfAccess } from './line-level';
import { minutesOf, timeOf } from './line-time';

test.each([
  ['{"level":"warn","msg":"x"}', 'warning'],
  ['{"level":50,"msg":"x"}', 'error'],
  ['{"severity":"DEBUG"}', 'debug'],
  ['{"msg":"no level"}', 'none'],
  ['{not json, ERROR', 'error'],
  ['2026-11-30T20:45:20Z ERROR: could not', 'error'],
  ['ERROR: could not', 'error'],
  ['warning: deprecated', 'warning'],
  ['time="2026-11-30" level=info msg="started"', 'info'],
  ['2026/11/30 20:45:20 [crit] 7#7: *1 open() failed', 'error'],
  ['\u{1b}[33mWARN\u{1b}[0m slow', 'warning'],
  ['E1130 20:45:20.123456 1 main.go:1] lost', 'error'],
  ['no errors were found', 'none'],
  ['the information desk', 'none'],
  ['', 'none'],
])('%s is %s', (text, level) => {
  expect(levelOf(text)).toBe(level);
});

test.each([
  ['"GET /error HTTP/1.1" 200 12 "-"', 'info'],
  ['"GET / HTTP/1.1" 404 12 "-"', 'warning'],
  ['"-" 400 0 "-"', 'warning'],
  ['"GET / HTTP/1.1" 503 - "-"', 'error'],
])('of a request, %s is %s', (text, level) => {
  expect(levelOfAccess(text)).toBe(level);
});

test.each([
  ['192.0.2.1 - - [30/Nov/2026:20:45:20 +0100] "GET /"', 0, '2026-11-30T19:45:20.000Z'],
  ['2026/11/30 20:45:20 [error]', 60, '2026-11-30T19:45:20.000Z'],
  ['2026-11-30 20:45:20,123+01:00 x', 0, '2026-11-30T19:45:20.123Z'],
  ['[2026-11-30T20:45:20Z] x', 0, '2026-11-30T20:45:20.000Z'],
  ['at 20:45', 0, undefined],
])('%s was written at its time', (text, zone, at) => {
  expect(timeOf(text, zone)).toBe(at);
});

test('a time zone is a number of minutes', () => {
  expect(['+0530', '-0200', 'nonsense'].map(minutesOf)).toEqual([330, -120, 0]);
});
