/**
 * Peers that answer without end. Every conversation of the console with something outside has limits of bytes, pages
 * and time, in one place per protocol, and ends with an error that says which one was reached.
 */
// covers: BAK-01, DOM-09, SRV-03
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Bucket } from '../../apps/backend/src/backups/targets/bucket';
import { RenewalInfoClient } from '../../apps/backend/src/certificates/renewal-info';
import { pullPackage } from '../../apps/backend/src/package-pulls/pull-package';
import { refreshToken } from '../../apps/backend/src/cloud/digitalocean-oauth';
import { digitalOcean } from '../../apps/backend/src/cloud/digitalocean-provider';
import { DigitalOcean } from '../../apps/backend/src/dns/digitalocean';
import { exchange } from '../../apps/backend/src/dns/message-exchange';
import { callOut, fetchThrough, Outbound } from '../../apps/backend/src/platform/outbound';
import { checkTls } from '../../apps/backend/src/platform/tls';
import { handOver } from '../../apps/backend/src/mails/mail-sending';
import { findPackage } from '../../apps/backend/src/deploys/npm-packages';
import { openForwarding } from '../../apps/backend/src/served/database-forwarding';
import { SourceHost } from '../../apps/backend/src/repositories';
import { MAX_BODY_BYTES, timedCall } from '../../apps/backend/src/requests/timed-call';
import { startHostileHttp, type HostileHttp, type Way } from '../../testing/hostile-http';
import { until } from '../../testing/patience';
import { startSshd, type Sshd } from '../../testing/sshd';
import { poolThatSees, rejection, targetOf } from '../ssh/targets';
import { fault } from './fault';

const MB = 1_048_576;
/** What the network takes on the way, on both sides. */
const SLACK = 16 * MB;
/** Applies where the way to end is time; the others end long before. */
const TIME_MS = 400;
const LONG_MS = 600_000;

let peer: HostileHttp;
let sshd: Sshd;
const outbound = new Outbound(['127.0.0.1']);

beforeAll(async () => {
  [peer, sshd] = await Promise.all([startHostileHttp(), startSshd()]);
});
afterAll(async () => {
  await peer?.stop();
  await sshd?.stop();
});

interface Conversation {
  /** Limit of one answer. */
  maxBytes: number;
  /** Default: all ways but pages. */
  ways?: Way[];
  talk(ms: number): Promise<unknown>;
}

const bucket = (ms: number): Bucket =>
  new Bucket(
    {
      endpoint: peer.url,
      region: 'eu-test-1',
      bucket: 'backups',
      pathStyle: true,
      accessKeyId: 'AKIATEST',
      secretAccessKey: 'secret',
    },
    outbound,
    { answerMs: ms, idleMs: ms, attempts: 1 },
  );
const drained = async (stream: AsyncIterable<Buffer>): Promise<void> => {
  for await (const _ of stream);
};
const source = async (ms: number) => {
  const config = { GITHUB_API_URL: peer.url, GITHUB_URL: peer.url };
  const host = new SourceHost(config as never, { token: () => Promise.resolve('token') } as never, outbound);
  host.patience.callMs = ms;
  return host.as({ actor: 'ada', workspace: 'main' } as never);
};
/** As a result, the failures that these report instead of throwing. */
const thrown = async (result: Promise<{ reason?: string }>): Promise<never> => {
  throw new Error((await result).reason);
};

const STREAMED: Way[] = ['body', 'headers', 'drip', 'drippedHeaders'];
const ALL: Way[] = [...STREAMED, 'bomb'];
const S3_PAGE = (call: number): string =>
  `<ListBucketResult><NextContinuationToken>${call}</NextContinuationToken></ListBucketResult>`;
const CLOUD_PAGE = (call: number): string =>
  JSON.stringify({ droplets: [], links: { pages: { next: `${peer.url}/?page=${call + 1}` } } });
const DNS_PAGE = (call: number): string =>
  JSON.stringify({ domain_records: [], links: { pages: { next: `${peer.url}/?page=${call + 1}` } } });

const conversations: Record<string, Conversation> = {
  'an alert receiver': {
    maxBytes: 64_000,
    // Its answer is not read as JSON.
    ways: STREAMED,
    talk: (ms) =>
      callOut(outbound, { url: peer.url, method: 'POST', body: '{}', maxBytes: 64_000, timeoutMs: ms }),
  },
  'a saved outbound call': {
    maxBytes: MB,
    talk: (ms) => thrown(pullPackage(outbound, peer.url, { timeoutMs: ms }) as Promise<{ reason?: string }>),
  },
  'a package registry': {
    maxBytes: 32 * MB,
    talk: (ms) =>
      findPackage('shop@1.0.0', { url: peer.url, outbound, token: 't', signal: AbortSignal.timeout(ms) }),
  },
  'the source host': {
    maxBytes: 32 * MB,
    talk: async (ms) => (await source(ms)).call({ what: 'the limit' }, (rest) => rest.rateLimit.get()),
  },
  'a sign-in provider': {
    maxBytes: MB,
    ways: STREAMED,
    talk: (ms) =>
      fetchThrough(outbound, peer.url)(peer.url, {
        method: 'GET',
        headers: {},
        signal: AbortSignal.timeout(ms),
      } as never),
  },
  // Its answer is cut, and shown as that.
  'a saved request': {
    maxBytes: MAX_BODY_BYTES,
    talk: async (ms) => {
      const url = new URL(peer.url);
      const target = await outbound.reach({ host: url.hostname, port: Number(url.port) });
      const call = { method: 'GET', url, headers: [] };
      const { cut } = await timedCall(call, target, { dnsMs: 0, signal: AbortSignal.timeout(ms) });
      throw new Error(`cut: ${cut}`);
    },
  },
  'an ACME authority': {
    maxBytes: MB,
    talk: (ms) =>
      thrown(
        new RenewalInfoClient({ directoryUrl: peer.url, outbound, timeoutMs: ms }).infoFor('a.b') as Promise<{
          reason?: string;
        }>,
      ),
  },
  'a DNS provider': {
    maxBytes: MB,
    ways: [...STREAMED, 'bomb', { page: DNS_PAGE }],
    talk: (ms) =>
      new DigitalOcean('example.org', 't', { url: peer.url, outbound, timeoutMs: ms }).list('a.example.org'),
  },
  'a cloud provider': {
    maxBytes: 8 * MB,
    ways: [...STREAMED, 'bomb', { page: CLOUD_PAGE }],
    talk: (ms) => digitalOcean('t', { url: peer.url, outbound, timeoutMs: ms }).machines(),
  },
  'a cloud provider that gives a token': {
    maxBytes: MB,
    ways: STREAMED,
    talk: (ms) =>
      refreshToken({ url: peer.url, clientId: 'a', clientSecret: 'b', outbound, timeoutMs: ms }, 'c'),
  },
  'a bucket that lists': {
    maxBytes: 4 * MB,
    ways: [...STREAMED, 'bomb', { page: S3_PAGE }],
    talk: (ms) => bucket(ms).list('console/'),
  },
  'a bucket that gives the beginning of an archive': {
    maxBytes: 4 * MB,
    ways: STREAMED,
    // What follows is not read.
    talk: async (ms) => {
      const { bytes } = await bucket(ms).begin('console/a.backup', 16_384);
      throw new Error(`${bytes.length} bytes were enough`);
    },
  },
  'a bucket that gives an archive': {
    maxBytes: MB,
    ways: STREAMED,
    talk: async (ms) => drained(await bucket(ms).open('console/a.backup', 1_000)),
  },
};

const nameOf = (way: Way): string => (typeof way === 'object' ? 'pages' : way);
const ENDED =
  /bytes|within|without end|headers of more|Header overflow|cancelled|not where they begin|not as S3 does|sent nothing for|cut: (tooLarge|ended|late)|HEADER_OVERFLOW|ABORT_ERR|JSON|list of (records|objects)|unexpected content|a form that this console does not understand/;

fault({
  fault: 'peers over HTTP that send bodies, headers, pages or single bytes without end, or a bomb of gzip',
  must: 'each is ended with a sentence, and little more than the limit was read',
  share: 0.1,
  trial: async () => {
    let ended = 0;
    for (const [name, { maxBytes, talk, ways = ALL }] of Object.entries(conversations))
      for (const way of ways) {
        Object.assign(peer, { way, sent: 0 });
        const isSlow = way === 'drip' || way === 'drippedHeaders';
        const why = await talk(isSlow ? TIME_MS : LONG_MS).then(
          () => 'it did not end with an error',
          (error: Error) => error.message,
        );
        expect([name, nameOf(way), why]).toEqual([name, nameOf(way), expect.stringMatching(ENDED)]);
        expect([name, nameOf(way), peer.sent < maxBytes + SLACK]).toEqual([name, nameOf(way), true]);
        ended += 1;
      }
    return `${ended} endless answers`;
  },
});

interface Blurting {
  port: number;
  /** Bytes that the network has taken. */
  sent(): number;
  /** Connections. */
  open(): number;
  stop(): void;
}

/** A server that sends the same bytes for ever, without waiting for anything. */
const blurting = async (piece: Buffer, everyMs: number): Promise<Blurting> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const more = (): void => {
      if (everyMs > 0) socket.write(piece);
      else while (!socket.destroyed && socket.write(piece));
    };
    const timer = everyMs > 0 ? setInterval(more, everyMs) : undefined;
    socket.on('drain', () => everyMs === 0 && more());
    socket.on('close', () => {
      clearInterval(timer);
      sockets.delete(socket);
    });
    socket.resume();
    more();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  const sent = (): number =>
    [...sockets].reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0);
  return { port: (server.address() as AddressInfo).port, sent, open: () => sockets.size, stop };
};

fault({
  fault: 'servers over SSH, TLS, SMTP and DNS that send without end',
  must: 'each is ended with a sentence',
  share: 0.1,
  trial: async () => {
    const { pool } = poolThatSees({ readyTimeoutMs: LONG_MS });
    const target = await targetOf(sshd);
    let heard = 0;
    const onBytes = (_: unknown, bytes: Buffer): void => void (heard += bytes.length);
    const command = { script: 'exec yes', args: [], timeoutMs: LONG_MS, maxBytes: MB, onBytes };
    const printed = (await rejection(pool.exec(target, command))) as Error;
    expect(printed).toMatchObject({ code: 'outputTooLong', sent: true });
    expect(printed.message).toContain(`printed more than ${MB} bytes, and was ended`);
    expect(heard).toBeLessThanOrEqual(MB);
    const noise = await blurting(Buffer.from('not SSH, not TLS\r\n'.repeat(1_000)), 0);
    const drops = await blurting(Buffer.from('\0'), 5);
    const answers = await blurting(Buffer.from([255]), 5);
    const greets = await blurting(Buffer.from('220-welcome\r\n'.repeat(1_000)), 0);
    try {
      const greeting = { ...target, id: 'blurting', port: noise.port, host: '127.0.0.1' };
      expect(await rejection(pool.exec(greeting, command))).toMatchObject({ sent: false });
      for (const [{ port }, timeoutMs] of [
        [noise, LONG_MS],
        [drops, TIME_MS],
      ] as const)
        expect(await checkTls({ host: '127.0.0.1', port, timeoutMs })).toMatchObject({ reachable: false });
      const server = { host: '127.0.0.1', port: greets.port, security: 'none' } as const;
      const message = {
        raw: Buffer.from('Subject: a\r\n\r\n'),
        envelope: { from: 'a@b.c', recipients: ['d@e.f'] },
      };
      const signal = AbortSignal.timeout(LONG_MS);
      const handing = (): Promise<void> => Promise.reject(new Error('nothing may be handed over'));
      const handed = await handOver(outbound, server, message, { signal, handing, answerMs: LONG_MS });
      expect(handed).toMatchObject({
        is: 'unreachable',
        words: expect.stringContaining('maximum allowed size'),
      });
      const nameServer = await outbound.reach({ host: '127.0.0.1', port: drops.port });
      nameServer.port = noise.port;
      expect((await exchange(nameServer, Buffer.alloc(12), LONG_MS)).length).toBeLessThan(65_536);
      nameServer.port = answers.port;
      await expect(exchange(nameServer, Buffer.alloc(12), TIME_MS)).rejects.toThrow(/did not answer within/);
    } finally {
      await pool.close();
      for (const { stop } of [noise, drops, answers, greets]) stop();
    }
  },
});

fault({
  fault: 'a database behind a server sends without end, to a process of an API that does not read',
  must: 'no more is taken from it than the network holds, and its connection ends with that of the process',
  share: 0.1,
  trial: async () => {
    const { pool } = poolThatSees();
    const target = await targetOf(sshd);
    const noise = await blurting(Buffer.alloc(65_536), 0);
    const folder = mkdtempSync(path.join(tmpdir(), 'quarterdeck-forwarding-'));
    const socket = path.join(folder, 'database');
    const { close } = await openForwarding(socket, {
      open: () => pool.forward(target, { host: '127.0.0.1', port: noise.port }),
      onFault: (error) => Promise.reject(error as Error),
    });
    try {
      expect(statSync(socket).mode & 0o777).toBe(0o600);
      const process = connect(socket).pause();
      let [sent, unchanged] = [0, 0];
      await until(() => {
        unchanged = sent > 0 && noise.sent() === sent ? unchanged + 1 : 0;
        sent = noise.sent();
        return unchanged === 50 || sent > 4 * SLACK;
      }, 20);
      expect(sent).toBeLessThan(SLACK);
      expect(noise.open()).toBe(1);
      process.destroy();
      await until(() => noise.open() === 0);
      return `${Math.round(sent / 1024)} kB taken`;
    } finally {
      close();
      await pool.close();
      noise.stop();
      rmSync(folder, { recursive: true });
    }
  },
});

/** Each has its limits in one place, and a row above or in the faults of databases. */
const SPEAKERS = [
  'backups/targets/bucket-calls.ts',
  'databases/target.ts',
  'dns/message-exchange.ts',
  'mails/mail-sending.ts',
  'platform/outbound/outbound-http.ts',
  'platform/ssh/open-connection.ts',
  'platform/tls/tls-check.ts',
  'requests/timed-call.ts',
];
/** They listen, only name addresses and types, or call a `fetch` of ours. */
const OTHERS = [
  'api-instances/instance-rules.ts',
  'platform/boot/',
  'platform/config/',
  'platform/database/postgres-server-',
  'platform/github-oauth.ts',
  'platform/networks.ts',
  'platform/outbound/outbound',
  'platform/ssh/connection.ts',
  'platform/tls/trusting.program.ts',
  'ssl-monitor/ssl-run.ts',
  'dns/message.ts',
  'second-factors/passkey-site.ts',
  // It listens, and the console asks it: a process of ours, whose answers have the limits of databases.
  'served/child/api-server.ts',
  'served/child/service-accounts.ts',
  'served/child/service-calls.ts',
  'served/child/services.ts',
  // It listens, and forwards what a connection of the SSH pool carries: a row above.
  'served/database-forwarding.ts',
  'served/served-door.ts',
  // It asks such a process, whose frames are bounded.
  'served/line.ts',
  'served/tries.ts',
  // A line of the Dockerfile that it writes.
  'served/standalone/folder.ts',
  'sign-in/github.ts',
  'webserver/site-problems.ts',
];

it('no other file of the back end opens connections', () => {
  const root = path.join(__dirname, '../../apps/backend/src');
  const speaking = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .filter((file) =>
      /from 'node:(http|https|http2|net|tls|dgram)'|(?<![.\w])fetch\(/.test(
        readFileSync(path.join(root, file), 'utf8').replaceAll(/^import type .*$/gm, ''),
      ),
    )
    .filter((file) => !OTHERS.some((other) => file.startsWith(other)) || SPEAKERS.includes(file));
  expect(speaking.sort()).toEqual(SPEAKERS);
});
