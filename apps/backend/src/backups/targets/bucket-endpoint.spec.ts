// covers: BAK-01
/** Where the calls of a bucket go: an endpoint with a path, a server that sends them elsewhere, and what a machine is set to. */
import fs from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { SHARE_ENV, Worker } from 'node:worker_threads';
import { startS3, type S3Server } from '../../../../../testing/s3';
import { Outbound } from '../../platform/outbound';
import { Bucket } from './bucket';

const outbound = new Outbound(['127.0.0.1']);
const stops: (() => Promise<unknown>)[] = [];
let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3(undefined, '/storage/v1/s3');
  stops.push(s3.stop);
});
afterAll(async () => {
  for (const stop of stops) await stop();
});
beforeEach(() => void (s3.calls.length = 0));

const address = (more: object = {}) => ({ ...s3, endpoint: s3.url, pathStyle: true, ...more });

it.each(['', '/'])('puts, lists, reads and deletes below a path, with "%s" at its end', async (end) => {
  const bucket = new Bucket(address({ endpoint: `${s3.url}${end}` }), outbound, { partBytes: 100_000 });
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bucket-endpoint-'));
  const file = path.join(folder, 'archive');
  fs.writeFileSync(file, Buffer.alloc(250_000, 'a'));
  const attempt = { signal: new AbortController().signal, alive: () => undefined, busy: () => undefined };
  await bucket.put('a b/one+two.backup', file, attempt);
  fs.rmSync(folder, { recursive: true });
  expect(await bucket.list('a b/')).toEqual([{ key: 'a b/one+two.backup', bytes: 250_000 }]);
  expect((await bucket.begin('a b/one+two.backup', 3)).bytes.toString()).toBe('aaa');
  await bucket.remove('a b/one+two.backup');
  expect([s3.objects.size, s3.uploads.size]).toEqual([0, 0]);
  for (const call of s3.calls) expect(call).toMatch(/^[A-Z]+ \/storage\/v1\/s3\/backups[/?]/);
});

it.each(['/storage/v1', '/storage/v1/s3x', '/', `/${'long/'.repeat(300)}`])(
  'says what to check where the bucket is not below the path %s',
  async (base) => {
    const endpoint = `${new URL(s3.url).origin}${base}`;
    await expect(new Bucket(address({ endpoint }), outbound).list('')).rejects.toThrow(
      /^127\.0\.0\.1:\d+ refused s3:ListBucket with 404: NotFound, There is nothing here; check the endpoint, and its path$/,
    );
  },
);

/** A server that gives each call that answer. @returns its address, and the calls */
const answering = async (answer: (response: ServerResponse) => void) => {
  const calls: string[] = [];
  const server = createServer((asked, response) => {
    calls.push(`${asked.method} ${asked.url}`);
    asked.resume();
    asked.on('end', () => answer(response));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  stops.push(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
};

describe('a server that sends the calls elsewhere', () => {
  const redirect = (status: number, location: string) => (response: ServerResponse) =>
    void response.writeHead(status, { location }).end();

  it.each([301, 302, 303, 307, 308])(
    'gets a sentence with %i, and nobody else gets a call',
    async (status) => {
      const other = await answering((response) => void response.end());
      const first = await answering(redirect(status, `${other.url}/backups/x?X-Amz-Signature=1`));
      const bucket = new Bucket(address({ endpoint: first.url }), outbound);
      const put = () => bucket.putBytes('x', Buffer.from('x'));
      for (const call of [() => bucket.list(''), put, () => bucket.remove('x')])
        await expect(call()).rejects.toThrow(
          new RegExp(`it sends the call to ${other.url}/backups/x: check the endpoint$`),
        );
      expect([first.calls.length, other.calls]).toEqual([3, []]);
    },
  );

  it.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'file:///etc/passwd',
    '//other/',
  ])('is not followed to %s', async (location) => {
    const first = await answering(redirect(307, location));
    const bucket = new Bucket(address({ endpoint: first.url }), outbound);
    await expect(bucket.begin('x', 9)).rejects.toThrow(/it sends the call to \S+: check the endpoint$/);
    expect(first.calls).toHaveLength(1);
  });

  it('is asked twice at most where it names another region each time', async () => {
    let count = 0;
    const first = await answering((response) => {
      response.writeHead(301, { 'x-amz-bucket-region': `region-${++count}` });
      const [code, host] = ['PermanentRedirect', '169.254.169.254'];
      response.end(`<Error><Code>${code}</Code><Message>no</Message><Endpoint>${host}</Endpoint></Error>`);
    });
    const bucket = new Bucket(address({ endpoint: first.url }), outbound);
    await expect(bucket.putBytes('x', Buffer.from('x'))).rejects.toThrow(/in the region region-\d|169\.254/);
    expect(first.calls.length).toBeLessThanOrEqual(2);
  });
});

/** A test has a copy of the variables, and the client, which is loaded outside of it, has the real ones. */
const setVariable = (name: string, value?: string): Promise<void> =>
  new Promise((done) => {
    const [key, text] = [name, value].map((one) => JSON.stringify(one));
    const code = value === undefined ? `delete process.env[${key}]` : `process.env[${key}] = ${text}`;
    new Worker(code, { eval: true, env: SHARE_ENV }).once('exit', () => done());
  });

describe('at Amazon', () => {
  const names: string[] = [];
  // Nobody may call that address, so what is tried shows in the refusal.
  const resolved = new Outbound(['127.0.0.1'], async (name) => {
    names.push(name);
    return ['10.0.0.9'];
  });
  const amazon = (more: object = {}) =>
    new Bucket(
      address({ endpoint: 'https://s3.eu-central-1.amazonaws.com', region: 'eu-central-1', ...more }),
      resolved,
    );
  beforeEach(() => void (names.length = 0));

  it.each([
    ['AWS_ENDPOINT_URL_S3', 'url'],
    ['AWS_ENDPOINT_URL', 'url'],
    ['AWS_USE_FIPS_ENDPOINT', 'true'],
    ['AWS_USE_DUALSTACK_ENDPOINT', 'true'],
  ])('%s of this machine does not change where archives go', async (name, value) => {
    await setVariable(name, value === 'url' ? s3.url : value);
    try {
      await expect(amazon().list('')).rejects.toThrow(/10\.0\.0\.9/);
    } finally {
      await setVariable(name);
    }
    expect([names, s3.calls]).toEqual([['s3.eu-central-1.amazonaws.com'], []]);
  });

  it('a bucket without dots is in the name of the host', async () => {
    await expect(amazon({ pathStyle: false }).list('')).rejects.toThrow(/10\.0\.0\.9/);
    await expect(amazon({ pathStyle: false, bucket: 'dots.in.it' }).list('')).rejects.toThrow(/10\.0\.0\.9/);
    expect(names).toEqual(['backups.s3.eu-central-1.amazonaws.com', 's3.eu-central-1.amazonaws.com']);
  });
});
