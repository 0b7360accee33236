import { StoreUnavailable } from '@quarterdeck/log/store';
import { readConfig } from '../../config/config';
import { endOf, named } from './end-of';

const config = readConfig({
  DATABASE_URL: 'postgres://u:canary@db/x',
  EVENT_STORE_URL: 'esdb://u:canary@log:2113',
});
const postgres = (code: string, message: string): Error =>
  Object.assign(new Error(message), { code, severity: 'FATAL' });
const ended = (error: unknown) => endOf(named(error, config));

test('a database without a free connection is reported', () => {
  expect(ended(postgres('53300', 'sorry, too many clients already'))).toEqual({
    line: 'DATABASE_URL=postgres://db/x accepts no more connections: sorry, too many clients already; raise max_connections there',
    exitCode: 69,
  });
});

test('a log that can be read but not written is reported', () => {
  const denied = Object.assign(new Error('7 PERMISSION_DENIED'), { code: 7, type: 'access-denied' });
  expect(ended(denied)).toMatchObject({
    line: expect.stringMatching(
      /^EVENT_STORE_URL=esdb:\/\/log:2113 is refused: the user may not read and write the log/,
    ),
    exitCode: 78,
  });
});

test('an unreachable log is reported, and the database if it contains the log', () => {
  const lost = new StoreUnavailable(Object.assign(new Error('14 UNAVAILABLE'), { code: 14 }));
  expect(ended(lost)).toMatchObject({ line: expect.stringMatching(/^EVENT_STORE_URL=/), exitCode: 69 });
  const both = readConfig({ DATABASE_URL: 'postgres://u:canary@db/x' });
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  expect(endOf(named(new StoreUnavailable(refused), both))).toMatchObject({
    line: expect.stringMatching(/^DATABASE_URL=postgres:\/\/db\/x cannot be reached/),
  });
});

test.each([
  [new TypeError('ours')],
  [Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
  [postgres('42601', 'syntax error')],
])('%p keeps its stack', (error) => {
  expect(ended(error)).toEqual({ line: error.stack, exitCode: 1 });
});
