/**
 * Uploading an archive of 500 MB with Amazon's client behind our outbound rules, and the time until the client is loaded.
 * Floors: the same parts, hashed as a signature needs it, and sent by bare calls of `node:http`: from the file, as the
 * console did before, and from one buffer, which does the least. The server only counts bytes, in a thread of its own.
 */
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { request, type ClientRequest } from 'node:http';
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

/** One part: its hash, and what sends it. */
interface Part {
  bytes: number;
  sha256: string;
  send: (call: ClientRequest) => void;
}

const sha256Of = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

const fromMemory = (body: Buffer): Part => ({
  bytes: body.length,
  sha256: sha256Of(body),
  send: (call) => void call.end(body),
});

/** As the six calls had it: the file is read once for the hash, and once for the body. */
const fromFile = async (range: { start: number; end: number }): Promise<Part> => {
  const hash = createHash('sha256');
  for await (const piece of fs.createReadStream(file, range)) hash.update(piece as Buffer);
  return {
    bytes: range.end - range.start + 1,
    sha256: hash.digest('hex'),
    send: (call) => void fs.createReadStream(file, range).pipe(call),
  };
};

const sent = (url: string, method: string, { bytes, sha256, send }: Part): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-length': String(bytes), 'x-amz-content-sha256': sha256 };
    const call = request(url, { method, headers, agent: false }, (answer) => {
      answer.resume();
      answer.on('end', resolve);
    });
    call.on('error', reject);
    send(call);
  });

const NO_BODY = fromMemory(Buffer.alloc(0));
const JOIN = fromMemory(Buffer.from('<CompleteMultipartUpload></CompleteMultipartUpload>'));

const inParts = async (url: string, parts: AsyncIterable<Part>): Promise<void> => {
  await sent(`${url}?uploads=`, 'POST', NO_BODY);
  let number = 0;
  for await (const part of parts) await sent(`${url}?partNumber=${++number}&uploadId=one`, 'PUT', part);
  await sent(`${url}?uploadId=one`, 'POST', JOIN);
};

async function* partsOfFile(): AsyncGenerator<Part> {
  const { size } = await fs.promises.stat(file);
  for (let start = 0; start < size; start += PART_BYTES)
    yield fromFile({ start, end: Math.min(start + PART_BYTES, size) - 1 });
}

/** With one buffer for all parts, as the client has it. */
async function* partsInMemory(): AsyncGenerator<Part> {
  const handle = await fs.promises.open(file);
  try {
    const { size } = await handle.stat();
    const room = Buffer.allocUnsafe(Math.min(PART_BYTES, size));
    for (let start = 0; start < size; start += PART_BYTES) {
      const { bytesRead } = await handle.read(room, 0, Math.min(PART_BYTES, size - start), start);
      yield fromMemory(room.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}

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
const url = `${endpoint}/bench/archive`;
const ours = { name: 'the client', turn: () => seconds(() => bucket.put('archive', file, attempt)) };
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
    turns: turnsOf(7),
    floor: { name: 'the six calls', turn: () => seconds(() => inParts(url, partsOfFile())) },
    ours,
  }),
  await compare({
    what: `upload of ${MEGABYTES} MB, parts in memory`,
    unit: 's',
    target: { atMost: 2 },
    turns: turnsOf(7),
    floor: { name: 'bare calls of a buffer', turn: () => seconds(() => inParts(url, partsInMemory())) },
    ours,
  }),
];
await server.terminate();
fs.rmSync(folder, { recursive: true, force: true });
finish(lines);
process.exit();
