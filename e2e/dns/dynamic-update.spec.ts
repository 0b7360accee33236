/** covers: DOM-04, DOM-05. Records added to a real bind9 by signed dynamic updates. */
import { addressRecord, lookUp, Rfc2136 } from '../../apps/backend/src/dns';
import { textAt } from '../../apps/backend/src/dns/challenge';
import { DomainError } from '../../apps/backend/src/platform/errors';
import { Outbound, OutboundRefused } from '../../apps/backend/src/platform/outbound/outbound';
import { type Bind, type BindKey, startBind } from '../../testing/bind';
import { freePort } from '../../testing/free-port';
import { startTcpProxy } from '../../testing/tcp-proxy';

let bind: Bind;
beforeAll(async () => {
  bind = await startBind();
});
afterAll(() => bind.stop());

const outbound = new Outbound(['127.0.0.1']);
const hour = 3_600_000;

interface Differently {
  key?: BindKey;
  zone?: string;
  server?: string;
  port?: number;
  timeoutMs?: number;
  clock?: number;
  from?: Outbound;
}

const providerWith = (other: Differently = {}): Rfc2136 => {
  const key = other.key ?? bind.key;
  return new Rfc2136(
    {
      server: other.server ?? bind.host,
      port: other.port ?? bind.port,
      zone: other.zone ?? bind.zone,
      keyName: key.name,
      algorithm: key.algorithm,
    },
    key.secret,
    other.from ?? outbound,
    { timeoutMs: other.timeoutMs ?? 60_000, now: () => Date.now() + (other.clock ?? 0) },
  );
};

const failureOf = async (work: Promise<unknown>): Promise<DomainError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
};

const seen = async (host: string): Promise<string[]> => {
  const answer = await lookUp(host, { resolvers: [bind.server] });
  return answer.is === 'found' ? answer.addresses.map(({ address }) => address) : [];
};
const linesOf = (host: string): string[] => bind.records().filter((line) => line.startsWith(`${host}. `));

const textsOf = (name: string, from = outbound) =>
  textAt(name, {
    zone: bind.zone,
    resolvers: [bind.server],
    outbound: from,
    primary: { server: bind.host, port: bind.port },
  });

let made = 0;
const freshName = (): string => `host${++made}.${bind.zone}`;

describe('a dynamic update', () => {
  it.each(['hmac-sha256', 'hmac-sha512'] as const)(
    'adds a record with %s, and our own look-up sees it at once',
    async (algorithm) => {
      const key = algorithm === 'hmac-sha256' ? bind.key : bind.longKey;
      const name = freshName();
      const provider = providerWith({ key });
      expect(await seen(name)).toEqual([]);
      expect(await provider.upsert(addressRecord(name, '127.0.0.9', 120))).toEqual({
        done: 'added',
        before: [],
      });
      expect(await seen(name)).toEqual(['127.0.0.9']);
      expect(linesOf(name)).toEqual([`${name}. 120 IN A 127.0.0.9`]);
    },
  );

  it('adds IPv6 beside IPv4', async () => {
    const name = freshName();
    await providerWith().upsert(addressRecord(name, '127.0.0.9', 60));
    expect(await providerWith().upsert(addressRecord(name, '2001:DB8:0::00f0', 60))).toMatchObject({
      done: 'added',
    });
    expect(await seen(name)).toEqual(['127.0.0.9', '2001:db8::f0']);
  });

  it('is idempotent: an existing record stays, with its TTL', async () => {
    const name = freshName();
    await providerWith().upsert(addressRecord(name, '127.0.0.9', 60));
    const before = [{ name, type: 'A', value: '127.0.0.9', ttl: 60 }];
    expect(await providerWith().upsert(addressRecord(name, '127.0.0.9', 999))).toEqual({
      done: 'unchanged',
      before,
    });
    expect(linesOf(name)).toEqual([`${name}. 60 IN A 127.0.0.9`]);
  });

  it('replaces another address only on request, and reports the existing one', async () => {
    const name = freshName();
    bind.change(`add ${name} 60 A 127.0.0.1`, `add ${name} 60 A 127.0.0.2`, `add ${name} 60 TXT kept`);
    const wanted = addressRecord(name, '127.0.0.9', 60);
    const refused = await failureOf(providerWith().upsert(wanted));
    expect(refused).toMatchObject({ code: 'conflict', detail: { code: 'record-stands' } });
    expect(refused.msg).toContain('A 127.0.0.1');
    expect(refused.msg).toContain('A 127.0.0.2');
    expect(refused.detail.current).toHaveLength(2);
    expect((await seen(name)).sort()).toEqual(['127.0.0.1', '127.0.0.2']);
    expect(await providerWith().upsert(wanted, { replace: true })).toMatchObject({ done: 'replaced' });
    expect(linesOf(name).sort()).toEqual([`${name}. 60 IN A 127.0.0.9`, `${name}. 60 IN TXT "kept"`]);
  });

  it('replaces an alias by an address, and back', async () => {
    const name = freshName();
    bind.change(`add ${name} 60 CNAME ns.${bind.zone}.`);
    const wanted = addressRecord(name, '127.0.0.9', 60);
    expect((await failureOf(providerWith().upsert(wanted))).msg).toContain(`CNAME ns.${bind.zone}`);
    const { before } = await providerWith().upsert(wanted, { replace: true });
    expect(linesOf(name)).toEqual([`${name}. 60 IN A 127.0.0.9`]);
    const [alias] = before;
    if (!alias) throw new Error('nothing stood there');
    await providerWith().upsert(alias, { replace: true });
    expect(linesOf(name)).toEqual([`${name}. 60 IN CNAME ns.${bind.zone}.`]);
  });

  it('reports an alias that the server accepted but did not add, because of other records', async () => {
    const name = freshName();
    bind.change(`add ${name} 60 TXT text`);
    const alias = { name, type: 'CNAME' as const, value: `ns.${bind.zone}`, ttl: 60 };
    expect((await failureOf(providerWith().upsert(alias))).detail.code).toBe('IGNORED');
  });

  it('removes exactly one record, and removing it again has no effect', async () => {
    const name = freshName();
    bind.change(`add ${name} 60 A 127.0.0.1`, `add ${name} 60 A 127.0.0.2`);
    const one = { name, type: 'A' as const, value: '127.0.0.1' };
    expect(await providerWith().remove(one)).toEqual({ done: 'removed' });
    expect(await seen(name)).toEqual(['127.0.0.2']);
    expect(await providerWith().remove(one)).toEqual({ done: 'was-not-there' });
  });

  it('decides again if somebody changes the name in between: neither change is lost', async () => {
    const name = freshName();
    const values = ['127.0.0.1', '127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
    const ends = await Promise.allSettled(
      values.map((value) => providerWith().upsert(addressRecord(name, value, 60))),
    );
    const added = ends.filter((end) => end.status === 'fulfilled');
    expect(added).toHaveLength(1);
    for (const end of ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'conflict' });
    expect(await seen(name)).toHaveLength(1);
  });

  it('adds TXT records beside each other, and removes one of them alone, without an error if it is repeated', async () => {
    const name = `_acme-challenge.${freshName()}`;
    const provider = providerWith();
    const [one, other] = ['one', 'x'.repeat(255)].map((text) => ({ name, text }));
    if (!one || !other) throw new Error('two are expected');
    await Promise.all([provider.addText(one, 60), providerWith().addText(other, 60)]);
    await provider.addText(one, 60);
    const both = [`${name}. 60 IN TXT "${one.text}"`, `${name}. 60 IN TXT "${other.text}"`];
    expect(linesOf(name).toSorted()).toEqual(both);
    await provider.removeText(one);
    await provider.removeText(one);
    expect(linesOf(name)).toEqual(both.slice(1));
    expect(await textsOf(name)).toEqual([{ server: `ns.${bind.zone}`, texts: [other.text] }]);
    await provider.removeText(other);
    expect(await textsOf(name)).toEqual([{ server: `ns.${bind.zone}`, texts: [] }]);
  });

  it('adds no TXT record to an alias, which the server would silently ignore', async () => {
    const name = freshName();
    bind.change(`add ${name} 60 CNAME elsewhere.test.`);
    expect(await failureOf(providerWith().addText({ name, text: 'proof' }, 60))).toMatchObject({
      code: 'conflict',
      msg: `${name} is an alias of elsewhere.test, so it can have no TXT record: remove that alias first`,
    });
  });

  it('asks each name server of the zone for the TXT records, and says which is silent', async () => {
    const name = freshName();
    bind.change(
      `add ${name} 60 TXT seen`,
      `add ${bind.zone} 60 NS dark.${bind.zone}`,
      `add dark.${bind.zone} 60 A 127.0.0.77`,
    );
    const refused = await textsOf(name, new Outbound(['127.0.0.1']));
    expect(refused.toSorted((a, b) => a.server.localeCompare(b.server))).toEqual([
      { server: `dark.${bind.zone}`, silent: expect.stringContaining('127.0.0.77') },
      { server: `ns.${bind.zone}`, texts: ['seen'] },
    ]);
    bind.change(`delete ${bind.zone} NS dark.${bind.zone}`);
  });

  it('checks without changing anything', async () => {
    const before = bind.records();
    await providerWith().check();
    await providerWith({ key: bind.longKey }).check();
    expect(bind.records()).toEqual(before);
  });

  it('refuses names outside the zone before any call', async () => {
    const error = await failureOf(
      providerWith({ port: 1 }).upsert(addressRecord('shop.example.com', '127.0.0.9', 60)),
    );
    expect(error).toMatchObject({ code: 'invalid', data: { name: expect.stringContaining(bind.zone) } });
  });
});

describe('a failed dynamic update says why, and changes nothing', () => {
  const wrongSecret = (): BindKey => ({ ...bind.key, secret: Buffer.alloc(32, 1).toString('base64') });
  const cases: [string, () => Differently, string, string][] = [
    ['the secret is wrong', () => ({ key: wrongSecret() }), 'BADSIG', 'a different secret'],
    [
      'the key is unknown',
      () => ({ key: { ...bind.key, name: 'stranger' } }),
      'BADKEY',
      'does not know this key',
    ],
    [
      'the key has another algorithm',
      () => ({ key: { ...bind.key, algorithm: 'hmac-sha512' } }),
      'BADKEY',
      'algorithm',
    ],
    ['the clock is wrong', () => ({ clock: hour }), 'BADTIME', 'clock'],
    ['the clock is slow', () => ({ clock: -hour }), 'BADTIME', 'clock'],
  ];
  it.each(cases)('when %s', async (_what, differently, code, words) => {
    const name = freshName();
    const provider = providerWith(differently());
    for (const work of [provider.check(), provider.upsert(addressRecord(name, '127.0.0.9', 60))]) {
      const error = await failureOf(work);
      expect(error).toMatchObject({ code: 'upstream', detail: { code } });
      expect(error.msg).toContain(words);
      expect(error.msg).toContain(`${bind.host}:${bind.port}`);
    }
    expect(await seen(name)).toEqual([]);
  });

  it('if the key may not change the zone', async () => {
    const provider = providerWith({ zone: bind.fixedZone });
    const error = await failureOf(provider.upsert(addressRecord(`shop.${bind.fixedZone}`, '127.0.0.9', 60)));
    expect(error.detail.code).toBe('REFUSED');
    expect(error.msg).toContain('does not allow this key');
    expect((await failureOf(provider.check())).detail.code).toBe('REFUSED');
  });

  it('if the server does not have the zone', async () => {
    const error = await failureOf(providerWith({ zone: 'example.com' }).check());
    expect(error.detail.code).toBe('NOTAUTH');
    expect(error.msg).toContain('primary');
  });

  it('if the server is silent, down, or breaks the connection', async () => {
    await bind.freeze();
    const silent = await failureOf(providerWith({ timeoutMs: 300 }).check()).finally(() => bind.thaw());
    expect(silent).toMatchObject({
      detail: { code: 'ETIMEDOUT' },
      msg: expect.stringContaining('0.3 seconds'),
    });
    const gone = await failureOf(providerWith({ port: await freePort() }).check());
    expect(gone.detail.code).toBe('ECONNREFUSED');
    const wire = await startTcpProxy({ host: bind.host, port: bind.port });
    wire.blackhole();
    const cut = failureOf(providerWith({ port: wire.port }).check());
    while (wire.connections === 0) await new Promise((resolve) => setImmediate(resolve));
    wire.cut();
    expect((await cut).detail.code).toBe('ECONNRESET');
    await wire.stop();
    await providerWith().check();
  });

  it('if the server is internal and not allowed', async () => {
    const error = await failureOf(providerWith({ from: new Outbound() }).check());
    expect(error).toBeInstanceOf(OutboundRefused);
  });

  it('if zone, key or secret are malformed, before anything is sent', () => {
    expect(() => providerWith({ zone: 'a b' })).toThrow('zone is not a host name');
    expect(() => providerWith({ key: { ...bind.key, name: '' } })).toThrow('keyName is not a host name');
    expect(() => providerWith({ key: { ...bind.key, secret: 'not base64!' } })).toThrow(
      'secret is not the base64 text',
    );
  });
});
