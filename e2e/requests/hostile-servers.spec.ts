/** Servers that answer in ways that no server should, and what is kept of it. covers: REQ-02 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Outbound } from '../../apps/backend/src/platform/outbound';
import { mayHaveArrived, sendRequest } from '../../apps/backend/src/requests/send-request';
import { StepFailed, StepLost } from '../../apps/backend/src/runs';

let server: Server;
let url: string;
let answer: (socket: Socket, asked: string) => void;
const open = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.once('data', (asked) => answer(socket, asked.toString()));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await new Promise((done) => server.close(done));
});

const outbound = new Outbound(['127.0.0.1'], () => Promise.resolve(['127.0.0.1']));
const never = new AbortController().signal;
const send = (how: { method?: string; follow?: boolean; late?: AbortSignal; path?: string } = {}) => {
  const { method = 'GET', follow = false, late = never, path = '/' } = how;
  return sendRequest(
    { method, url: new URL(path, url), headers: [] },
    { outbound, follow, own: new Set(), secretBody: false, repeatable: method === 'GET', late, signal: late },
  );
};

const OK = 'HTTP/1.1 200 OK\r\n';
/** What node says when the head of an answer has come to a client. */
const HEAD_CAME = 'http.client.response.finish';
const answering = (raw: string | Buffer) => (answer = (socket) => socket.end(raw));
const headersOf = (bytes: number) => `x-filler: ${'a'.repeat(bytes)}\r\n`;

describe('an answer', () => {
  it.each([
    ['with headers of 60 kB', `${OK}${headersOf(60_000)}content-length: 2\r\n\r\nhi`, { body: 'hi' }],
    [
      'after others that are informational',
      `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3)}${OK}content-length: 2\r\n\r\nhi`,
      { status: 200, body: 'hi' },
    ],
    [
      'with another one behind it',
      `${OK}content-length: 3\r\n\r\nabc${OK}content-length: 3\r\n\r\ndef`,
      { body: 'abc' },
    ],
    [
      'in another protocol',
      'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nabc',
      { status: 101, body: '' },
    ],
    ['with a status text that could not be stored', 'HTTP/1.1 200 a\0b\r\n\r\n', { statusText: 'a\ufffdb' }],
    ['with a status that does not exist', 'HTTP/1.1 999 x\r\n\r\nabc', { status: 999, body: 'abc' }],
    [
      'packed, and empty',
      `${OK}content-encoding: gzip\r\ncontent-length: 0\r\n\r\n`,
      { body: '', cut: undefined },
    ],
    [
      'packed twice',
      `${OK}content-encoding: gzip, gzip\r\ncontent-length: 3\r\n\r\nabc`,
      { body: 'abc', cut: undefined },
    ],
    ['longer than it says', `${OK}content-length: 3\r\n\r\nabcdef`, { status: 200, cut: 'unreadable' }],
    [
      'with a body where none may be',
      'HTTP/1.1 204 x\r\ncontent-length: 3\r\n\r\nabc',
      { status: 204, cut: 'unreadable' },
    ],
    [
      'with a broken chunk',
      `${OK}transfer-encoding: chunked\r\n\r\nzz\r\nabc`,
      { status: 200, cut: 'unreadable' },
    ],
    ['with two lengths', `${OK}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`, { reason: /not HTTP/ }],
    [
      'with a length and chunks',
      `${OK}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
      { reason: /not HTTP/ },
    ],
    ['with control characters in a header', `${OK}x: a\0b\r\n\r\n`, { reason: /not HTTP/ }],
    ['with headers of 70 kB', `${OK}${headersOf(70_000)}\r\n`, { reason: /headers of more than 64 kB/ }],
    ['that is no HTTP', 'SSH-2.0-OpenSSH\r\n', { reason: /not HTTP/ }],
    ['that is nothing', '', { reason: /closed the connection/ }],
  ])('%s', async (_, raw, wanted) => {
    answering(raw);
    const got = await send().then(
      ({ body, ...rest }) => ({ ...rest, cut: rest.cut, body: body.toString() }),
      (error: Error) => ({ reason: error.message }),
    );
    if ('reason' in wanted) expect(got).toEqual({ reason: expect.stringMatching(wanted.reason) });
    else expect(got).toMatchObject(wanted);
  });

  it('with headers of 70 kB to a POST is one, so its outcome is known', async () => {
    answering(`${OK}${headersOf(70_000)}\r\n`);
    await expect(send({ method: 'POST' })).rejects.toBeInstanceOf(StepFailed);
  });
});

describe('a redirect', () => {
  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://ada:pass@127.0.0.1/'])(
    'to %s is shown and not followed',
    async (to) => {
      answering(`HTTP/1.1 302 x\r\nlocation: ${to}\r\n\r\n`);
      expect(await send({ follow: true })).toMatchObject({ status: 302, location: new URL(to).href });
    },
  );

  it.each([
    'http://10.0.0.1/',
    'http://0x0a.1/',
    'http://167772161/',
    'http://[::ffff:10.0.0.1]/',
    '//169.254.169.254/',
  ])('to %s ends the request there, and does not hide that it was answered', async (to) => {
    answering(`HTTP/1.1 302 x\r\nlocation: ${to}\r\n\r\n`);
    const error = await send({ follow: true, method: 'POST' }).catch((failed: unknown) => failed);
    expect(error).toMatchObject({
      code: 'redirect',
      message: expect.stringMatching(/redirect \(302\).*(?:private|metadata)/),
    });
    expect(mayHaveArrived((error as StepFailed).code)).toBe(true);
  });
});

/** The time that a request may take is a signal, so it ends here when the test says so. */
describe('a server that is slow', () => {
  const lateAfter = async (how: { method: string }, begin: (socket: Socket) => void) => {
    const late = new AbortController();
    answer = (socket) => {
      begin(socket);
      setImmediate(() => late.abort());
    };
    return send({ ...how, late: late.signal }).catch((error: unknown) => error);
  };

  it('leaves the outcome of a POST unknown, and fails a GET', async () => {
    const nothing = () => undefined;
    expect(await lateAfter({ method: 'POST' }, nothing)).toBeInstanceOf(StepLost);
    const get = await lateAfter({ method: 'GET' }, nothing);
    expect(get).toMatchObject({
      code: 'ETIMEDOUT',
      message: expect.stringMatching(/did not answer in time/),
    });
  });

  it('in the middle of its body is kept as far as it came', async () => {
    const late = new AbortController();
    answer = (socket) => void socket.write(`${OK}content-length: 100\r\n\r\nhalf`);
    const onHead = (): void => void setImmediate(() => late.abort());
    subscribe(HEAD_CAME, onHead);
    try {
      expect(await send({ method: 'POST', late: late.signal })).toMatchObject({ status: 200, cut: 'late' });
    } finally {
      unsubscribe(HEAD_CAME, onHead);
    }
  });
});
