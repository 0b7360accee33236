import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { beatsIn, callsIn, sharedMemory, Shown } from './watched';
import { threadFile } from '../threads';

test('a main thread that is held without end is logged with its calls, and its process is ended', async () => {
  // The memory of a process cannot be given to another one, so the process makes its own, with the same content.
  const memory = sharedMemory();
  new Shown(memory).begin('POST /api/holds the-id');
  const content = Buffer.from(memory).toString('base64');
  const program = `
    const { Worker } = require('node:worker_threads');
    const content = Buffer.from('${content}', 'base64');
    const memory = new SharedArrayBuffer(content.length);
    new Uint8Array(memory).set(content);
    const watching = { memory, tellAfter: 1, endAfter: 3 };
    const thread = new Worker(process.argv[1]).once('online', () => { for (;;); });
    thread.postMessage({ job: 'watchMainThread', input: watching });
  `;
  const child = spawn(process.execPath, ['-e', program, fileURLToPath(threadFile)], { stdio: 'pipe' });
  let log = '';
  child.stderr.on('data', (part: Buffer) => (log += part.toString()));
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  const calls = ['POST /api/holds the-id'];
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', seconds: 1, calls, pid: child.pid }),
    expect.objectContaining({ level: 'error', seconds: 2, calls }),
    expect.objectContaining({ level: 'fatal', seconds: 3, calls }),
  ]);
});

test('the calls under way are shown until they end, and of many the last ones', () => {
  const memory = sharedMemory();
  const shown = new Shown(memory);
  shown.beat();
  const ends = Array.from({ length: 40 }, (_, at) => shown.begin(`GET /api/${at} ${'é'.repeat(at * 10)}`));
  expect(callsIn(memory)).toHaveLength(32);
  // The place of the first has another call now.
  ends[0]?.();
  expect(callsIn(memory)).toHaveLength(32);
  for (const end of ends) end();
  expect(callsIn(memory)).toEqual([]);
  expect(beatsIn(memory)).toBe(1);
});
