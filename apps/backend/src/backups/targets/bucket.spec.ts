// covers: BAK-01
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { startS3, type S3Server } from '../../../../../testing/s3';
import { testAuthority } from '../../../../../testing/test-authority';
import { Outbound } from '../../platform/outbound';
import { Bucket } from './bucket';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bucket-'));
let s3: S3Server;
beforeAll(async () => (s3 = await startS3()));
afterAll(async () => {
  await s3?.stop();
  fs.rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  s3.mood = 'well';
  s3.refusesEarly = false;
  s3.slowDowns = 0;
  s3.aheadMs = 0;
  s3.halt = undefined;
});

// The endpoint is an IP address, so the bucket is in the path nevertheless.
const address = () => ({ ...s3, endpoint: s3.url, pathStyle: false });
const outbound = new Outbound(['127.0.0.1']);
const limits = { idleMs: 30_000, joinMs: 30_000, partBytes: 100_000 };
const file = path.join(root, 'large');
const told: string[] = [];
const attempt = {
  signal: new AbortController().signal,
  alive: () => void told.push('alive'),
  busy: () => void told.push('busy'),
};
const put = (bucket: Bucket, key: string) => bucket.put(key, file, attempt);
const bytes = randomBytes(250_000);
beforeAll(() => fs.writeFileSync(file, bytes));

it('takes a large file in parts, and shows it only after the last one', async () => {
  const bucket = new Bucket(address(), outbound, limits);
  await put(bucket, 'large/one.backup');
  expect(s3.objects.get('large/one.backup')?.equals(bytes)).toBe(true);
  expect(s3.calls.filter((call) => call.includes('partNumber='))).toHaveLength(3);
  expect(s3.uploads.size).toBe(0);
  // All parts have arrived, and the server may take its time to join them.
  expect(told.at(-1)).toBe('busy');
  s3.mood = 'full';
  await expect(put(bucket, 'large/two.backup')).rejects.toThrow('XMinioStorageFull');
  expect([s3.objects.has('large/two.backup'), s3.uploads.size]).toEqual([false, 0]);
});

it('regards an upload as finished if its answer is lost, in one piece and in parts', async () => {
  s3.halt = ({ method, isDone }) => isDone && method === 'PUT';
  const whole = new Bucket(address(), outbound, { ...limits, idleMs: 50, partBytes: bytes.length });
  await put(whole, 'large/in-one-piece.backup');
  s3.halt = ({ method, bytes: arrived, isDone }) => isDone && method === 'POST' && arrived > 0;
  const joined = new Bucket(address(), outbound, { ...limits, joinMs: 50 });
  await put(joined, 'large/in-parts.backup');
  s3.halt = undefined;
  for (const name of ['in-one-piece', 'in-parts'])
    expect([name, s3.objects.get(`large/${name}.backup`)?.equals(bytes)]).toEqual([name, true]);
});

it('removes the parts that a killed process has sent', async () => {
  const bucket = new Bucket(address(), outbound, limits);
  const upload = (key: string, hoursAgo: number, ghost?: true) => ({
    key,
    begun: new Date(Date.now() - hoursAgo * 3_600_000),
    ...(ghost ? { ghost } : {}),
    parts: new Map(),
  });
  s3.uploads.set('ghost', upload('large/gone.backup', 30, true));
  s3.uploads.set('old', upload('large/dead.backup', 25));
  s3.uploads.set('of another console', upload('large/young.backup', 23));
  s3.uploads.set('of others', upload('elsewhere/x', 25));
  s3.uploads.set('no archive', upload('large/picture', 25));
  const faults: string[] = [];
  await bucket.dropUnfinished('large/', {
    isOwn: (key) => key.endsWith('.backup'),
    onFault: ({ message }) => void faults.push(message),
  });
  expect([...s3.uploads.keys()]).toEqual(['ghost', 'of another console', 'of others', 'no archive']);
  expect(faults).toEqual([
    expect.stringMatching(/s3:AbortMultipartUpload of large\/gone\.backup with 404: NoSuchUpload/),
  ]);
  s3.uploads.clear();
});

it('sends again what a server refused for the moment, and what was cut off', async () => {
  let cuts = 2;
  s3.halt = () => false;
  s3.slowDowns = 2;
  const bucket = new Bucket(address(), outbound, { ...limits, idleMs: 200 });
  s3.halt = ({ method, bytes: arrived, isDone }) => method === 'PUT' && arrived > 0 && !isDone && cuts-- > 0;
  // Refused twice, cut twice.
  expect(await put(bucket, 'large/again.backup')).toBe(4);
  s3.halt = undefined;
  expect(s3.objects.get('large/again.backup')?.equals(bytes)).toBe(true);
});

it.each([1, -1])('signs with the time of the server where its clock is %i hours ahead', async (hours) => {
  s3.aheadMs = hours * 3_600_000;
  const bucket = new Bucket(address(), outbound, limits);
  // Refused once, and with the right time from then on.
  expect(await put(bucket, 'large/skewed.backup')).toBe(1);
  expect(s3.objects.get('large/skewed.backup')?.equals(bytes)).toBe(true);
  expect(await put(bucket, 'large/skewed.backup')).toBe(0);
});

it('hears a refusal that comes before the body was read', async () => {
  s3.refusesEarly = true;
  const whole = new Bucket(address(), outbound, { ...limits, partBytes: bytes.length });
  await expect(put(whole, 'large/early.backup')).rejects.toThrow(
    /refused s3:PutObject of large\/early\.backup with 403: AccessDenied/,
  );
});

it.each([
  ['shorter', 100, /sent 100 of the 200 bytes of large\/other\.backup$/],
  ['longer', 300, /sent more of large\/other\.backup than the 200 bytes that it has$/],
])('a download of an object that is %s than it was fails', async (_what, length, expected) => {
  s3.objects.set('large/other.backup', bytes.subarray(0, length));
  const content = await new Bucket(address(), outbound, limits).open('large/other.backup', 200);
  await expect(content.toArray()).rejects.toThrow(expected);
});

it('keeps new objects as the plan says', async () => {
  s3.written.length = 0;
  const kept = { storageClass: 'STANDARD_IA', encryption: 'aws:kms', encryptionKey: 'a-key' } as const;
  await put(
    new Bucket({ ...address(), ...kept }, outbound, { ...limits, partBytes: bytes.length }),
    'large/kept.backup',
  );
  expect(s3.written).toEqual([
    expect.objectContaining({
      'x-amz-storage-class': 'STANDARD_IA',
      'x-amz-server-side-encryption': 'aws:kms',
      'x-amz-server-side-encryption-aws-kms-key-id': 'a-key',
    }),
  ]);
});

it('speaks TLS with an authority of its own, and says what is wrong without it', async () => {
  const authority = await testAuthority();
  const [notBefore, notAfter] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000)) as [
    Date,
    Date,
  ];
  const tls = await startS3(await authority.leaf({ names: ['127.0.0.1'], notBefore, notAfter }));
  const at = { ...tls, endpoint: tls.url, pathStyle: true };
  const list = (more: object = {}) => new Bucket({ ...at, ...more }, outbound, { attempts: 1 }).list('');
  await expect(list({ ca: authority.root })).resolves.toEqual([]);
  await expect(list()).rejects.toThrow(
    /has a certificate from an unknown authority .*: name its certificate authority/,
  );
  await expect(list({ endpoint: s3.url.replace('http', 'https') })).rejects.toThrow(
    /does not speak TLS: the endpoint should begin with http:\/\//,
  );
  await expect(list({ endpoint: tls.url.replace('https', 'http') })).rejects.toThrow(
    /https:\/\/|closed the connection/,
  );
  await tls.stop();
});

const ofNginx = (text: string): string =>
  `<html><head><title>${text}</title></head><body><center>${text}</center><hr>nginx</body></html>`;
it.each([
  [
    400,
    ofNginx('400 The plain HTTP request was sent to HTTPS port'),
    /^\S+ speaks TLS: the endpoint should begin with https:\/\/ \[s3:PutObject of a\/b, answered with 400/,
  ],
  [400, 'Client sent an HTTP request to an HTTPS server.', /the endpoint should begin with https:\/\//],
  [
    503,
    ofNginx('503 Service Temporarily Unavailable'),
    /refused s3:PutObject of a\/b with 503: 503 Service Temporarily Unavailable$/,
  ],
  [404, '404 page not found', /with 404: 404 page not found; check the endpoint: this is no answer of S3$/],
  [403, '', /with 403; allow s3:PutObject on backups\/a\/\*, or check the endpoint/],
  [413, ofNginx('413 Request Entity Too Large'), /bodies of 16 MB pass \(in nginx: client_max_body_size\)$/],
  [302, '', /it sends the call to https:\/\/portal\.example\.org\/: check the endpoint$/],
])('says what a page with %i is that is no answer of S3: %s', async (status, page, expected) => {
  const portal = createServer((asked, answer) => {
    asked.resume();
    asked.on('end', () =>
      answer.writeHead(status, { location: 'https://portal.example.org/?secret=1' }).end(page),
    );
  });
  await new Promise<void>((done) => portal.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(portal.address() as AddressInfo).port}`;
  const bucket = new Bucket({ ...address(), endpoint, prefix: 'a/' }, outbound, { attempts: 1 });
  await expect(bucket.putBytes('a/b', bytes)).rejects.toThrow(expected);
  portal.closeAllConnections();
  await new Promise((done) => portal.close(done));
});

it('gives up on a server that does not answer', async () => {
  s3.mood = 'hang';
  const bucket = new Bucket(address(), outbound, { ...limits, idleMs: 50 });
  await expect(bucket.list('')).rejects.toThrow(
    /^127\.0\.0\.1:\d+ did not answer within 0\.05 s \[s3:ListBucket\]$/,
  );
});

it('gives up on a server that stops in the middle of a body, after that time and not after twice', async () => {
  // Takes the beginning of a body, more than the buffers of the connection hold, and then nothing.
  const stuck = createServer((asked) => {
    let taken = 0;
    asked.on('data', (piece: Buffer) => {
      taken += piece.length;
      if (taken > 1_000_000) asked.pause();
    });
    asked.on('error', () => undefined);
  });
  await new Promise<void>((done) => stuck.listen(0, '127.0.0.1', done));
  const endpoint = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}`;
  const idleMs = 3_000;
  const bucket = new Bucket({ ...address(), endpoint }, outbound, { attempts: 1, idleMs });
  let isTwice = false;
  let rival: NodeJS.Timeout | undefined;
  // Timers end in the order of their times, on a busy machine too.
  bucket.heardBy(() => {
    clearTimeout(rival);
    rival = setTimeout(() => (isTwice = true), 1.9 * idleMs);
  });
  await expect(bucket.putBytes('a', randomBytes(32_000_000))).rejects.toThrow(
    /did not answer within 3 s \[s3:PutObject of a\]$/,
  );
  clearTimeout(rival);
  expect(isTwice).toBe(false);
  stuck.closeAllConnections();
  await new Promise((done) => stuck.close(done));
});
