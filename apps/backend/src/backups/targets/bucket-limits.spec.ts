// covers: BAK-01
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { paced } from './bucket-limits';

const pace = { place: 's3.example.org', idleMs: 60, answerMs: 10_000, maxBytes: 1_000_000 };
const all = async (stream: Readable): Promise<string> => {
  let text = '';
  for await (const piece of stream) text += String(piece);
  return text;
};

it('the time in which a reader pauses does not count', async () => {
  const source = new PassThrough();
  const stream = paced(source, pace);
  source.write('a');
  await once(stream, 'readable');
  // Far longer than the server may be silent.
  await pause(5 * pace.idleMs);
  source.end('b');
  expect(await all(stream)).toBe('ab');
});

it('a server that says nothing while somebody waits is given up', async () => {
  const source = new PassThrough();
  source.write('a');
  await expect(all(paced(source, pace))).rejects.toThrow(/^s3\.example\.org sent nothing for 0\.06 s/);
  expect(source.destroyed).toBe(true);
});

it('one that sends a byte now and then is given up as well, and one that sends too much', async () => {
  const slow = new PassThrough();
  const drip = setInterval(() => slow.write('.'), 10);
  await expect(all(paced(slow, { ...pace, answerMs: 100 }))).rejects.toThrow(/too slowly/);
  clearInterval(drip);
  const endless = new PassThrough();
  endless.write('abcdef');
  await expect(all(paced(endless, { ...pace, maxBytes: 5 }))).rejects.toThrow(/more than 5 bytes/);
});
