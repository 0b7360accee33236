/** covers: API-02 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiAnswer, HeardRequest } from './child/api-server';
import { serveLine } from './child/line-server';
import { Line, type LineAnswer, type LineRequest } from './line';
import { PIECE_BYTES } from './line-frames';

const REQUEST: LineRequest = {
  method: 'POST',
  url: '/things?a=1',
  caller: '192.0.2.1',
  authorization: 'Bearer abc',
  contentType: 'application/json',
  body: undefined,
};
const told = (text: string): ApiAnswer => ({ status: 200, headers: { 'x-definition': '7' }, text });

let folder: string;
let server: Server | undefined;
let line: Line;

/** A process that answers like this. */
const begin = async (talk: (socket: Socket) => void): Promise<Line> => {
  // The line begins with a request for an upgrade, which a server of HTTP takes away.
  server = createServer({ allowHalfOpen: true }, (socket) =>
    socket.once('data', (bytes) => {
      socket.pause();
      const rest = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4);
      if (rest.length > 0) socket.unshift(rest);
      talk(socket);
      socket.resume();
    }),
  );
  server.listen(join(folder, 'http'));
  await once(server, 'listening');
  line = new Line(join(folder, 'http'));
  return line;
};
const serve = (answer: (request: HeardRequest) => Promise<ApiAnswer>): Promise<Line> =>
  begin((socket) => serveLine(socket, answer));
const whole = async (answer: LineAnswer): Promise<string> => {
  const parts = [answer.first];
  for (let left = answer.bytes - answer.first.length; left > 0; left -= (parts.at(-1) as Buffer).length)
    parts.push(await answer.next());
  return Buffer.concat(parts).toString();
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-line-'));
});
afterEach(async () => {
  line.end();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  rmSync(folder, { recursive: true });
});

test('each of many requests at once gets its own answer, whatever order they have', async () => {
  const open = await serve(async ({ method, url, caller, authorization, sent }) => {
    const body = String(await sent?.read());
    if (Number(body) % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    return told(JSON.stringify([method, url, caller, authorization, sent?.contentType, body]));
  });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => open.ask({ ...REQUEST, body: Buffer.from(String(at)) })),
  );
  const { method, url, caller, authorization, contentType } = REQUEST;
  for (const [at, { status, headers, first }] of answers.entries()) {
    expect([status, headers]).toEqual([200, { 'x-definition': '7' }]);
    expect(JSON.parse(first.toString())).toEqual([
      method,
      url,
      caller,
      authorization,
      contentType,
      String(at),
    ]);
  }
});

test('a long answer comes in pieces, and others are not held up by one that nobody takes', async () => {
  const long = 'ü'.repeat(PIECE_BYTES);
  const open = await serve(async ({ url }) => told(url === '/long' ? long : 'short'));
  const slow = await open.ask({ ...REQUEST, url: '/long' });
  expect([slow.bytes, slow.first.length]).toEqual([2 * PIECE_BYTES, PIECE_BYTES]);
  expect((await open.ask(REQUEST)).first.toString()).toBe('short');
  expect(await whole(slow)).toBe(long);
  const left = await open.ask({ ...REQUEST, url: '/long' });
  left.leave();
  await expect(left.next()).rejects.toThrow('has ended');
  expect((await open.ask(REQUEST)).first.toString()).toBe('short');
});

test('what was asked before the end is answered, and nothing after it', async () => {
  let answer: (text: ApiAnswer) => void = () => undefined;
  const open = await serve(() => new Promise((resolve) => (answer = resolve)));
  const asked = open.ask(REQUEST);
  open.end();
  await expect(open.ask(REQUEST)).rejects.toThrow('ends');
  await new Promise((resolve) => setTimeout(resolve, 20));
  answer(told('late'));
  expect((await asked).first.toString()).toBe('late');
});

const frame = (head: unknown, body = ''): Buffer => {
  const text = JSON.stringify(head);
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(text.length + body.length);
  lengths.writeUInt32BE(text.length, 4);
  return Buffer.concat([lengths, Buffer.from(text + body)]);
};

test.each<[string, Buffer, RegExp]>([
  ['sends more than it says', frame(['answer', 1, 200, 2, {}], 'abc'), /more than it said/],
  ['says no length', frame(['answer', 1, 200, null, {}], 'abc'), /more than it said/],
  ['sends a frame that is too large', Buffer.alloc(8, 255), /no frame/],
  ['sends no JSON', Buffer.from('\0\0\0\u0002\0\0\0\u0002{{'), /JSON/],
  ['ends', Buffer.alloc(0), /has ended/],
])('a process that %s is not believed, and nobody waits for it', async (_, bytes, message) => {
  const open = await begin((socket) => {
    socket.on('data', () => socket.end(bytes));
  });
  await expect(open.ask(REQUEST)).rejects.toThrow(message);
});

test('nothing was sent if nobody listens', async () => {
  await (await serve(async () => told(''))).ask(REQUEST);
  const nobody = new Line(join(folder, 'other'));
  await expect(nobody.ask(REQUEST)).rejects.toMatchObject({ syscall: 'connect', code: 'ENOENT' });
});
