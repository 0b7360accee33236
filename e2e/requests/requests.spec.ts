/** Saved requests: kept, sent to a real server, and answered. covers: REQ-01, REQ-02 */
import { gzipSync } from 'node:zlib';
import type { Answer, requestLogs } from '@quarterdeck/contract';
import { v7 as uuidv7 } from 'uuid';
import { Outbound } from '../../apps/backend/src/platform/outbound';
import { sendRequest } from '../../apps/backend/src/requests/send-request';
import { startHostileHttp, type HostileHttp } from '../../testing/hostile-http';
import { startTlsEndpoints } from '../../testing/tls-endpoints';
import { startToldServer, withStatus, type ToldServer } from '../../testing/told-server';
import { openRequestGround, textOf, type RequestGround } from './requests-ground';

let ground: RequestGround;
let { world, alice, peer, ask, save, withParam, ended, send, answerOf } = {} as RequestGround;
let other: ToldServer;
let hostile: HostileHttp;

beforeAll(async () => {
  [ground, other, hostile] = await Promise.all([openRequestGround(), startToldServer(), startHostileHttp()]);
  ({ world, alice, peer, ask, save, withParam, ended, send, answerOf } = ground);
});
afterAll(async () => {
  await ground?.end();
  await Promise.all([other?.stop(), hostile?.stop()]);
});

const secret = (name: string, value: string) =>
  ask('request/secret/insert', { data: { name, env: { id: 1 }, collection: null, value } });

describe('a saved request', () => {
  it('needs only a name, and is listed with its collection, product and method by id and name', async () => {
    const { id: product } = await ask<{ id: string }>('product/insert', {
      data: { name: `Shop ${uuidv7()}` },
    });
    const { id: collection } = await ask<{ id: string }>('request/collection/insert', {
      data: { name: `Orders ${uuidv7()}` },
    });
    const { id } = await ask<{ id: string }>('request/insert', { data: { name: 'Bare' } });
    expect(await ask('request/detail', { id })).toMatchObject({
      name: 'Bare',
      method: { id: 1, name: 'GET' },
      host: '',
    });
    await ask('request/update', {
      id,
      data: { name: 'Bare', method: { id: 2 }, collection: { id: collection }, product: { id: product } },
    });
    const listed = await ask<{ id: string }[]>('request/list', {});
    expect(listed.find((one) => one.id === id)).toMatchObject({
      method: { id: 2, name: 'POST' },
      collection: { id: collection, name: expect.stringContaining('Orders') },
      product: { id: product, name: expect.stringContaining('Shop') },
    });
  });

  it('has parameters, listed by the id of the request as the specification asks', async () => {
    const id = await save({});
    await withParam(id, 'limit', 3, { dataType: { id: 2 }, isOptional: true });
    await ask('request/params/insert', {
      data: { inOrOut: false, output: { name: 'first', paramType: { id: 1 } }, value: 'items[0].id' },
      request: { id },
    });
    expect(await ask('request/params/list', { id })).toMatchObject([
      { inOrOut: false, input: null, output: { name: 'first', paramType: { id: 1, name: 'Payload' } } },
      {
        inOrOut: true,
        input: { name: 'limit', paramType: { id: 3, name: 'Params' } },
        output: null,
        isOptional: true,
        dataType: { id: 2, name: 'Number' },
      },
    ]);
  });

  it.each([
    ['host', { host: 'https://api.example.org/orders' }, /a host is expected/],
    ['url', { url: 'orders' }, /beginning with \//],
    ['body', { body: `{"key": "sk_live_${'0'.repeat(16)}"}` }, /Save it as a secret/],
    ['checks', { checks: 'status == 200\nstatus ==' }, /^line 2, column \d+: /],
    ['checks', { checks: `text.matches('^(a+)+$')` }, /matches is not available/],
    ['checks', { checks: 'status + 1' }, /has to be true or false/],
  ])('with a wrong %s is refused with what would be right', async (field, data, message) => {
    const { status, body } = await alice.post<{ data: Record<string, string> }>('request/insert', {
      data: { name: 'Wrong', ...data },
    });
    expect({ status, body }).toMatchObject({ status: 400 });
    expect(body.data[`data.${field}`] ?? body.data[field]).toMatch(message);
  });
});

describe('sent', () => {
  it('puts its parameters where they belong, and keeps status, headers as received, phases, size and hash', async () => {
    const id = await save({ method: { id: 2 }, url: '/shops/{{shop}}/orders' });
    await withParam(id, 'shop', 1, { value: 'a/b' });
    await withParam(id, 'count', 1, { dataType: { id: 2 } });
    await withParam(id, 'price', 1, { dataType: { id: 3 }, value: '12.50' });
    await withParam(id, 'tags', 1, { dataType: { id: 4 }, value: '["new"]' });
    await withParam(id, 'X-Trace', 2, { value: 'abc' });
    await withParam(id, 'q', 3, { value: 'x & y' });
    await withParam(id, 'unused', 3, { isOptional: true });
    peer.answer((response) =>
      response
        .writeHead(201, ['Content-Type', 'application/json', 'X-Two', '1', 'x-two', '2'])
        .end('{"id": 7}'),
    );
    const run = await send(id, { inputs: [{ name: 'count', value: '3' }] });
    expect(run).toMatchObject({ state: 'succeeded', kind: 'savedRequest' });
    const { method, path, headers, body } = peer.asked.at(-1)!;
    expect({ method, path }).toEqual({ method: 'POST', path: '/shops/a%2Fb/orders?q=x+%26+y' });
    expect(headers).toMatchObject({ 'x-trace': 'abc', 'content-type': 'application/json' });
    expect(body).toBe('{"count":3,"price":12.50,"tags":["new"]}');
    const received = await answerOf(run);
    expect(received).toMatchObject({
      status: 201,
      statusText: 'Created',
      size: 9,
      inputs: 'count=3',
      env: 1,
    });
    expect(received.headers.filter(([name]) => /two/i.test(name))).toEqual([
      ['X-Two', '1'],
      ['x-two', '2'],
    ]);
    expect(Object.keys(received.phases).toSorted()).toEqual([
      'connect',
      'dns',
      'download',
      'firstByte',
      'tls',
    ]);
    expect(textOf(received)).toBe('{"id": 7}');
    expect(run.steps.at(-1)?.report).toMatchObject({ status: '201', size: '9', sha256: received.sha256 });
    const logs = await ask<Answer<typeof requestLogs.list>>('request/logs/list', { id });
    expect(logs).toMatchObject([{ id: run.id, uuid: run.id, responseBody: '{"id": 7}', inputs: 'count=3' }]);
    expect(await ask('request/logs/detail', { id: run.id })).toEqual(logs[0]);
  });

  it('is refused before it is sent if an input is missing, unknown or of another type', async () => {
    const id = await save({});
    await withParam(id, 'count', 3, { dataType: { id: 2 } });
    const before = peer.asked.length;
    const refused = async (inputs: object[]) =>
      (await alice.post<{ data: object }>('request/execute', { id, inputs })).body.data;
    expect(await refused([])).toEqual({ 'inputs.count': 'This field is required' });
    expect(await refused([{ name: 'count', value: 'many' }])).toEqual({
      'inputs.count': 'a whole number is expected',
    });
    expect(await refused([{ name: 'other', value: '1' }])).toEqual({
      'inputs.other': 'this request has no such input',
    });
    expect(peer.asked.length).toBe(before);
  });

  it('takes variables of its environment, and those of its collection first', async () => {
    const { id: collection } = await ask<{ id: string }>('request/collection/insert', {
      data: { name: `C ${uuidv7()}` },
    });
    const set = (env: number, value: string, of: object | null = null) =>
      ask('request/variable/insert', { data: { name: 'where', env: { id: env }, collection: of, value } });
    await set(1, 'dev');
    await set(2, 'test');
    await set(2, 'own', { id: collection });
    peer.answer(withStatus(204));
    const plain = await save({ url: '/{{where}}' });
    const within = await save({ url: '/{{where}}', collection: { id: collection } });
    await send(plain, { env: { id: 1 } });
    await send(plain, { env: { id: 2 } });
    const run = await send(within, { env: { id: 2 } });
    expect(peer.asked.slice(-3).map(({ path }) => path)).toEqual(['/dev', '/test', '/own']);
    expect(await answerOf(run)).toMatchObject({ status: 204, size: 0 });
    const { status, body } = await alice.post<{ data: object }>('request/execute', {
      id: plain,
      env: { id: 3 },
    });
    expect({ status, data: body.data }).toEqual({
      status: 400,
      data: { url: 'there is no variable where in this environment' },
    });
  });

  it('names each value once in an environment and a collection, also when many set it at the same time', async () => {
    const { id: collection } = await ask<{ id: string }>('request/collection/insert', {
      data: { name: `C ${uuidv7()}` },
    });
    const set = (of: object | null, name: string) =>
      alice.post<{ id: string; data: object }>('request/variable/insert', {
        data: { name, env: { id: 1 }, collection: of, value: 'x' },
      });
    for (const place of [null, { id: collection }]) {
      const all = await Promise.all(Array.from({ length: 12 }, () => set(place, 'once')));
      expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(all.filter(({ status }) => status === 400)).toHaveLength(11);
      expect(all.find(({ status }) => status === 400)?.body.data).toEqual({
        name: 'another request variable with the same environment and collection already has this name',
      });
    }
    const first = await set(null, 'gone');
    await ask('request/variable/delete', { id: first.body.id });
    expect((await set(null, 'gone')).status).toBe(200);
    expect((await alice.post('request/variable/restore', { id: first.body.id })).status).toBe(400);
  });

  it('masks a secret wherever the server repeats it, in every form, before anything is stored', async () => {
    const value = `s3cr"t/${uuidv7()}`;
    await secret('echoed', value);
    const id = await save({});
    await withParam(id, 'Authorization', 2, { value: 'Bearer {{secret.echoed}}' });
    peer.answer((response, asked) =>
      response.writeHead(200, { 'x-echo': String(asked.headers.authorization) }).end(
        JSON.stringify({
          plain: asked.headers.authorization,
          encoded: encodeURIComponent(value),
          base64: Buffer.from(value).toString('base64'),
        }),
      ),
    );
    const run = await send(id);
    expect(peer.asked.at(-1)?.headers.authorization).toBe(`Bearer ${value}`);
    const received = await answerOf(run);
    const everything = JSON.stringify([
      run,
      received,
      textOf(received),
      await ask('request/logs/list', { id }),
    ]);
    for (const form of [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
    ])
      expect(everything).not.toContain(form);
    const { rows } = await world.backend.db.query<{ all: string }>(
      `select string_agg(encode(body, 'escape') || head::text, '') as all from app.request_answers where run = $1`,
      [run.id],
    );
    expect(rows[0]?.all).not.toContain(value);
    expect(received.sent.headers).toContainEqual(['Authorization', expect.stringMatching(/^.{7}$|\*/)]);
  });
});

describe('an answer', () => {
  it('of 500 is an answer, with its checks undecided or failed', async () => {
    peer.answer(withStatus(500, 'broken'));
    const run = await send(
      await save({ checks: 'status < 400\njson.total > 0\ntext == "broken" && ms >= 0.0' }),
    );
    expect(run).toMatchObject({ state: 'succeeded' });
    expect((await answerOf(run)).checks).toMatchObject([
      { is: 'failed' },
      { is: 'undecided', reason: expect.any(String) },
      { is: 'passed' },
    ]);
    expect(run.steps.at(-1)?.report).toMatchObject({ checks: '1 of 3' });
  });

  it('that redirects is shown, and followed only if asked, without credentials on another origin', async () => {
    await secret('hop', `hop-${uuidv7()}`);
    const id = await save({});
    await withParam(id, 'Authorization', 2, { value: 'Bearer {{secret.hop}}' });
    await withParam(id, 'X-Kept', 2, { value: 'yes' });
    peer.answer(withStatus(302, '', { location: `${other.url}/there` }));
    other.answer(withStatus(200, 'arrived'));
    expect(await answerOf(await send(id))).toMatchObject({ status: 302, location: `${other.url}/there` });
    expect(other.asked).toHaveLength(0);
    const followed = await answerOf(await send(id, { follow: true }));
    expect(textOf(followed)).toBe('arrived');
    expect(followed.hops).toMatchObject([
      { status: 302, dropped: [] },
      { status: 200, url: `${other.url}/there`, dropped: ['Authorization'] },
    ]);
    expect(other.asked.at(-1)?.headers).toMatchObject({ 'x-kept': 'yes' });
    expect(other.asked.at(-1)?.headers.authorization).toBeUndefined();
  });

  it('that redirects to a secret says where without it', async () => {
    await secret('place', '10.0.47.11');
    const id = await save({ method: { id: 2 } });
    await withParam(id, 'X-Place', 2, { value: '{{secret.place}}' });
    peer.answer((response, { headers }) =>
      response.writeHead(302, { location: `http://${String(headers['x-place'])}/` }).end(),
    );
    const run = await send(id, { follow: true });
    expect(run).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/redirect \(302\).*private/),
    });
    const { output } = await ask<{ output: string }>('run/output', { id: run.id });
    expect(JSON.stringify([run, output])).not.toContain('10.0.47.11');
    const shown = await answerOf(await send(id));
    expect(JSON.stringify(shown)).not.toContain('10.0.47.11');
  });

  it('that redirects to an address that must not be called, or for ever, ends there', async () => {
    const id = await save({});
    peer.answer(withStatus(302, '', { location: 'http://169.254.169.254/latest/meta-data' }));
    expect(await send(id, { follow: true })).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/metadata/),
    });
    peer.answer(withStatus(302, '', { location: '/again' }));
    const round = await answerOf(await send(id, { follow: true }));
    expect(round.hops).toHaveLength(6);
    expect(round.location).toBe(`${peer.url}/again`);
  });

  it('that unpacks to more than 5 MB is cut there, and an endless one too', async () => {
    const id = await save({ host: hostile.url });
    for (const way of ['bomb', 'body'] as const) {
      hostile.way = way;
      const run = await send(id);
      const received = await answerOf(run);
      expect(received).toMatchObject({ size: 5_000_000, cut: 'tooLarge' });
    }
    hostile.way = 'headers';
    expect(await send(id)).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/headers of more than 64 kB/),
    });
  });

  it('in gzip, in chunks, binary, or broken is kept as it was sent', async () => {
    const bytes = Buffer.from([0, 255, 128, 10, 13, 0]);
    const cases = [
      {
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync('packed'),
        is: Buffer.from('packed'),
        cut: undefined,
      },
      { headers: {}, body: bytes, is: bytes, cut: undefined },
      {
        headers: { 'content-encoding': 'gzip' },
        body: Buffer.from('no gzip'),
        is: Buffer.alloc(0),
        cut: 'unreadable',
      },
    ];
    const id = await save({});
    for (const { headers, body, is, cut } of cases) {
      peer.answer((response) => response.writeHead(200, headers).end(body));
      const received = await answerOf(await send(id));
      expect(Buffer.from(received.body ?? '', 'base64')).toEqual(is);
      expect(received.cut).toBe(cut);
    }
  });

  it('whose connection ends in the middle is kept as far as it came', async () => {
    peer.answer((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half');
      response.once('drain', () => undefined);
      setImmediate(() => response.destroy());
    });
    const received = await answerOf(await send(await save({})));
    expect(received.cut).toBe('ended');
  });

  it('to a request that named a token of an earlier answer does not keep the token for ever', async () => {
    const token = `tok-${uuidv7()}`;
    const { id: collection } = await ask<{ id: string }>('request/collection/insert', {
      data: { name: `C ${uuidv7()}` },
    });
    const of = { collection: { id: collection } };
    const first = await save({ ...of, url: '/sign-in' });
    const second = await save({ ...of, sequence: 2 });
    await ask('request/params/insert', {
      data: { inOrOut: false, output: { name: 'session', paramType: { id: 1 } }, value: 'token' },
      request: { id: first },
    });
    await withParam(second, 'Authorization', 2, { value: 'Bearer {{session}}' });
    peer.answer((response, { path, headers }) =>
      response.end(JSON.stringify(path === '/sign-in' ? { token } : { echo: headers.authorization })),
    );
    const { runId } = await ask<{ runId: string }>('request/collection/run', { id: collection });
    expect(await ended(runId)).toMatchObject({ state: 'succeeded' });
    expect(peer.asked.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
    const [kept] = await ask<{ id: string }[]>('request/logs/list', { id: second });
    expect(JSON.stringify(await answerOf({ id: kept?.id } as never))).not.toContain(token);
  });

  it('that a client received itself is recorded with what it says, and masked', async () => {
    const value = `told-${uuidv7()}`;
    await secret('told', value);
    const id = await save({});
    const { id: run } = await ask<{ id: string }>('request/logs/insert', {
      data: { request: { id }, responseBody: `{"token": "${value}"}`, inputs: 'limit=1' },
    });
    expect(await ask('request/logs/list', { id })).toMatchObject([
      { id: run, by: 'client', inputs: 'limit=1' },
    ]);
    expect(JSON.stringify(await ask('request/logs/detail', { id: run }))).not.toContain(value);
  });
});

describe('a lost answer', () => {
  it('of a POST leaves its outcome unknown, and of a GET is a failure', async () => {
    peer.answer((response) => response.destroy());
    const post = await send(await save({ method: { id: 2 } }));
    expect(post).toMatchObject({
      state: 'interrupted',
      reason: expect.stringMatching(/POST is not known.*not sent again/),
    });
    expect(await send(await save({}))).toMatchObject({
      state: 'failed',
      reason: expect.stringMatching(/closed the connection/),
    });
  });

  it('of a POST that is cancelled stays unknown', async () => {
    peer.answer(() => undefined);
    const id = await save({ method: { id: 2 } });
    const before = peer.asked.length;
    const { runId } = await ask<{ runId: string }>('request/execute', { id });
    await peer.came(before + 1);
    await ask('run/cancel', { id: runId });
    expect(await ended(runId)).toMatchObject({
      state: 'interrupted',
      reason: expect.stringMatching(/not known/),
    });
  });
});

describe('an address that must not be called', () => {
  it('is refused with the reason, and nothing is sent', async () => {
    const id = await save({ host: 'http://10.0.0.9' });
    expect(await send(id)).toMatchObject({ state: 'failed', reason: expect.stringMatching(/private/) });
  });
});

describe('an answer in another form of HTTP', () => {
  it('1.0, ended by the connection, and in chunks, is read to its end', async () => {
    const id = await save({});
    peer.answer((response) => {
      response.socket?.end('HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nold but whole');
    });
    const old = await answerOf(await send(id));
    expect({ ...old, text: textOf(old) }).toMatchObject({ httpVersion: '1.0', text: 'old but whole' });
    peer.answer((response) => {
      for (const part of ['one ', 'two ', 'three']) response.write(part);
      response.end();
    });
    expect(textOf(await answerOf(await send(id)))).toBe('one two three');
  });
});

describe('a name that resolves to another address later', () => {
  it('is called at the address that was judged', async () => {
    let asked = 0;
    const outbound = new Outbound(['127.0.0.1'], () =>
      Promise.resolve([asked++ === 0 ? '127.0.0.1' : '10.0.0.9']),
    );
    const late = new AbortController().signal;
    const port = new URL(peer.url).port;
    peer.answer(withStatus(200, 'judged'));
    const ready = { method: 'GET', url: new URL(`http://rebinding.example:${port}/`), headers: [] };
    const sending = {
      outbound,
      follow: false,
      own: new Set<string>(),
      secretBody: false,
      repeatable: true,
      signal: late,
      late,
    };
    const answer = await sendRequest(ready, sending);
    expect(answer.body.toString()).toBe('judged');
    expect(asked).toBe(1);
    await expect(sendRequest(ready, sending)).rejects.toThrow(/must not be called/);
  });
});

describe('a server with a wrong certificate', () => {
  it('gets nothing, and the reason is said', async () => {
    const tls = await startTlsEndpoints();
    try {
      tls.serve('self.example.test', 'selfSigned');
      const { port } = tls;
      const outbound = new Outbound(['127.0.0.1'], () => Promise.resolve(['127.0.0.1']));
      const late = new AbortController().signal;
      const url = new URL(`https://self.example.test:${port}/`);
      const ready = { method: 'POST', url, headers: [], body: 'secret' };
      const sending = {
        outbound,
        follow: false,
        own: new Set<string>(),
        secretBody: false,
        repeatable: false,
        signal: late,
        late,
      };
      await expect(sendRequest(ready, sending)).rejects.toThrow(/certificate/);
    } finally {
      await tls.stop();
    }
  });
});
