/**
 * Uploading an archive of 500 MB with Amazon's client behind our outbound rules, and the time until the client is loaded.
 * Floor: the same parts, hashed as a signature needs it, and sent by bare calls of `node:http`, as the console did before.
 * The server only counts bytes, in a thread of its own.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { request } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { Bucket } from '../apps/backend/src/backups/targets/bucket';
import { Outbound } from '../apps/backend/src/platform/outbound';
import { amountOf, compare, finish, state, turnsOf } from './harness';

const MEGABYTES = amountOf(500);
const PART_BYTES = 16 * 1_048_576;

const SERVER = `
const { parentPort } = require('node:worker_threads');
const server = require('node:http').createServer((asked, answer) => {
  asked.resume();
  asked.on('end', () => {
    if (asked.method === 'PUT') return answer.setHeader('etag', '"0"').end();
    answer.end(asked.url.includes('uploads')
      ? '<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>'
      : '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>');
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
};

const sent = (url: string, method: string, body: Buffer): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-length': String(body.length),
      'x-amz-content-sha256': createHash('sha256').update(body).digest('hex'),
    };
    const call = request(url, { method, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    call.on('error', reject);
    call.end(body);
  });

const bare = async (url: string, file: string): Promise<void> => {
  await sent(`${url}?uploads=`, 'POST', Buffer.alloc(0));
  const handle = await fs.promises.open(file);
  try {
    const { size } = await handle.stat();
    for (let from = 0; from < size; from += PART_BYTES) {
      const part = Buffer.allocUnsafe(Math.min(PART_BYTES, size - from));
      await handle.read(part, 0, part.length, from);
      await sent(`${url}?partNumber=${from / PART_BYTES + 1}&uploadId=one`, 'PUT', part);
    }
  } finally {
    await handle.close();
  }
  await sent(
    `${url}?uploadId=one`,
    'POST',
    Buffer.from('<CompleteMultipartUpload></CompleteMultipartUpload>'),
  );
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-bench-bucket-'));
const file = path.join(folder, 'archive');
for (let nth = 0; nth < MEGABYTES; nth++) fs.appendFileSync(file, randomBytes(1_000_000));
const server = new Worker(SERVER, { eval: true });
const port = await new Promise<number>((done) => server.once('message', done));
const endpoint = `http://127.0.0.1:${port}`;
const address = {
  endpoint,
  region: 'bench',
  bucket: 'bench',
  pathStyle: true,
  accessKeyId: 'id',
  secretAccessKey: 'key',
};
const bucket = new Bucket(address, new Outbound(['127.0.0.1']));
const attempt = { signal: new AbortController().signal, alive: () => undefined, busy: () => undefined };
const start = await seconds(async () => void spawnSync(process.execPath, ['--eval', '0']));
const loaded = await seconds(() => bucket.remove('nothing'));
const lines = [
  state(
    'first call of a bucket',
    loaded / start,
    { atMost: 20 },
    `${Math.round(loaded * 1000)} ms with the loading of the client, ${(loaded / start).toFixed(1)} x of a bare start of Node; target <= 20 x`,
  ),
  await compare({
    what: `upload of ${MEGABYTES} MB`,
    unit: 's',
    target: { atMost: 1.2 },
    turns: turnsOf(5),
    floor: { name: 'bare calls', turn: () => seconds(() => bare(`${endpoint}/bench/archive`, file)) },
    ours: { name: 'the client', turn: () => seconds(() => bucket.put('archive', file, attempt)) },
  }),
];
await server.terminate();
fs.rmSync(folder, { recursive: true, force: true });
finish(lines);
process.exit();
