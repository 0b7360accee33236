import { failureOf } from './postgres-server-failure';

const at = '2026-11-23 02:00:00.000 UTC [7]';
const roomy = 1e9;

test.each([
  ['full', `${at} FATAL:  could not write lock file "postmaster.pid": No space left on device`, roomy],
  ['full', `${at} PANIC:  could not write to file "pg_wal/xlogtemp.7": No space left on device`, roomy],
  // On a full disk Postgres cannot write its own error message either.
  ['full', 'pg_ctl: could not start server', 4096],
  ['full', 'EDQUOT: disk quota exceeded, write', roomy],
  ['damaged', `${at} PANIC:  could not locate a valid checkpoint record at 0/1`, roomy],
  ['damaged', `postgres: could not find the database system\ncould not open file "global/pg_control"`, roomy],
  ['damaged', 'pg_ctl: directory "/d/postgres" does not exist; not a database cluster directory', roomy],
  ['refused', `${at} FATAL:  could not open file "base/1/2": Permission denied`, roomy],
  [
    'refused',
    `${at} FATAL:  database files are incompatible with server\n${at} DETAIL:  The data directory was initialized by PostgreSQL version 17`,
    roomy,
  ],
  ['passing', `${at} FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use`, roomy],
  ['passing', `${at} LOG:  could not bind IPv4 address "127.0.0.1": Address already in use`, roomy],
  ['passing', '', roomy],
])('is %s: %s', (kind, said, freeBytes) => {
  const failure = failureOf({ data: '/d/postgres', log: '/d/postgres/server.log', port: 1, said, freeBytes });
  expect(failure.kind).toBe(kind);
  expect(failure.message).not.toContain('\n');
});

test('a full disk is reported with its folder and what to free', () => {
  const said = 'No space left on device';
  const failure = failureOf({ data: '/d/postgres', log: '/log', port: 1, said, freeBytes: 3 * 1024 * 1024 });
  expect(failure.message).toBe(
    'Postgres did not start: the disk is full: 3 MB are free in /d/postgres; free at least 16 MB there',
  );
});
