/** covers: DOM-04, DOM-05. Records at DigitalOcean, tested with a server that implements its published contract. */
import { addressRecord, DigitalOcean } from '../../apps/backend/src/dns';
import { DomainError } from '../../apps/backend/src/platform/errors';
import { Outbound } from '../../apps/backend/src/platform/outbound/outbound';
import { type DigitalOceanPeer, startDigitalOcean } from '../../testing/digitalocean';

const zone = 'example.org';
const name = `shop.${zone}`;
let peer: DigitalOceanPeer;
beforeEach(async () => {
  peer = await startDigitalOcean();
  peer.addDomain(zone);
});
afterEach(() => peer.stop());

const provider = (
  more: { token?: string; zone?: string; timeoutMs?: number; now?: () => number } = {},
): DigitalOcean =>
  new DigitalOcean(more.zone ?? zone, more.token ?? peer.token, {
    url: peer.url,
    outbound: new Outbound(),
    timeoutMs: more.timeoutMs ?? 5000,
    ...(more.now ? { now: more.now } : {}),
  });

const standing = (): string[] =>
  peer
    .records(zone)
    .filter(({ type }) => type !== 'NS')
    .map((one) => `${one.name} ${one.ttl} ${one.type} ${one.data}`);

const failureOf = async (work: Promise<unknown>): Promise<DomainError> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  throw new Error(`expected a refusal, got ${String(error)}`);
};

const wanted = addressRecord(name, '192.0.2.9', 300);

describe('a record at DigitalOcean', () => {
  it('is added, for a name, for the zone itself and for IPv6', async () => {
    expect(await provider().upsert(wanted)).toEqual({ done: 'added', before: [] });
    await provider().upsert(addressRecord(zone, '192.0.2.9', 10));
    await provider().upsert(addressRecord(name, '2001:DB8:0::9', 300));
    expect(standing()).toEqual(['shop 300 A 192.0.2.9', '@ 30 A 192.0.2.9', 'shop 300 AAAA 2001:db8::9']);
    expect(await provider().list(name)).toEqual([
      wanted,
      { name, type: 'AAAA', value: '2001:db8::9', ttl: 300 },
    ]);
  });

  it('is added only once, and the second call only reads', async () => {
    await provider().upsert(wanted);
    peer.calls.length = 0;
    expect(await provider().upsert({ ...wanted, ttl: 999 })).toEqual({ done: 'unchanged', before: [wanted] });
    expect(peer.calls).toEqual([`GET /v2/domains/${zone}/records`]);
    expect(standing()).toEqual(['shop 300 A 192.0.2.9']);
  });

  it('replaces another only on request, in one call that leaves no gap', async () => {
    peer.addRecord(zone, { type: 'A', name: 'shop', data: '192.0.2.1' });
    peer.addRecord(zone, { type: 'A', name: 'shop', data: '192.0.2.2' });
    peer.addRecord(zone, { type: 'TXT', name: 'shop', data: 'kept' });
    peer.addRecord(zone, { type: 'A', name: 'other', data: '192.0.2.1' });
    const before = standing();
    const refused = await failureOf(provider().upsert(wanted));
    expect(refused).toMatchObject({ code: 'conflict', detail: { code: 'record-stands' } });
    expect(refused.msg).toContain('A 192.0.2.1, A 192.0.2.2');
    expect(standing()).toEqual(before);
    peer.calls.length = 0;
    expect(await provider().upsert(wanted, { replace: true })).toMatchObject({ done: 'replaced' });
    expect(standing()).toEqual(['shop 300 A 192.0.2.9', 'shop 1800 TXT kept', 'other 1800 A 192.0.2.1']);
    expect(peer.calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'PUT', 'DELETE']);
  });

  it('keeps the fields that a change does not send', async () => {
    peer.addRecord(zone, { type: 'MX', name: '@', data: 'mail.example.net.', priority: 10 });
    peer.addRecord(zone, { type: 'CNAME', name: 'www', data: 'shop.example.net.' });
    for (const { id } of peer.records(zone).slice(-2)) {
      const answer = await fetch(`${peer.url}/v2/domains/${zone}/records/${id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${peer.token}` },
        body: JSON.stringify({ ttl: 600 }),
      });
      expect(answer.status).toBe(200);
    }
    expect(peer.records(zone).slice(-2)).toMatchObject([
      { type: 'MX', name: '@', data: 'mail.example.net', ttl: 600, priority: 10 },
      { type: 'CNAME', name: 'www', data: 'shop.example.net', ttl: 600 },
    ]);
  });

  it('reports what it replaces before anything is changed, and changes nothing if the report fails', async () => {
    peer.addRecord(zone, { type: 'A', name: 'shop', data: '192.0.2.1' });
    const before = standing();
    const told: string[] = [];
    const ahead = async (inTheWay: readonly { value: string }[]): Promise<void> => {
      told.push(...inTheWay.map(({ value }) => value));
      throw new DomainError('unavailable', 'not now');
    };
    expect((await failureOf(provider().upsert(wanted, { replace: true, ahead }))).msg).toBe('not now');
    expect([told, standing()]).toEqual([['192.0.2.1'], before]);
    await provider().upsert(wanted, { replace: true });
    await provider().upsert(wanted, { ahead });
    expect(told).toEqual(['192.0.2.1']);
  });

  it('replaces other records of the name, and stays itself if it is among them', async () => {
    for (const data of ['192.0.2.9', '192.0.2.1']) peer.addRecord(zone, { type: 'A', name: 'shop', data });
    expect((await failureOf(provider().upsert(wanted))).code).toBe('conflict');
    await provider().upsert(wanted, { replace: true });
    expect(standing()).toEqual(['shop 1800 A 192.0.2.9']);
  });

  it('replaces an alias, and the alias can be restored', async () => {
    peer.addRecord(zone, { type: 'CNAME', name: 'shop', data: 'old.example.net.' });
    const { before } = await provider().upsert(wanted, { replace: true });
    expect(before).toEqual([{ name, type: 'CNAME', value: 'old.example.net', ttl: 1800 }]);
    expect(standing()).toEqual(['shop 300 A 192.0.2.9']);
    const [alias] = before;
    if (!alias) throw new Error('nothing stood there');
    await provider().upsert(alias, { replace: true });
    expect(standing()).toEqual(['shop 1800 CNAME old.example.net']);
  });

  it('leaves the alias in place if the address is refused', async () => {
    peer.addRecord(zone, { type: 'CNAME', name: 'shop', data: 'old.example.net.' });
    const wrong = { ...wanted, value: 'no address' };
    const error = await failureOf(provider().upsert(wrong, { replace: true }));
    expect(error.msg).toBe(
      'DigitalOcean refused the record: IP address did not match IPv4 format (e.g. 127.0.0.1).',
    );
    expect(standing()).toEqual(['shop 1800 CNAME old.example.net']);
  });

  it('is removed alone, and removing it again has no effect', async () => {
    for (const data of ['192.0.2.9', '192.0.2.1']) peer.addRecord(zone, { type: 'A', name: 'shop', data });
    expect(await provider().remove(wanted)).toEqual({ done: 'removed' });
    expect(standing()).toEqual(['shop 1800 A 192.0.2.1']);
    expect(await provider().remove(wanted)).toEqual({ done: 'was-not-there' });
  });

  it('of type TXT is added beside the others of its name, once, and removed alone', async () => {
    await provider().upsert(wanted);
    peer.addRecord(zone, { type: 'TXT', name: 'shop', data: 'kept' });
    for (let times = 0; times < 2; times += 1) await provider().addText({ name, text: 'proof' }, 60);
    expect(standing()).toEqual(['shop 300 A 192.0.2.9', 'shop 1800 TXT kept', 'shop 60 TXT proof']);
    for (let times = 0; times < 2; times += 1) await provider().removeText({ name, text: 'proof' });
    expect(standing()).toEqual(['shop 300 A 192.0.2.9', 'shop 1800 TXT kept']);
    peer.addRecord(zone, { type: 'CNAME', name: 'alias', data: 'elsewhere.test.' });
    const refused = await failureOf(provider().addText({ name: `alias.${zone}`, text: 'proof' }, 60));
    expect(refused.msg).toContain('is an alias of elsewhere.test');
  });

  it('is found on the third page too', async () => {
    for (let at = 0; at < 450; at += 1)
      peer.addRecord(zone, { type: 'A', name: 'shop', data: `10.0.${at >> 8}.${at & 255}` });
    expect(await provider().list(name)).toHaveLength(450);
    expect(peer.calls).toHaveLength(3);
  });

  it('must be in the zone, or no call is made', async () => {
    expect(
      (await failureOf(provider().upsert(addressRecord('shop.example.com', '192.0.2.9', 60)))).code,
    ).toBe('invalid');
    expect(peer.calls).toEqual([]);
  });

  it('is checked without a change', async () => {
    await provider().check();
    expect(peer.calls).toEqual([`GET /v2/domains/${zone}`]);
  });
});

describe('refusals of DigitalOcean are reported in words', () => {
  it('a token', async () => {
    const error = await failureOf(provider({ token: 'dop_v1_wrong' }).upsert(wanted));
    expect(error).toMatchObject({ code: 'upstream', detail: { code: 'UNAUTHORIZED' } });
    expect(error.msg).toContain('token');
    expect(JSON.stringify([error.msg, error.data, error.detail])).not.toContain('dop_v1_wrong');
  });

  it('a domain that is not in the account', async () => {
    const error = await failureOf(provider({ zone: 'example.net' }).check());
    expect(error).toMatchObject({
      detail: { code: 'NOTFOUND' },
      msg: expect.stringContaining('example.net'),
    });
  });

  it('too many calls, with the time to wait: of a burst, of the hour, and when it says neither', async () => {
    const now = (): number => 1_800_000_000_000;
    const feel = (headers: Record<string, string>): void =>
      peer.feel({ is: 'failing', status: 429, headers });
    feel({ 'retry-after': '17' });
    const burst = await failureOf(provider({ now }).upsert(wanted));
    expect(burst).toMatchObject({ code: 'unavailable', detail: { code: 'TOOMANY', retryAfter: 17 } });
    expect(burst.msg).toContain('try again in 17 seconds');
    feel({ 'ratelimit-reset': '1800001500' });
    const hour = await failureOf(provider({ now }).upsert(wanted));
    expect(hour.detail.retryAfter).toBe(1500);
    expect(hour.msg).toContain('25 minutes');
    feel({ 'ratelimit-reset': '1' });
    expect((await failureOf(provider({ now }).upsert(wanted))).detail.retryAfter).toBe(60);
  });

  it.each([
    ['a fault of its own', 500, undefined, 'HTTP500', 'Unexpected server-side error'],
    ['a page instead of JSON', 503, '<html>down</html>', 'HTTP503', 'status 503'],
    ['a right that the token lacks', 403, undefined, 'FORBIDDEN', 'You are not authorized'],
  ] as const)('%s', async (_what, status, body, code, words) => {
    peer.feel({ is: 'failing', status, ...(body === undefined ? {} : { body }) });
    const error = await failureOf(provider().upsert(wanted));
    expect(error).toMatchObject({ code: 'upstream', detail: { code } });
    expect(error.msg).toContain(words);
  });

  it('a time-out, with patience for a slow answer', async () => {
    peer.feel({ is: 'hanging' });
    const error = await failureOf(provider({ timeoutMs: 200 }).check());
    expect(error).toMatchObject({
      detail: { code: 'ETIMEDOUT' },
      msg: expect.stringContaining('0.2 seconds'),
    });
    peer.feel({ is: 'slow', delayMs: 50 });
    await provider().check();
  });

  it('a refused connection', async () => {
    const gone = provider();
    await peer.stop();
    expect((await failureOf(gone.check())).detail.code).toBe('ECONNREFUSED');
    peer = await startDigitalOcean();
  });
});
