import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DomainError } from '../errors';
import { Outbound, OutboundRefused } from './outbound';
import { callOut } from './outbound-http';

const names: Record<string, string[]> = {
  'shop.example.org': ['93.184.216.34'],
  'both.example.org': ['2606:4700::1', '93.184.216.34'],
  'inside.example.org': ['10.0.0.5'],
  'mixed.example.org': ['10.0.0.5', '93.184.216.34'],
  'mapped.example.org': ['::ffff:127.0.0.1'],
};
const resolve = (name: string): Promise<string[]> =>
  names[name]
    ? Promise.resolve(names[name])
    : Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));

const failureOf = async (work: Promise<unknown>): Promise<DomainError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
};

describe('where the back end may call out', () => {
  const outbound = new Outbound([], resolve);

  it('pins the address that a name has now', async () => {
    const target = await outbound.reach({ host: 'Shop.example.org.', port: 443 });
    expect(target).toMatchObject({
      host: 'shop.example.org',
      port: 443,
      address: '93.184.216.34',
      family: 4,
    });
  });

  it('returns all addresses that may be called, IPv4 first, and only those', async () => {
    const both = await outbound.reach({ host: 'both.example.org', port: 443 });
    expect(both.addresses.map(({ address }) => address)).toEqual(['93.184.216.34', '2606:4700::1']);
    const mixed = await outbound.reach({ host: 'mixed.example.org', port: 443 });
    expect(mixed.addresses.map(({ address }) => address)).toEqual(['93.184.216.34']);
  });

  it.each([
    'inside.example.org',
    'mapped.example.org',
    '10.0.0.5',
    '[::1]',
    'localhost',
    'a.localhost',
    '0x7f.1',
  ])('refuses %s, and says how it could be allowed', async (host) => {
    const refused = await failureOf(outbound.reach({ host, port: 443 }));
    expect(refused).toBeInstanceOf(OutboundRefused);
    expect(refused.msg).toContain('OUTBOUND_ALLOW');
  });

  it.each([
    ['10.0.0.5', 'OUTBOUND_ALLOW'],
    ['[::1]', 'OUTBOUND_ALLOW'],
    ['a.localhost', 'OUTBOUND_ALLOW'],
    ['a/b', 'neither a host name'],
    // The addresses of names become known only when they are called.
    ['inside.example.org', undefined],
    ['93.184.216.34', undefined],
  ])('judges %s without asking a name server', (host, why) => {
    const refusal = outbound.refusalOfHost(host);
    if (why === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(why);
    expect(new Outbound(['127.0.0.1']).refusalOfHost('localhost')).toBeUndefined();
  });

  it('refuses what is no host and no port', async () => {
    expect((await failureOf(outbound.reach({ host: 'a/b', port: 443 }))).msg).toContain(
      'neither a host name',
    );
    expect((await failureOf(outbound.reach({ host: 'shop.example.org', port: 0 }))).msg).toContain(
      'not a port',
    );
  });

  it("reports a name without an address, with the resolver's code", async () => {
    const error = await failureOf(outbound.reach({ host: 'gone.example.org', port: 443 }));
    expect(error).toMatchObject({ code: 'upstream', detail: { code: 'ENOTFOUND' } });
    expect(error.msg).toContain('gone.example.org');
  });

  it.each([['inside.example.org'], ['10.0.0.5'], ['10.0.0.0/8'], ['::ffff:10.0.0.0/104']])(
    'OUTBOUND_ALLOW=%s allows calls to inside.example.org',
    async (entry) => {
      const target = await new Outbound([entry], resolve).reach({ host: 'inside.example.org', port: 80 });
      expect(target.address).toBe('10.0.0.5');
    },
  );

  it('allows exactly that name: not names below it, and not its address under another name', async () => {
    const allowing = outbound.alsoTo('inside.example.org');
    await allowing.reach({ host: 'inside.example.org', port: 80 });
    await failureOf(allowing.reach({ host: '10.0.0.5', port: 80 }));
    await failureOf(new Outbound(['example.org'], resolve).reach({ host: 'inside.example.org', port: 80 }));
    await failureOf(outbound.reach({ host: 'inside.example.org', port: 80 }));
  });

  it('is not redirected by a second answer of the name server', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.99']];
    let asked = 0;
    const rebinding = new Outbound(['127.0.0.1'], () => Promise.resolve(answers[asked++] ?? []));
    const server = createServer((_request, response) => response.end('the first'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const answer = await callOut(rebinding, { url: `http://shop.example.org:${port}/` });
    expect(answer.text).toBe('the first');
    expect(asked).toBe(1);
    const refused = await failureOf(callOut(rebinding, { url: `http://shop.example.org:${port}/` }));
    expect(refused).toBeInstanceOf(OutboundRefused);
    await new Promise((done) => server.close(done));
  });

  it('serves sockets that ask for one address, for all and for a family', async () => {
    const { lookup } = await outbound.reach({ host: 'both.example.org', port: 443 });
    const asked = (options: object): Promise<unknown> =>
      new Promise((done) =>
        lookup('other', options, (error, address, family) => done([error?.code, address, family])),
      );
    expect(await asked({})).toEqual([undefined, '93.184.216.34', 4]);
    expect(await asked({ family: 6 })).toEqual([undefined, '2606:4700::1', 6]);
    expect(await asked({ all: true, family: 4 })).toEqual([
      undefined,
      [{ address: '93.184.216.34', family: 4 }],
      undefined,
    ]);
    const { lookup: onlyOne } = await outbound.reach({ host: 'shop.example.org', port: 443 });
    const code = await new Promise((done) => onlyOne('x', { family: 6 }, (error) => done(error?.code)));
    expect(code).toBe('ENOTFOUND');
  });
});

describe('an outgoing call', () => {
  const outbound = new Outbound(['localhost']);
  const servers: ReturnType<typeof createServer>[] = [];
  const serve = async (handler: RequestListener): Promise<string> => {
    const server = createServer(handler);
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return `http://localhost:${(server.address() as AddressInfo).port}`;
  };
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });

  it('sends method, headers and body and returns the answer', async () => {
    const url = await serve((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        response.writeHead(201, { 'x-seen': request.headers.authorization });
        response.end(`${request.method} ${request.url} ${request.headers.host} ${body}`);
      });
    });
    const answer = await callOut(outbound, {
      url: `${url}/a?b=c`,
      method: 'POST',
      headers: { authorization: 'Bearer t' },
      body: 'ü',
    });
    expect(answer).toMatchObject({ status: 201, headers: { 'x-seen': 'Bearer t' } });
    expect(answer.text).toBe(`POST /a?b=c ${new URL(url).host} ü`);
  });

  it('follows no redirect, which could lead to an internal host', async () => {
    const url = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    );
    expect((await callOut(outbound, { url })).status).toBe(302);
  });

  it.each<[string, RequestListener, object, string]>([
    ['never answers', () => {}, { timeoutMs: 100 }, 'ETIMEDOUT'],
    ['stops in the middle', (_request, response) => response.write('half'), { timeoutMs: 100 }, 'ETIMEDOUT'],
    ['breaks off', (request) => request.socket.destroy(), {}, 'ECONNRESET'],
    ['says too much', (_request, response) => response.end('x'.repeat(2000)), { maxBytes: 1000 }, 'ETOOBIG'],
  ])('ends with a message when the other end %s', async (_what, handler, limits, code) => {
    const url = await serve(handler);
    const error = await failureOf(callOut(outbound, { url, ...limits }));
    expect(error).toMatchObject({ code: 'upstream', detail: { code } });
    expect(error.msg).toContain(new URL(url).host);
  });

  it('reports a closed port and an abort', async () => {
    const error = await failureOf(callOut(outbound, { url: 'http://localhost:1/' }));
    expect(error.msg).toBe('localhost:1 refused the connection');
    const silent = await serve(() => {});
    const stopped = await failureOf(callOut(outbound, { url: silent, signal: AbortSignal.abort() }));
    expect(stopped.detail.code).toBe('ECANCELED');
  });

  it('uses only HTTP and HTTPS', async () => {
    expect((await failureOf(callOut(outbound, { url: 'ftp://localhost/' }))).msg).toContain('ftp:');
  });
});
