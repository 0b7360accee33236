/** covers: DOM-05. An attacker between us and a real bind9 who answers in its place or alters its answers. */
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { addressRecord, Rfc2136 } from '../../apps/backend/src/dns';
import { DomainError } from '../../apps/backend/src/platform/errors';
import { Outbound } from '../../apps/backend/src/platform/outbound/outbound';
import { type Bind, startBind } from '../../testing/bind';

let bind: Bind;
const servers: Server[] = [];
beforeAll(async () => {
  bind = await startBind();
});
afterAll(async () => {
  for (const server of servers) await new Promise((done) => server.close(done));
  await bind.stop();
});

const listen = async (handler: (client: Socket) => void): Promise<number> => {
  const server = createServer((client) => handler(client.on('error', () => {})));
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};

/** A proxy to bind that alters each answer, including its two length bytes. */
const alteringWire = (alter: (answer: Buffer) => Buffer): Promise<number> =>
  listen((client) => {
    const server = connect({ host: bind.host, port: bind.port });
    server.on('error', () => client.destroy());
    let got = Buffer.alloc(0);
    server.on('data', (bytes) => {
      got = Buffer.concat([got, bytes]);
      if (got.length >= 2 && got.length >= 2 + got.readUInt16BE(0)) client.end(alter(Buffer.from(got)));
    });
    client.on('close', () => server.destroy());
    client.pipe(server);
  });

/** An attacker's server that answers without asking bind. */
const answering = (make: (question: Buffer) => Buffer): Promise<number> =>
  listen((client) => client.once('data', (bytes: Buffer) => client.end(make(Buffer.from(bytes)))));

const codeAt = async (port: number, zone = bind.zone): Promise<string | undefined> => {
  const settings = { server: bind.host, port, zone, keyName: bind.key.name, algorithm: bind.key.algorithm };
  const provider = new Rfc2136(settings, bind.key.secret, new Outbound(['127.0.0.1']));
  const error: unknown = await provider.check().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error === undefined) return undefined;
  if (error instanceof DomainError) return error.detail.code;
  throw error;
};

it('is accepted if the answer is unaltered', async () => {
  expect(await codeAt(await alteringWire((answer) => answer))).toBeUndefined();
});

it('is rejected if a refusal was turned into a success', async () => {
  const port = await alteringWire((answer) => {
    answer[5] = (answer[5] ?? 0) & 0xf0;
    return answer;
  });
  expect(await codeAt(port, bind.fixedZone)).toBe('BADSIG');
});

it.each([-1, -7, -20, -40])('is rejected if the byte %i from the end was changed', async (at) => {
  const port = await alteringWire((answer) => {
    const place = answer.length + at;
    answer[place] = (answer[place] ?? 0) ^ 1;
    return answer;
  });
  expect(await codeAt(port)).toEqual(expect.stringMatching(/^(BADSIG|BADRESP|BADKEY|BADTIME|BADTRUNC)$/));
});

it('is rejected without its signature', async () => {
  const port = await answering((question) => {
    const answer = Buffer.from(question.subarray(0, 14 + bind.zone.length + 2 + 4));
    answer.writeUInt16BE(answer.length - 2, 0);
    answer.writeUInt16BE(0xa800, 4);
    answer.writeUInt16BE(0, 12);
    return answer;
  });
  expect(await codeAt(port)).toBe('UNSIGNED');
});

it.each<[string, (question: Buffer) => Buffer]>([
  ['the question itself', (question) => question],
  [
    'an answer to another',
    (question) => {
      question[2] = (question[2] ?? 0) ^ 0xff;
      question[4] = 0xa8;
      return question;
    },
  ],
  ['noise', () => Buffer.concat([Buffer.from([0, 40]), Buffer.alloc(40, 0xff)])],
  ['an empty message', () => Buffer.from([0, 0])],
])('is not taken from %s', async (_what, make) => {
  expect(await codeAt(await answering(make))).toBe('BADRESP');
});

it('is not waited for if the answer is cut off', async () => {
  expect(await codeAt(await answering(() => Buffer.from([1, 0, 7])))).toBe('ECONNRESET');
});

it('never reports a record as added that was not', async () => {
  const port = await alteringWire((answer) => {
    answer[5] = (answer[5] ?? 0) & 0xf0;
    return answer;
  });
  const settings = {
    server: bind.host,
    port,
    zone: bind.fixedZone,
    keyName: bind.key.name,
    algorithm: bind.key.algorithm,
  };
  const provider = new Rfc2136(settings, bind.key.secret, new Outbound(['127.0.0.1']));
  await expect(
    provider.upsert(addressRecord(`shop.${bind.fixedZone}`, '127.0.0.9', 60)),
  ).rejects.toMatchObject({
    detail: { code: 'BADSIG' },
  });
});
