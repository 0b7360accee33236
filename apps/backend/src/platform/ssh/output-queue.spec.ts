import { OutputQueue, textConsumer } from './output-queue';
import type { OutputStream } from './target';

interface Piece {
  stream: OutputStream;
  text: string;
}

const flow = () => {
  const calls: string[] = [];
  return { calls, pause: () => void calls.push('pause'), resume: () => void calls.push('resume') };
};

it('passes on both streams in order of arrival', async () => {
  const got: Piece[] = [];
  const queue = new OutputQueue(
    textConsumer((stream, text) => void got.push({ stream, text })),
    flow(),
    () => undefined,
  );
  queue.push('out', Buffer.from('1'));
  queue.push('err', Buffer.from('2'));
  queue.push('out', Buffer.from('3'));
  await queue.end();
  expect(got.map(({ stream, text }) => stream + text)).toEqual(['out1', 'err2', 'out3']);
});

it('keeps split characters whole, on each stream separately', async () => {
  const bytes = Buffer.from('ü💡ß');
  let out = '';
  let err = '';
  const queue = new OutputQueue(
    textConsumer((stream, text) => {
      if (stream === 'out') out += text;
      else err += text;
    }),
    flow(),
    () => undefined,
  );
  for (const byte of bytes) {
    queue.push('out', Buffer.from([byte]));
    queue.push('err', Buffer.from([byte]));
  }
  await queue.end();
  expect([out, err]).toEqual(['ü💡ß', 'ü💡ß']);
});

it('pauses the source while a slow consumer is far behind, and resumes it', async () => {
  const source = flow();
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let length = 0;
  const queue = new OutputQueue(
    {
      take: async (_stream, bytes) => {
        await gate;
        length += bytes.length;
      },
    },
    source,
    () => undefined,
  );
  for (let index = 0; index < 10; index += 1) queue.push('out', Buffer.alloc(50_000, 'x'));
  expect(source.calls).toEqual(['pause']);
  expect(queue.idle).toBe(false);
  letGo();
  await queue.end();
  expect(length).toBe(500_000);
  expect(source.calls).toEqual(['pause', 'resume']);
  expect(queue.idle).toBe(true);
});

it('takes nothing more after the consumer has failed, releases the source, and ends with the error', async () => {
  const source = flow();
  let failures = 0;
  let calls = 0;
  const consume = async (): Promise<void> => {
    calls += 1;
    await Promise.resolve();
    throw new Error('no room');
  };
  const queue = new OutputQueue({ take: consume }, source, () => void (failures += 1));
  for (let index = 0; index < 10; index += 1) queue.push('out', Buffer.alloc(50_000, 'x'));
  await expect(queue.end()).rejects.toThrow('no room');
  queue.push('out', Buffer.from('more'));
  expect([calls, failures, source.calls]).toEqual([1, 1, ['pause', 'resume']]);
});
