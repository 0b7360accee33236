/** What stops a start at the event log, tested with servers that really use TLS and gRPC, or do not. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '@quarterdeck/events/store';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, status, type ServerWritableStream } from '@grpc/grpc-js';
import { Cluster } from '../../../../../../testing/eventstoredb/cluster';
import { startEventStoreDb, type EventStoreDbServer } from '../../../../../../testing/eventstoredb/server';
import { freePort } from '../../../../../../testing/free-port';
import { testAuthority } from '../../../../../../testing/test-authority';
import { openEventLog } from './event-log';
import { StartProblem } from '../../start-problem';

const opened = async (url: string, waitMs = 0, tell: (line: string) => void = () => undefined) => {
  const store = await openEventLog(url, {}, { waitMs, tell });
  const head = await store.head();
  await store.close();
  return head;
};

const problemAt = async (url: string): Promise<StartProblem> => {
  const error: unknown = await opened(url).catch((caught: unknown) => caught);
  if (!(error instanceof StartProblem)) throw new Error(`it was opened: ${String(error)}`);
  expect(error.message).not.toMatch(/\n|canary/);
  return error;
};

const portIn = (url: string): number => Number(/:(\d+)\?/.exec(url)?.[1]);

/** Answers every read with the given status. */
const startRefusing = async (code: status, tls?: { cert: string; key: string }) => {
  const server = new Server();
  const refuse = (call: ServerWritableStream<unknown, unknown>) =>
    call.emit('error', { code, details: 'refused by the test' });
  server.addService(streamsService.StreamsService, { read: refuse } as never);
  const credentials = tls
    ? ServerCredentials.createSsl(null, [
        { cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) },
      ])
    : ServerCredentials.createInsecure();
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
  );
  return { port, stop: () => server.forceShutdown() };
};

describe('the event log', () => {
  let folder: string;
  let log: EventStoreDbServer;
  let port: number;
  let secured: Cluster;
  let misnamed: EventStoreDbServer;
  let refusing: Awaited<ReturnType<typeof startRefusing>>[];
  let stranger: TcpServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quarterdeck-event-log-'));
    const authority = await testAuthority();
    const lasting = { notBefore: new Date(Date.now() - 1e6), notAfter: new Date(Date.now() + 1e9) };
    const [good, other] = await Promise.all([
      authority.leaf({ names: ['127.0.0.1', 'localhost'], ...lasting }),
      authority.leaf({ names: ['elsewhere.example'], ...lasting }),
    ]);
    writeFileSync(join(folder, 'ca.pem'), authority.root);
    writeFileSync(join(folder, 'empty.pem'), 'no certificate');
    log = await startEventStoreDb();
    port = portIn(log.url);
    secured = new Cluster({ tls: good, credentials: { username: 'admin', password: 'right:canary' } });
    await secured.start();
    misnamed = await startEventStoreDb({ tls: other });
    refusing = await Promise.all([
      startRefusing(status.PERMISSION_DENIED, good),
      startRefusing(status.PERMISSION_DENIED),
    ]);
    stranger = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n').resume());
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    await Promise.all([log.stop(), secured.stop(), misnamed.stop()]);
    for (const server of refusing) server.stop();
    await new Promise((closed) => stranger.close(closed));
    rmSync(folder, { recursive: true });
  });

  /** The three nodes with TLS, as `user:password@` or without credentials. */
  const securedAs = (who: string, query = ca()): string =>
    secured.url.replace('esdb://', `esdb://${who}`).replace('tls=true', query);
  const ca = (name = 'ca.pem'): string => `tlsCaFile=${encodeURIComponent(join(folder, name))}`;

  it('is opened by every address that leads to it', async () => {
    expect(await opened(`esdb://127.0.0.1:${port}?tls=false`)).toBe('0');
    expect(await opened(`kurrentdb://127.0.0.1:${port}/?tls=false`)).toBe('0');
    expect(await opened(`kurrentdb+discover://127.0.0.1:${port}?tls=false`)).toBe('0');
  });

  it('is opened on three nodes with TLS and a password, even if one of them is down', async () => {
    const url = securedAs('admin:right%3Acanary@').replace('esdb', 'kurrentdb');
    expect(await opened(url)).toBe('0');
    await secured.kill((await secured.elected()) === 0 ? 1 : 0);
    expect(await opened(url)).toBe('0');
    expect(await opened(securedAs('admin:right:canary@'))).toBe('0');
  });

  it.each<[string, () => string, RegExp]>([
    [
      'TLS against a server without it',
      () => `esdb://admin:canary@127.0.0.1:${port}`,
      / asks for TLS, which the server does not offer; set tls=false/,
    ],
    [
      'no TLS against a server with it',
      () => securedAs('', 'tls=false'),
      / has tls=false, and the server wants TLS; set tls=true/,
    ],
    [
      'an authority that nobody knows',
      () => securedAs('', 'tls=true'),
      / has a certificate that is not accepted: .*; name its authority in tlsCaFile/,
    ],
    [
      'a certificate for another name',
      () => `esdb://127.0.0.1:${portIn(misnamed.url)}?${ca()}`,
      / has a certificate for other names: .*127\.0\.0\.1 is not in/,
    ],
    [
      'a missing tlsCaFile',
      () => `esdb://127.0.0.1:${port}?${ca('none.pem')}`,
      / names the file \S+none\.pem in tlsCaFile, which cannot be read: ENOENT/,
    ],
    [
      'a tlsCaFile without a certificate',
      () => `esdb://127.0.0.1:${port}?${ca('empty.pem')}`,
      / names the file \S+empty\.pem in tlsCaFile, which holds no certificate/,
    ],
    [
      'wrong credentials',
      () => securedAs('admin:canary@'),
      / is refused: the user or password is wrong; correct them/,
    ],
    [
      'no permission',
      () => `esdb://admin:canary@127.0.0.1:${refusing[0]?.port}?${ca()}`,
      / is refused: the user may not read and write the log; /,
    ],
    ['no credentials', () => securedAs(''), / is refused: the server asks for user and password; give/],
    [
      'credentials that are not sent',
      () => `esdb://admin:canary@127.0.0.1:${refusing[1]?.port}?tls=false`,
      / is refused: without TLS user and password are not sent; set tls=true/,
    ],
    [
      'something that is no EventStoreDB',
      () => `esdb://127.0.0.1:${(stranger.address() as AddressInfo).port}?tls=false`,
      / is answered by something other than EventStoreDB; /,
    ],
  ])('%s: the start ends with one line', async (_what, url, line) => {
    const { message, exitCode } = await problemAt(url());
    expect(message).toMatch(new RegExp(`^EVENT_STORE_URL=esdb://127\\.0\\.0\\.1:\\S+${line.source}`));
    expect(exitCode).toBe(78);
  });

  it('is waited for, with a line per attempt, until it listens', async () => {
    const told: string[] = [];
    await log.halt();
    const opening = opened(log.url, 60_000, (line) => {
      told.push(line);
      if (told.length === 2) void log.resume();
    });
    expect(await opening).toBe('0');
    const line = `waiting for the event log at 127.0.0.1:${port}: it cannot be reached: the connection is refused`;
    expect(told.slice(0, 2)).toEqual([line, line]);
  });

  it('of an earlier version, without a prefix, ends the start with the setting to use', async () => {
    const old = await startEventStoreDb();
    const store = await openEventStore({ url: old.url });
    const id = '0193f0a0-0000-7000-8000-0000000000aa';
    const meta = { id, actor: 'system', workspace: '-', correlationId: id, causationId: id, v: '1' };
    const event = {
      type: 'ServerRenamed',
      data: { alias: 'a' },
      meta: { ...meta, at: '2026-01-01T00:00:00.000Z' },
    };
    await store.append(`server-${id}`, [event], 'no_stream');
    await store.close();
    const opening = openEventLog(
      old.url,
      { prefix: 'quarterdeck.' },
      { waitMs: 60_000, tell: () => undefined },
    );
    await expect(opening).rejects.toMatchObject({
      exitCode: 78,
      message:
        'EVENT_STORE_PREFIX=quarterdeck. finds none of its streams in the event log, but streams of an earlier version without a prefix; set EVENT_STORE_PREFIX=none to go on with them',
    });
    await old.stop();
  });

  it('that stays down ends the start with 69', async () => {
    const closed = await freePort('127.0.0.1');
    const { message, exitCode } = await problemAt(`esdb://admin:canary@127.0.0.1:${closed}?tls=false`);
    expect(message).toBe(
      `EVENT_STORE_URL=esdb://127.0.0.1:${closed}?tls=false cannot be reached: the connection is refused; start the event log, or correct its address`,
    );
    expect(exitCode).toBe(69);
  });

  it('in a separate Postgres counts as the log when it is down', async () => {
    const closed = await freePort('127.0.0.1');
    const { message, exitCode } = await problemAt(`postgres://u:canary@127.0.0.1:${closed}/x`);
    expect(message).toContain(`EVENT_STORE_URL=postgres://127.0.0.1:${closed}/x cannot be reached`);
    expect(exitCode).toBe(69);
  });
});
