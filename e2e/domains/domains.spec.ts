/** The life of a domain with a real bind9. covers: DOM-01, DOM-02, DOM-04, SRV-09, SRV-11 */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { v7 as uuidv7 } from 'uuid';
import type { DomainRow, ListPage } from '@quarterdeck/projections';
import { domainsDecider, RecordAppliedConfig, RecordConfigRemoval } from '../../apps/backend/src/domains';
import { Decisions } from '../../apps/backend/src/platform/decisions/decider-handlers';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import { connectSocket, type Listener } from '../../testing/socket';
import { fieldsOf, idleKey } from '../backend/world';
import { runHere } from '../../testing/backend';
import { openDomainGround, type DomainGround, type Ids, type Refused } from './ground';

let ground: DomainGround;
let web: string;
let listener: Listener;

beforeAll(async () => {
  ground = await openDomainGround();
  web = await ground.server('web-1');
  listener = await connectSocket(ground.bob);
  const { headers } = await ground.bob.get('session');
  await listener.resume(headers.get('x-position') ?? '0');
});
afterAll(async () => {
  listener?.close();
  await ground?.end();
});

describe('a domain is added only if DNS points to its server', () => {
  const refusal = async (serverName: string, server = web): Promise<string | undefined> => {
    const { status, body } = await ground.insert(serverName, server);
    expect(status).toBe(400);
    return body.data?.['serverName'];
  };

  test('otherwise it is refused, with what was found for both', async () => {
    const { bind } = ground;
    bind.change(`add away.${bind.zone} 60 A 127.0.0.9`, `add both.${bind.zone} 60 A 127.0.0.1`);
    bind.change(`add both.${bind.zone} 60 A 127.0.0.9`, `add mail.${bind.zone} 60 TXT "v=spf1"`);
    expect(await refusal(`away.${bind.zone}`)).toBe(
      'away.example.test points to 127.0.0.9, and the server web-1 is at 127.0.0.1',
    );
    expect(await refusal(`both.${bind.zone}`)).toMatch(
      /^both\.example\.test points to 127\.0\.0\.[19], 127\.0\.0\.[19], and the server web-1 is at 127\.0\.0\.1, and 127\.0\.0\.9 is not the server’s$/,
    );
    expect(await refusal(`nowhere.${bind.zone}`)).toBe(
      'nowhere.example.test does not exist; the server web-1 is at 127.0.0.1',
    );
    expect(await refusal(`mail.${bind.zone}`)).toBe(
      'mail.example.test has no address; the server web-1 is at 127.0.0.1',
    );
    expect(await refusal(`shop.${bind.brokenZone}`)).toMatch(
      /^shop\.broken\.test could not be looked up: .+; the server web-1 is at 127\.0\.0\.1$/,
    );
    expect(await ground.list()).toEqual([]);
    const named = await ground.server('web-named', 'gone.example.test');
    expect(await refusal(`away.${bind.zone}`, named)).toBe(
      'away.example.test points to 127.0.0.9, and the server web-named is at gone.example.test, which does not exist',
    );
    await ground.alice.post('server/delete', { id: named });
  });

  test('an unknown server, or an invalid name, is refused by field', async () => {
    const unknown = await ground.insert(`away.${ground.bind.zone}`, uuidv7());
    expect([unknown.status, unknown.body.msg]).toEqual([404, 'server could not be found']);
    for (const name of ['203.0.113.7', 'a..b', '*.example.test', 'two words', '-x.example.test', '[::1]'])
      expect([name, (await ground.insert(name, web)).body.data]).toEqual([
        name,
        { serverName: expect.any(String) },
      ]);
  });

  test('it is accepted if it points there: by an alias, by the host’s name, or as localhost', async () => {
    const { bind } = ground;
    bind.change(`add shop.${bind.zone} 60 A 127.0.0.1`, `add www.${bind.zone} 60 CNAME shop.${bind.zone}.`);
    const added = await ground.insert(`Shop.${bind.zone}.`, web);
    expect(added.status).toBe(200);
    expect(added.body.uuid).toBe(added.body.id);
    expect(await ground.detail(added.body.id, ground.bob)).toMatchObject({
      id: added.body.id,
      serverName: 'shop.example.test',
      server: { id: web, alias: 'web-1', host: '127.0.0.1' },
      dns: { outcome: 'found', pointsHere: true, addresses: [{ address: '127.0.0.1', family: 4 }] },
      locations: [],
      revision: 0,
    });
    const named = await ground.server('web-2', `shop.${bind.zone}`);
    expect((await ground.insert(`www.${bind.zone}`, named)).status).toBe(200);
    expect((await ground.insert('console.localhost', web)).status).toBe(200);
    const { body } = await ground.alice.post<{ serverName: string }[]>('domain/listByServer', {
      server: { id: web },
    });
    expect(body.map(({ serverName }) => serverName)).toEqual(['console.localhost', 'shop.example.test']);
    const asked = { server: { id: web }, sort: '-domain', size: 1 };
    const page = await ground.alice.post<ListPage<DomainRow>>('domain/pageByServer', asked);
    expect(page.body).toMatchObject({ found: 2, total: 2, rows: [{ serverName: 'shop.example.test' }] });
    expect((await ground.alice.post('domain/pageByServer', { server: { id: uuidv7() } })).status).toBe(404);
  });

  test('a name is unique in a workspace, in any notation', async () => {
    const again = await ground.insert('SHOP.Example.test', web);
    expect([again.status, again.body.data]).toEqual([
      400,
      { serverName: 'a domain with this name already exists' },
    ]);
  });

  test('an international name is stored as DNS compares it', async () => {
    const { bind } = ground;
    bind.change(`add xn--bcher-kva.${bind.zone} 60 A 127.0.0.1`);
    const { body } = await ground.insert('Bücher.Example.Test', web);
    expect(await ground.detail(body.id)).toMatchObject({ serverName: 'xn--bcher-kva.example.test' });
    expect((await ground.insert('xn--bcher-kva.example.test', web)).status).toBe(400);
    await ground.alice.post('domain/delete', { id: body.id });
  });
});

describe('editing', () => {
  const update = (
    id: string,
    data: { serverName: string; server: string },
    revision?: number,
    who = ground.alice,
  ) =>
    who.post<Ids & Refused>('domain/update', {
      data: { serverName: data.serverName, server: { id: data.server } },
      filters: { id },
      ...(revision === undefined ? {} : { revision }),
    });

  test('a rename asks DNS for the new name, and frees the old one', async () => {
    const { bind } = ground;
    const id = await ground.domain('old', web);
    bind.change(`add new.${bind.zone} 60 A 127.0.0.9`);
    expect((await update(id, { serverName: `new.${bind.zone}`, server: web }, 0)).status).toBe(200);
    expect(await ground.detail(id)).toMatchObject({
      serverName: 'new.example.test',
      dns: { pointsHere: false, addresses: [{ address: '127.0.0.9' }] },
      dnsHistory: [{ pointsHere: true, addresses: [{ address: '127.0.0.1' }] }],
    });
    expect((await ground.insert(`old.${bind.zone}`, web)).status).toBe(200);
    const back = await update(id, { serverName: `old.${bind.zone}`, server: web });
    expect(back.body.data).toEqual({ serverName: 'a domain with this name already exists' });
  });

  test('a move checks whether the name points to the other server', async () => {
    const id = await ground.domain('moved', web);
    const other = await ground.server('web-3', '127.0.0.3');
    expect((await update(id, { serverName: 'moved.example.test', server: other })).status).toBe(200);
    expect(await ground.detail(id)).toMatchObject({
      server: { id: other, alias: 'web-3', host: '127.0.0.3' },
      dns: { pointsHere: false },
    });
    expect((await update(id, { serverName: 'moved.example.test', server: uuidv7() })).status).toBe(404);
    expect((await update(id, { serverName: 'moved.example.test', server: web })).status).toBe(200);
    expect((await ground.detail(id)).dns.pointsHere).toBe(true);
  });

  test('a stale edit gets the current state; a new DNS answer does not make it stale', async () => {
    const { bind, bob } = ground;
    const id = await ground.domain('busy', web);
    bind.change(`update delete busy.${bind.zone} A`, `add busy.${bind.zone} 60 A 127.0.0.9`);
    await ground.alice.post('domain/dns/check', { id });
    const first = await update(id, { serverName: 'busy-1.example.test', server: web }, 0);
    expect(first.status).toBe(200);
    const second = await update(id, { serverName: 'busy-2.example.test', server: web }, 0, bob);
    expect(second.status).toBe(409);
    expect(second.body.current).toMatchObject({ id, serverName: 'busy-1.example.test' });
    // The refused name is free again.
    bind.change(`add busy-2.${bind.zone} 60 A 127.0.0.1`);
    expect((await ground.insert(`busy-2.${bind.zone}`, web)).status).toBe(200);
  });

  test('only one of twenty operators who add the same name at once gets it', async () => {
    const { bind, alice, bob } = ground;
    bind.change(`add race.${bind.zone} 60 A 127.0.0.1`);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? alice : bob).post('domain/insert', {
          serverName: `race.${bind.zone}`,
          server: { id: web },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
  });

  test("alert thresholds are set, not over somebody else's change, and can be cleared", async () => {
    const { alice, bob } = ground;
    const id = await ground.domain('alerts', web);
    expect((await alice.post('domain/alerts', { id, thresholds: [30, 3] })).status).toBe(200);
    const { thresholds, revision } = await ground.detail(id);
    expect(thresholds).toEqual([30, 3]);
    expect((await bob.post('domain/alerts', { id, thresholds: [9], revision })).status).toBe(200);
    const stale = await alice.post<Refused>('domain/alerts', { id, thresholds: [5], revision });
    expect([stale.status, stale.body]).toMatchObject([409, { current: { id, thresholds: [9] } }]);
    await alice.post('domain/alerts', { id, thresholds: null });
    expect((await ground.detail(id)).thresholds).toBeUndefined();
  });
});

test('a list shows what has changed: a domain, its server, and what a rebuilt read model says of it', async () => {
  const { db } = ground.world.backend;
  const server = await ground.server('kept');
  const id = await ground.domain('kept', server);
  const listed = async () => (await ground.list()).find((domain) => domain.id === id);
  // Nobody has listed it yet, and its position stays: only the new table tells that the row is another.
  await db.query(`update read.domains set view = jsonb_set(view, '{thresholds}', '[1]') where id = $1`, [id]);
  expect(await listed()).toMatchObject({ server: { alias: 'kept' }, thresholds: [1] });
  const there = { databaseUrl: ground.world.postgres.url };
  expect(await runHere(['projections', 'rebuild', 'domains'], there)).toMatchObject({ code: 0 });
  expect((await listed())?.thresholds).not.toEqual([1]);
  const renamed = fieldsOf('kept-2', { host: '127.0.0.1', port: 9, username: 'root' });
  expect((await ground.alice.post('server/update', { id: server, data: renamed })).status).toBe(200);
  expect(await listed()).toMatchObject({ server: { alias: 'kept-2' } });
  await ground.alice.post('domain/alerts', { id, thresholds: [5] });
  expect(await listed()).toMatchObject({ thresholds: [5] });
  await ground.alice.post('domain/delete', { id });
  expect(await listed()).toBeUndefined();
});

test("a server's folder for sites cannot change while it contains one of our sites, which would stay served forever", async () => {
  const { alice, bind, world } = ground;
  const server = await ground.server('web-4');
  const id = await ground.domain('applied', server);
  const { workspace } = await ground.detail(id);
  const decisions = world.backend.app.get(Decisions, { strict: false });
  const file = `applied.${bind.zone}.conf`;
  const options = { docker: false, ssl: false, gzip: false };
  const applied = { text: '', sha256: 'a'.repeat(64), options, file };
  await decisions.execute(domainsDecider, new RecordAppliedConfig(id, applied, ownMeta('system', workspace)));
  await world.backend.caughtUp();

  const data = fieldsOf('web-4', { host: '127.0.0.1', port: 9, username: 'root' });
  const update = (more: object) =>
    alice.post<Refused>('server/update', { id: server, data: { ...data, ...more } });
  expect((await update({ root: '/srv/root', path: '/srv/static' })).status).toBe(200);
  const refused = await update({ nginxPath: '/srv/sites' });
  expect([refused.status, refused.body.data]).toEqual([
    400,
    {
      nginxPath:
        'remove the configuration of applied.example.test from the server first: otherwise it would stay in /root/volumes/nginx_config and be served',
    },
  ]);
  await decisions.execute(
    domainsDecider,
    new RecordConfigRemoval(id, { file }, ownMeta('system', workspace)),
  );
  await world.backend.caughtUp();
  expect((await update({ nginxPath: '/srv/sites' })).status).toBe(200);
});

describe('removal', () => {
  test('needs the typed name; then the domain cannot be found, and its name is free', async () => {
    const { alice, bind } = ground;
    const id = await ground.domain('brief', web);
    const wrong = await alice.post<Refused>('domain/delete', { id, serverName: 'brie.example.test' });
    expect([wrong.status, Object.keys(wrong.body.data ?? {})]).toEqual([400, ['serverName']]);
    const removed = await alice.post('domain/delete', { id, serverName: 'brief.example.test' });
    expect(removed.body).toEqual({ id, uuid: id });
    for (const path of ['domain/detail', 'domain/delete', 'domain/dns/check'])
      expect(await alice.post(path, { id })).toMatchObject({
        status: 404,
        body: { msg: 'domain could not be found' },
      });
    expect((await ground.insert(`brief.${bind.zone}`, web)).status).toBe(200);
  });

  test('a domain cannot be changed during a run about it: the run would leave unknown files behind', async () => {
    const { alice, bind } = ground;
    // Clients wait for a greeting that never comes.
    const waiting = new Set<Socket>();
    const silent = createServer((socket) => waiting.add(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const at = { host: '127.0.0.1', port: (silent.address() as AddressInfo).port, username: 'root' };
    const input = { ...fieldsOf('silent', at), privateKey: idleKey() };
    const server = (await alice.post<Ids>('server/insert', input)).body.id;
    const [id, beside] = [await ground.domain('held', server), await ground.domain('beside', server)];
    const runId = uuidv7();
    expect((await alice.post('nginx/exec', { id, runId })).status).toBe(200);
    // A run about a domain works on its server, so it is one of the server's runs, too.
    const ofServer = { subject: { kind: 'server', id: server } };
    expect((await alice.post<{ runs: object[] }>('run/list', ofServer)).body.runs).toMatchObject([
      { id: runId, subject: { kind: 'domain', id }, serverId: server },
    ]);
    expect((await alice.post<object>('server/detail', { id: server })).body).toMatchObject({
      lastRun: { id: runId, label: 'Apply configuration' },
    });

    const refused = {
      status: 409,
      body: {
        msg: expect.stringMatching(
          /^Apply configuration is under way on held\.example\.test, started by .+: wait for it to end, or cancel it$/,
        ),
      },
    };
    const renamed = { serverName: `free.${bind.zone}`, server: { id: server } };
    const moved = { serverName: `held.${bind.zone}`, server: { id: web } };
    for (const answer of [
      await alice.post<Refused>('domain/delete', { id }),
      await alice.post<Refused>('domain/delete', { id, keep: { config: true, certificate: true } }),
      await alice.post<Refused>('domain/update', { data: renamed, filters: { id } }),
      await alice.post<Refused>('domain/update', { data: moved, filters: { id } }),
    ]) {
      expect(answer).toMatchObject(refused);
      expect(answer.body).not.toHaveProperty('current');
    }
    // A domain beside it is not affected, and the refused name is free again.
    expect((await alice.post('domain/delete', { id: beside })).status).toBe(200);
    bind.change(`add free.${bind.zone} 60 A 127.0.0.1`);
    expect((await ground.insert(`free.${bind.zone}`, web)).status).toBe(200);

    silent.close();
    for (const socket of waiting) socket.destroy();
  });

  test('each step of a domain is pushed to another operator', async () => {
    const { bob } = ground;
    const id = await ground.domain('seen', web);
    await ground.alice.post('domain/delete', { id });
    const stream = `domain-${id}`;
    await listener.until(() =>
      listener.changes.some((change) => change.stream === stream && change.type === 'DomainRemoved'),
    );
    expect(listener.changes.filter((change) => change.stream === stream).map(({ type }) => type)).toEqual([
      'DomainAdded',
      'DomainRemoved',
    ]);
    expect((await bob.post('domain/detail', { id })).status).toBe(404);
  });
});
