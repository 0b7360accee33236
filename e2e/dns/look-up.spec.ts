/** covers: DOM-04. Look-ups against a real bind9. */
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { lookUp, LookUps, pointing } from '../../apps/backend/src/dns';
import { Outbound } from '../../apps/backend/src/platform/outbound/outbound';
import { type Bind, startBind } from '../../testing/bind';
import { freePort } from '../../testing/free-port';
import { startTcpProxy } from '../../testing/tcp-proxy';

let bind: Bind;
beforeAll(async () => {
  bind = await startBind();
  bind.change(
    'add shop.example.test 60 A 127.0.0.9',
    'add both.example.test 60 A 127.0.0.9',
    'add both.example.test 60 AAAA 2001:db8::9',
    'add six.example.test 60 AAAA 2001:db8::9',
    'add text.example.test 60 TXT only-text',
    'add www.example.test 60 CNAME alias.example.test.',
    'add alias.example.test 60 CNAME shop.example.test.',
    'add lost.example.test 60 CNAME nowhere.example.test.',
    'add circle.example.test 60 CNAME elcric.example.test.',
    'add elcric.example.test 60 CNAME circle.example.test.',
  );
});
afterAll(() => bind.stop());

const AAAA = 28;

/** The requested record type: it follows the name, which begins after the header and ends with an empty label. */
const kindOf = (question: Buffer): number => question.readUInt16BE(question.indexOf(0, 12) + 1);

/** Forwards questions to bind9, except those for IPv6 addresses, which are dropped. */
const startHalfSilent = async () => {
  const [inside, outside] = [createSocket('udp4'), createSocket('udp4')];
  const askers = new Map<number, RemoteInfo>();
  outside.on('message', (question, asker) => {
    if (kindOf(question) === AAAA) return;
    askers.set(question.readUInt16BE(0), asker);
    inside.send(question, bind.port, bind.host);
  });
  inside.on('message', (answer) => {
    const asker = askers.get(answer.readUInt16BE(0));
    if (asker) outside.send(answer, asker.port, asker.address);
  });
  outside.bind(0, '127.0.0.1');
  await once(outside, 'listening');
  const stop = (): void => {
    inside.close();
    outside.close();
  };
  return { server: `127.0.0.1:${outside.address().port}`, stop };
};

const ask = (host: string, more: object = {}) => lookUp(host, { resolvers: [bind.server], ...more });

describe('a look-up', () => {
  it('finds the address, and says who answered and how long it took', async () => {
    const answer = await ask('shop.example.test');
    expect(answer).toEqual({
      is: 'found',
      addresses: [{ address: '127.0.0.9', family: 4 }],
      resolver: bind.server,
      tookMs: expect.any(Number),
    });
  });

  it('finds addresses of both families, IPv4 first, in any notation of the name', async () => {
    const both = [
      { address: '127.0.0.9', family: 4 },
      { address: '2001:db8::9', family: 6 },
    ];
    expect(await ask(' Both.EXAMPLE.test. ')).toMatchObject({ is: 'found', addresses: both });
    expect(await ask('six.example.test')).toMatchObject({ is: 'found', addresses: [both[1]] });
  });

  it('follows a chain of aliases and shows it', async () => {
    expect(await ask('www.example.test')).toMatchObject({
      is: 'found',
      addresses: [{ address: '127.0.0.9', family: 4 }],
      cname: ['alias.example.test', 'shop.example.test'],
    });
  });

  it('distinguishes a name that does not exist from one without an address', async () => {
    expect(await ask('gone.example.test')).toMatchObject({ is: 'none', because: 'no-such-name' });
    expect(await ask('text.example.test')).toMatchObject({ is: 'none', because: 'no-address' });
    expect(await ask('lost.example.test')).toMatchObject({
      is: 'none',
      because: 'no-address',
      cname: ['nowhere.example.test'],
    });
  });

  it('ends without an address if the aliases form a loop', async () => {
    const answer = await ask('circle.example.test');
    expect(answer.is).not.toBe('found');
  });

  it('says in words why it failed', async () => {
    const silentPort = await freePort();
    const [broken, foreign, nobody] = [
      await ask('shop.broken.test'),
      await ask('shop.example.com'),
      await ask('shop.example.test', { resolvers: [`127.0.0.1:${silentPort}`] }),
    ];
    expect(broken).toMatchObject({
      is: 'failed',
      code: 'ESERVFAIL',
      reason: `${bind.server} could not find out (SERVFAIL)`,
    });
    expect(foreign).toMatchObject({ is: 'failed', code: 'EREFUSED' });
    expect(nobody).toMatchObject({
      is: 'failed',
      code: 'ECONNREFUSED',
      reason: `127.0.0.1:${silentPort} does not listen`,
    });
  });

  it('asks the next resolver if one fails, and accepts "nothing" as an answer', async () => {
    const dead = `127.0.0.1:${await freePort()}`;
    const resolvers = [dead, bind.server];
    expect(await ask('shop.example.test', { resolvers })).toMatchObject({
      is: 'found',
      resolver: bind.server,
    });
    const other = await startBind();
    try {
      other.change('add only-there.example.test 60 A 127.0.0.7');
      const both = { resolvers: [bind.server, other.server] };
      expect(await ask('only-there.example.test', both)).toMatchObject({ is: 'none', resolver: bind.server });
      expect(await ask('only-there.example.test', { resolvers: [other.server] })).toMatchObject({
        is: 'found',
      });
    } finally {
      await other.stop();
    }
  });

  it('ends if a resolver is silent, asks the next, and uses the first again once it answers', async () => {
    const other = await startBind();
    other.change('add shop.example.test 60 A 127.0.0.8');
    await bind.freeze();
    try {
      const silent = await ask('shop.example.test', { timeoutMs: 300 });
      expect(silent).toMatchObject({
        is: 'failed',
        code: 'ETIMEOUT',
        reason: `${bind.server} did not answer in time`,
      });
      expect(silent.tookMs).toBeLessThan(60_000);
      const next = await ask('shop.example.test', {
        timeoutMs: 8000,
        resolvers: [bind.server, other.server],
      });
      expect(next).toMatchObject({ is: 'found', resolver: other.server });
    } finally {
      bind.thaw();
      await other.stop();
    }
    expect(await ask('shop.example.test')).toMatchObject({ is: 'found' });
  });

  it('reports one family as unknown if a resolver only answers the other, and asks the next one for both', async () => {
    const half = await startHalfSilent();
    try {
      const resolvers = [half.server];
      const alone = await ask('both.example.test', { resolvers, timeoutMs: 3000 });
      expect(alone).toEqual({
        is: 'found',
        addresses: [{ address: '127.0.0.9', family: 4 }],
        unheard: { family: 6, reason: `${half.server} did not answer in time` },
        resolver: half.server,
        tookMs: expect.any(Number),
      });
      const more = { resolvers: [half.server, bind.server], timeoutMs: 3000 };
      const whole = await ask('both.example.test', more);
      expect(whole).toMatchObject({ resolver: bind.server, addresses: [{ family: 4 }, { family: 6 }] });
      expect(whole).not.toHaveProperty('unheard');
      // Another resolver that fails does not affect the first one's answer.
      const dead = `127.0.0.1:${await freePort()}`;
      expect(await ask('both.example.test', { ...more, resolvers: [half.server, dead] })).toMatchObject({
        is: 'found',
        unheard: { reason: `${half.server} did not answer in time; ${dead} does not listen` },
      });
    } finally {
      half.stop();
    }
  });

  it('answers for localhost and addresses without a query', async () => {
    const nobody = { resolvers: ['127.0.0.1:1'] };
    expect(await ask('localhost', nobody)).toMatchObject({ is: 'found', resolver: 'literal' });
    expect(await ask('192.0.2.1', nobody)).toMatchObject({
      addresses: [{ address: '192.0.2.1', family: 4 }],
    });
    expect(await ask('[2001:DB8::1]', nobody)).toMatchObject({
      addresses: [{ address: '2001:db8::1', family: 6 }],
    });
  });

  it.each(['', 'a b', 'a/b', '$(id).example.test', 'http://example.test'])(
    'refuses %j as a name',
    async (host) => {
      await expect(ask(host).then(({ is }) => is)).rejects.toMatchObject({
        code: 'invalid',
        data: { hostname: expect.any(String) },
      });
    },
  );
});

describe('look-ups of an installation', () => {
  it('use DNS_SERVERS, and the resolvers of the workspace if it names any', async () => {
    const other = await startBind();
    other.change('add shop.example.test 60 A 127.0.0.8');
    const lookUps = new LookUps([bind.server], new Outbound(['127.0.0.1']));
    expect(await lookUps.of('shop.example.test')).toMatchObject({ resolver: bind.server });
    expect(await lookUps.of('shop.example.test', [other.server])).toMatchObject({ resolver: other.server });
    await other.stop();
  });

  it('do not ask an internal resolver that only a workspace names', async () => {
    const watched = await startTcpProxy({ host: bind.host, port: bind.port });
    const lookUps = new LookUps([bind.server], new Outbound());
    for (const resolver of [`127.0.0.1:${watched.port}`, `[::1]:${watched.port}`, '::1', '10.0.0.1']) {
      const answer = await lookUps.of('shop.example.test', [resolver]);
      expect(answer).toMatchObject({ is: 'failed', code: 'EREFUSEDHERE' });
      expect(answer.is === 'failed' && answer.reason).toContain(`${resolver} must not be called`);
    }
    expect(watched.accepted).toBe(0);
    await watched.stop();
  });

  it('compare a domain with a server whose host is a name, an address or known only to this system', async () => {
    const lookUps = new LookUps([bind.server], new Outbound());
    const addressesOf = async (work: ReturnType<LookUps['of']>) => {
      const answer = await work;
      return answer.is === 'found' ? answer.addresses : [];
    };
    const domain = await addressesOf(lookUps.of('www.example.test'));
    for (const [host, points] of [
      ['127.0.0.9', true],
      ['shop.example.test', true],
      ['both.example.test', true],
      ['127.0.0.8', false],
      ['gone.example.test', false],
    ] as const)
      expect([host, pointing(domain, await addressesOf(lookUps.hostAddresses(host))).here]).toEqual([
        host,
        points,
      ]);
  });
});
