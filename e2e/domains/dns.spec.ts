/** Where domains point, and records for them, with a real bind9. covers: DOM-04, DOM-05 */
import type { DnsAnswer, WorkspaceView } from '@quarterdeck/projections';
import { DnsWatch } from '../../apps/backend/src/domains';
import { whileFull } from '../backend/full-log';
import { freePort } from '../../testing/free-port';
import { openDomainGround, type DomainGround, type Refused } from './ground';

let ground: DomainGround;
let web: string;

beforeAll(async () => {
  ground = await openDomainGround();
  web = await ground.server('web-1');
});
afterAll(() => ground?.end());

const moveTo = (label: string, address: string): void => {
  const name = `${label}.${ground.bind.zone}`;
  ground.bind.change(`update delete ${name} A`, `add ${name} 60 A ${address}`);
};
const changes = async (id: string) =>
  (await ground.events(`domain-${id}`)).filter(({ type }) => type === 'DnsAnswerChanged');
const lookUp = async (hostname: string) =>
  (await ground.alice.get(`dns/ipFromHostname?hostname=${encodeURIComponent(hostname)}`)).body;
const recent = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('the look-up of a name', () => {
  test('shows address, family and time, also for localhost, addresses and Unicode', async () => {
    const { bind } = ground;
    bind.change(`add shop.${bind.zone} 60 A 127.0.0.7`, `add shop.${bind.zone} 60 AAAA ::7`);
    bind.change(`add xn--bcher-kva.${bind.zone} 60 A 127.0.0.8`);
    expect(await lookUp(`shop.${bind.zone}`)).toEqual({
      address: '127.0.0.7',
      family: 4,
      timestamp: recent,
      outcome: 'found',
      addresses: [
        { address: '127.0.0.7', family: 4 },
        { address: '::7', family: 6 },
      ],
    });
    expect(await lookUp(`Bücher.${bind.zone}.`)).toMatchObject({ address: '127.0.0.8', family: 4 });
    expect(await lookUp('localhost')).toMatchObject({ address: '127.0.0.1', family: 4 });
    expect(await lookUp('203.0.113.7')).toMatchObject({ address: '203.0.113.7', family: 4 });
  });

  test('says in words what does not exist, and what could not be found out', async () => {
    const { bind } = ground;
    expect(await lookUp(`nowhere.${bind.zone}`)).toEqual({
      timestamp: recent,
      outcome: 'none',
      addresses: [],
      reason: 'this name does not exist',
    });
    expect(await lookUp(`x.${bind.brokenZone}`)).toMatchObject({ outcome: 'failed', addresses: [] });
    for (const wrong of ['two words', '', 'a..b'])
      expect(await lookUp(wrong)).toMatchObject({ data: { hostname: expect.any(String) } });
  });
});

describe('a change of DNS', () => {
  const check = async (id: string) => (await ground.bob.post<DnsAnswer>('domain/dns/check', { id })).body;

  test('is recorded by a check, once, and shown in the history', async () => {
    const id = await ground.domain('checked', web);
    expect(await check(id)).toMatchObject({ outcome: 'found', pointsHere: true, at: recent });
    expect(await changes(id)).toEqual([]);
    moveTo('checked', '127.0.0.9');
    expect(await check(id)).toMatchObject({ pointsHere: false, addresses: [{ address: '127.0.0.9' }] });
    await check(id);
    expect(await changes(id)).toHaveLength(1);
    expect(await ground.detail(id)).toMatchObject({
      dns: { pointsHere: false, addresses: [{ address: '127.0.0.9', family: 4 }] },
      dnsHistory: [{ pointsHere: true, addresses: [{ address: '127.0.0.1', family: 4 }] }],
      changedAt: (await ground.detail(id)).addedAt,
    });
    ground.bind.change(`update delete checked.${ground.bind.zone} A`);
    expect(await check(id)).toMatchObject({ outcome: 'none', pointsHere: false });
    const { body } = await ground.alice.post('history/list', { subject: { category: 'domain', id } });
    expect(JSON.stringify(body)).toContain('DNS has no address');
  });

  test('is found by the watch: every change of each domain, and a failure only if it lasts', async () => {
    const { bind, world } = ground;
    const [still, moved] = [await ground.domain('still', web), await ground.domain('moving', web)];
    const rounds = world.backend.app.get(DnsWatch, { strict: false }).newRounds();
    moveTo('moving', '127.0.0.9');
    await rounds.round();
    await rounds.round();
    expect((await changes(moved)).map(({ actor, data }) => [actor, data['pointsHere']])).toEqual([
      ['system', false],
    ]);
    await bind.freeze();
    await rounds.round();
    bind.thaw();
    expect([await changes(still), (await changes(moved)).length]).toEqual([[], 1]);
    await rounds.round();
    expect(await changes(still)).toEqual([]);

    await bind.freeze();
    await rounds.round();
    await rounds.round();
    bind.thaw();
    expect((await changes(still)).map(({ data }) => [data['outcome'], data['code']])).toEqual([
      ['failed', 'ETIMEOUT'],
    ]);
    await rounds.round();
    expect((await changes(still)).map(({ data }) => data['outcome'])).toEqual(['failed', 'found']);
  });
});

describe('DNS of a workspace', () => {
  const settings = () => ({
    resolvers: [] as string[],
    parent: ground.bind.zone,
    ttl: 60,
    provider: {
      kind: 'rfc2136',
      zone: ground.bind.zone,
      server: ground.bind.host,
      port: ground.bind.port,
      keyName: ground.bind.key.name,
      algorithm: ground.bind.key.algorithm,
      secret: ground.bind.key.secret,
    },
  });
  const set = (data: object) => ground.alice.post<Refused>('workspace/dns', data);
  const add = (name: string, more: object = {}) =>
    ground.alice.post<Refused>('dns/host/add', {
      name,
      SLD: 'example',
      TLD: 'test',
      ip: '127.0.0.1',
      ...more,
    });
  const recordEvents = async (label: string) =>
    (
      await ground.world.backend.db.query<{ type: string; data: object }>(
        `select type, data from log.events where stream like 'dnsrecord-%' and data->>'name' like $1
         order by position`,
        [`${label}.%`],
      )
    ).rows;
  const secrets = async (): Promise<number> =>
    (await ground.world.backend.db.query(`select from app.vault where kind like 'dns-%'`)).rowCount ?? 0;

  test('without a provider nothing can be added, and the answer says what to do', async () => {
    const answer = await add('early');
    expect([answer.status, answer.body.msg]).toEqual([
      422,
      'no DNS provider is set up: an administrator can choose one in the workspace’s settings',
    ]);
  });

  test('its secret is only in the vault, stays if none is given, and is shredded when replaced', async () => {
    const { alice, bind, world } = ground;
    const { secret: _, ...bare } = settings().provider;
    const missing = await set({ ...settings(), provider: bare });
    expect(missing.body.data).toEqual({ 'provider.secret': 'This field is required' });
    const broken = await set({ ...settings(), provider: { ...bare, secret: 'no base64!' } });
    expect(Object.keys(broken.body.data ?? {})).toEqual(['provider.secret']);
    expect(Object.keys((await set({ ...settings(), parent: 'example.org' })).body.data ?? {})).toEqual([
      'parent',
    ]);
    expect(await secrets()).toBe(0);

    expect((await set(settings())).status).toBe(200);
    const detail = async () => (await alice.post<WorkspaceView>('workspace/detail')).body;
    const first = await detail();
    expect(first.dns.provider).toEqual({
      ...bare,
      secret: { ref: expect.any(String), fingerprint: expect.stringMatching(/^SHA256:/) },
    });
    await set({ ...settings(), provider: bare, ttl: 120 });
    const second = await detail();
    expect(second.dns).toEqual({ ...first.dns, ttl: 120 });
    await set(settings());
    expect((await detail()).dns).toEqual(first.dns);
    expect(await secrets()).toBe(1);

    // Several at once without a revision: all are applied, and only one of their secrets is left.
    const keys = Array.from({ length: 6 }, (_each, index) => Buffer.alloc(32, index).toString('base64'));
    const heard = await Promise.all(
      keys.map((key) => set({ ...settings(), provider: { ...bare, secret: key } })),
    );
    expect(heard.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect(await secrets()).toBe(1);
    await set(settings());

    const stale = await set({
      ...settings(),
      provider: { ...bare, secret: bind.longKey.secret },
      revision: 0,
    });
    expect(stale.status).toBe(409);
    expect(await secrets()).toBe(1);
    const long = { keyName: bind.longKey.name, algorithm: bind.longKey.algorithm };
    await set({ ...settings(), provider: { ...bare, ...long, secret: bind.longKey.secret } });
    expect((await detail()).dns.provider?.secret.ref).not.toBe(first.dns.provider?.secret.ref);
    expect(await secrets()).toBe(1);
    const everything = await world.backend.db.query(
      'select data::text || meta::text as text from log.events',
    );
    for (const { secret } of [bind.key, bind.longKey])
      expect(everything.rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  });

  test('a record is added by a dynamic update, and then the domain is added', async () => {
    const { bind } = ground;
    expect((await ground.insert(`fresh.${bind.zone}`, web)).status).toBe(400);
    const added = await add('fresh');
    expect([added.status, added.body]).toEqual([200, { added: true, hostname: 'fresh.example.test' }]);
    expect(bind.records()).toContain('fresh.example.test. 60 IN A 127.0.0.1');
    expect((await ground.insert(`fresh.${bind.zone}`, web)).status).toBe(200);
    expect((await add('fresh')).body).toEqual({ added: false, hostname: 'fresh.example.test' });
  });

  test('another existing address stays unless it is to be replaced', async () => {
    moveTo('taken', '127.0.0.9');
    const refused = await add('taken');
    expect(refused.status).toBe(409);
    expect(refused.body).toMatchObject({
      msg: expect.stringContaining('already has A 127.0.0.9'),
      current: [{ name: 'taken.example.test', type: 'A', value: '127.0.0.9' }],
    });
    expect(await lookUp('taken.example.test')).toMatchObject({ address: '127.0.0.9' });
    const replaced = await add('taken', { replace: true });
    expect(replaced.body).toEqual({ added: true, hostname: 'taken.example.test', replaced: '127.0.0.9' });
    const { body } = await ground.alice.post('history/list', { types: ['DnsRecordAdded'] });
    expect(JSON.stringify(body)).toContain(
      'added the DNS record taken.example.test to 127.0.0.1 in example.test, replacing 127.0.0.9',
    );
  });

  test('nothing in the zone is changed while the log cannot be written', async () => {
    const { bind, world } = ground;
    moveTo('full', '127.0.0.9');
    const before = bind.records();
    const answer = await whileFull(world.backend.db, ['DnsRecordRequested'], () =>
      add('full', { replace: true }),
    );
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(bind.records()).toEqual(before);
  });

  test('a repeated call after an unknown outcome still reports what was replaced', async () => {
    const { bind, world } = ground;
    moveTo('half', '127.0.0.9');
    const half = await whileFull(world.backend.db, ['DnsRecordAdded'], () => add('half', { replace: true }));
    expect(half.status).toBe(503);
    expect(bind.records()).toContain('half.example.test. 60 IN A 127.0.0.1');
    expect((await add('half')).body).toEqual({ added: false, hostname: 'half.example.test' });
    expect((await add('half')).body).toEqual({ added: false, hostname: 'half.example.test' });
    expect(await recordEvents('half')).toMatchObject([
      { type: 'DnsRecordRequested', data: { address: '127.0.0.1', replaces: '127.0.0.9' } },
      { type: 'DnsRecordAdded', data: { address: '127.0.0.1', replaced: '127.0.0.9' } },
    ]);
  });

  test('a refusal of the provider is recorded as well', async () => {
    const { bind } = ground;
    await set({
      ...settings(),
      parent: bind.fixedZone,
      provider: { ...settings().provider, zone: bind.fixedZone },
    });
    const [name, SLD, TLD] = ['fixed', ...bind.fixedZone.split('.')];
    const refused = await add(name ?? '', { SLD, TLD });
    expect([refused.status, refused.body.msg]).toEqual([502, expect.stringContaining('REFUSED')]);
    expect(await recordEvents(name ?? '')).toMatchObject([
      { type: 'DnsRecordRequested' },
      { type: 'DnsRecordFailed', data: { reason: refused.body.msg } },
    ]);
    await set(settings());
  });

  test('a name outside the parent is refused', async () => {
    const elsewhere = await add('shop', { SLD: 'other' });
    expect([elsewhere.status, elsewhere.body.msg]).toEqual([
      400,
      'shop.other.test does not end in .example.test; only names such as shop.example.test can be added here',
    ]);
  });

  test('names are looked up with the resolvers of the workspace', async () => {
    const silent = `127.0.0.1:${await freePort('127.0.0.1')}`;
    await set({ ...settings(), resolvers: [silent] });
    const nobody = await lookUp('fresh.example.test');
    expect(nobody).toMatchObject({ outcome: 'failed', reason: expect.stringContaining(silent) });
    const refused = await ground.insert('taken.example.test', web);
    expect([refused.status, refused.body.data?.['serverName']]).toEqual([
      400,
      expect.stringContaining('could not be looked up'),
    ]);
    await set({ ...settings(), resolvers: [silent, ground.bind.server] });
    expect((await ground.insert('taken.example.test', web)).status).toBe(200);
    await set({ ...settings(), resolvers: ['10.255.255.1'] });
    expect(await lookUp('fresh.example.test')).toMatchObject({
      outcome: 'failed',
      reason: expect.stringContaining('must not be called'),
    });
  });
});
