/** What stops a start at the database, tested with a real Postgres wherever it reports the problem itself. */
import { createServer, type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { freePort } from '../../../../../../testing/free-port';
import { startTestPostgres, type TestPostgres } from '../../../../../../testing/postgres';
import { readConfig } from '../../config/config';
import { createLogger } from '../../logging';
import { openDatabase } from '../resources';
import { databaseObstacle } from './database-obstacles';
import { StartProblem } from '../../start-problem';
import { tables } from '../../../tables';

const problemAt = async (url: string): Promise<StartProblem> => {
  const config = readConfig({ DATABASE_URL: url, START_WAIT_SECONDS: '0' });
  const error: unknown = await openDatabase({ config, logger: createLogger('silent'), tables }).then(
    ({ close }) => close(),
    (caught: unknown) => caught,
  );
  if (!(error instanceof StartProblem)) throw error;
  expect(error.message).not.toContain('\n');
  expect(error.message).not.toContain('canary');
  return error;
};

describe('a database', () => {
  let postgres: TestPostgres;
  let server: URL;
  const at = (change: (url: URL) => void): string => {
    const url = new URL(server);
    change(url);
    return url.href;
  };

  beforeAll(async () => {
    postgres = await startTestPostgres();
    server = new URL(postgres.url);
    const client = new Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`do $$ begin create role quarterdeck_guest login password 'canary';
      exception when duplicate_object then null; end $$`);
    await client.end();
  });
  afterAll(() => postgres.stop());

  it.each<[string, (url: URL) => void, RegExp]>([
    [
      'a wrong password',
      (url) => (url.password = 'canary'),
      / is refused: password auth.*; correct user and pass/,
    ],
    [
      'an unknown user',
      (url) => (url.username = 'nobody'),
      / is refused: password authentication failed for user/,
    ],
    [
      'a missing database',
      (url) => (url.pathname = '/none'),
      / is refused: database "none" does not exist; create/,
    ],
    [
      'a user without rights',
      (url) => Object.assign(url, { username: 'quarterdeck_guest', password: 'canary' }),
      / is refused: permission denied for database .*; let the user create schemas/,
    ],
    [
      'TLS that it has not',
      (url) => (url.search = '?sslmode=require'),
      / asks for TLS, which the server does not offer; /,
    ],
    [
      'an authority in a file that is missing',
      (url) => (url.search = '?sslmode=verify-full&sslrootcert=/no/such.pem'),
      / names the file \/no\/such\.pem, which cannot be read: ENOENT; /,
    ],
  ])('is reported with %s at once, in one line', async (_what, change, line) => {
    const problem = await problemAt(at(change));
    expect(problem.message).toMatch(
      new RegExp(`^DATABASE_URL=postgres://127\\.0\\.0\\.1:${server.port}/\\S*${line.source}`),
    );
    expect(problem.exitCode).toBe(78);
    expect(databaseObstacle(problem.cause)?.waits).toBe(false);
  });
});

it('is waited for while its port is closed, and its address counts as wrong in the end', async () => {
  const problem = await problemAt(`postgres://u:canary@127.0.0.1:${await freePort('127.0.0.1')}/x`);
  expect(problem.message).toMatch(
    / cannot be reached: the connection is refused; start Postgres there, or correct/,
  );
  expect(problem.exitCode).toBe(78);
  expect(databaseObstacle(problem.cause)?.waits).toBe(true);
});

it('is also waited for if it closes connections without a message', async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const problem = await problemAt(`postgres://u:canary@127.0.0.1:${port}/x`);
  expect(problem.message).toContain('cannot be reached: the connection is closed without an answer');
  expect(databaseObstacle(problem.cause)?.waits).toBe(true);
  await new Promise((closed) => server.close(closed));
});

test.each([
  [{ message: 'timeout exceeded when trying to connect' }, true, 78, 'there is no answer'],
  [{ message: 'SASL: client password must be a string' }, false, 78, 'has no password'],
  [{ code: 'ENOTFOUND', message: 'getaddrinfo' }, false, 78, 'there is no host with that name'],
  [{ code: 'EAI_AGAIN', message: 'getaddrinfo' }, true, 78, 'cannot be looked up now'],
  [{ code: '57P03', message: 'the database system is starting up' }, true, 69, 'is not ready yet'],
  [{ code: '57P01', message: 'terminating connection' }, true, 69, 'is being shut down'],
  [{ code: '53300', message: 'sorry, too many clients already' }, true, 69, 'accepts no more connections'],
  [
    { code: 'SELF_SIGNED_CERT_IN_CHAIN', message: 'self-signed' },
    false,
    78,
    'a certificate that is not accepted',
  ],
])('%j: waits %s, ends with %i', (error, waits, exitCode, wrong) => {
  const obstacle = databaseObstacle(error);
  expect(obstacle).toMatchObject({ waits, exitCode });
  expect(obstacle?.wrong).toContain(wrong);
});

test('says which right the setting of the log needs since Postgres 15', () => {
  const message = 'permission denied to set parameter "log.appending"';
  expect(databaseObstacle({ code: '42501', message })?.remedy).toContain(
    'GRANT SET ON PARAMETER "log.appending"',
  );
});

test.each([[{ code: '42601', message: 'syntax error' }], [new TypeError('ours')], ['text'], [undefined]])(
  '%p is an unforeseen error',
  (error) => {
    expect(databaseObstacle(error)).toBeUndefined();
  },
);
