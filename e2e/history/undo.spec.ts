/** Undo of changes to servers, domains and settings: previewed, then recorded as new events. covers: AUD-03 */
import type { DomainView, HistoryView, ServerView, UndoPreview } from '@quarterdeck/projections';
import { connectSocket } from '../../testing/socket';
import { fieldsOf, idleKey, nowhere } from '../backend/world';
import { openDomainGround, type DomainGround, type Ids } from '../domains/ground';

let ground: DomainGround;
beforeAll(async () => {
  ground = await openDomainGround();
});
afterAll(() => ground?.end());

interface Refused {
  msg: string;
  data?: Record<string, string>;
  current?: UndoPreview;
}

/** The newest event of a type, about one subject if an id is given. */
const newest = async (type: string, id?: string): Promise<string> => {
  const { body } = await ground.alice.post<{ events: HistoryView[] }>('history/list', { types: [type] });
  const found = body.events.find(({ subjectId }) => id === undefined || subjectId === id);
  if (!found) throw new Error(`there is no ${type}`);
  return found.position;
};
const preview = async (position: string): Promise<UndoPreview> => {
  const { status, body } = await ground.alice.post<UndoPreview>('history/undo/preview', { position });
  expect(status).toBe(200);
  return body;
};
const undo = (position: string, seen: string, given: object = {}) =>
  ground.alice.post<Ids & Refused & { left: object[] }>('history/undo', { position, seen, ...given });
/** Previews first, as an operator does. */
const undone = async (position: string, given: object = {}) => {
  const { seen, refused } = await preview(position);
  expect(refused).toBeUndefined();
  const answer = await undo(position, seen, given);
  expect(answer).toMatchObject({ status: 200 });
  return answer;
};
const server = async (id: string): Promise<ServerView> =>
  (await ground.alice.post<ServerView>('server/detail', { id })).body;
const edit = (id: string, data: object) => ground.alice.post('server/update', { id, data });
const fields = (alias: string, more: object = {}) => ({
  ...fieldsOf(alias, { ...nowhere, host: '127.0.0.1' }),
  ...more,
});
const typesOf = async (stream: string): Promise<string[]> =>
  (await ground.events(stream)).map(({ type }) => type);

describe('an edited server', () => {
  test('gets back what that one edit changed, as new events; other later changes stay', async () => {
    const id = await ground.server('edited');
    await edit(id, fields('renamed', { port: 2222, root: '/srv' }));
    await edit(id, fields('renamed', { port: 2222, root: '/srv', path: '/srv/static' }));
    const position = await newest('ServerMoved', id);
    const shown = await preview(position);
    expect(shown).toMatchObject({ position, count: 1, needs: [] });
    expect(shown.steps).toMatchObject([{ subject: { category: 'server', id, name: 'renamed' } }]);
    expect(shown.undoes).toEqual([
      'renamed to renamed',
      expect.stringMatching(/^moved to .*:2222$/),
      expect.stringMatching(/^changed paths to \/srv,/),
    ]);
    expect(shown.steps[0]?.says).toMatch(/^renamed to edited, moved to .*:9, changed paths to \/root,/);
    expect(shown.removes).toBe(false);
    expect(shown.steps[0]?.changes).toEqual([
      { field: 'Alias', before: 'renamed', after: 'edited' },
      { field: 'Port', before: '2222', after: '9' },
      { field: 'Root', before: '/srv', after: '/root' },
    ]);
    expect(shown.notes).toHaveLength(2);
    const before = await typesOf(`server-${id}`);
    const answer = await undo(position, shown.seen);
    expect(answer.body).toMatchObject({ id, uuid: id, left: [] });
    expect(await server(id)).toMatchObject({
      alias: 'edited',
      port: 9,
      root: '/root',
      path: '/srv/static',
    });
    expect((await typesOf(`server-${id}`)).slice(before.length)).toEqual([
      'ServerRenamed',
      'ServerMoved',
      'ServerPathsChanged',
    ]);
    // Its cause is the undone event.
    const undoneEvent = (await ground.alice.post<{ event: HistoryView }>('history/detail', { position })).body
      .event;
    expect((await ground.events(`server-${id}`)).at(-1)?.cause).toBe(undoneEvent.id);
    expect(await preview(position)).toMatchObject({ refused: 'it is already as it was before', steps: [] });
    const { body: page } = await ground.alice.post<{ events: HistoryView[] }>('history/list', {
      subject: { category: 'server', id },
    });
    const said = page.events.map(({ undoes }) => undoes?.says);
    expect(said.filter((one) => one !== undefined)).toEqual(Array(3).fill(undoneEvent.says));
    // The undo can be undone.
    await undone(await newest('ServerRenamed', id));
    expect(await server(id)).toMatchObject({ alias: 'renamed', port: 2222 });
  });

  test('stays unchanged if it was changed again since, or if another server has its name now', async () => {
    const id = await ground.server('first');
    await edit(id, fields('second'));
    const position = await newest('ServerRenamed', id);
    await edit(id, fields('third'));
    expect(await preview(position)).toMatchObject({
      refused: 'Alias was changed again since: it is third now',
      steps: [],
      seen: '',
    });
    expect((await undo(position, 'a'.repeat(64))).status).toBe(409);
    const other = await ground.server('second');
    expect((await preview(await newest('ServerRenamed', id))).refused).toBe(
      'another server already has this alias',
    );
    expect((await server(other)).alias).toBe('second');
  });

  test('is not undone if the preview has changed', async () => {
    const id = await ground.server('looked-at');
    await edit(id, fields('other', { port: 2222 }));
    const position = await newest('ServerMoved', id);
    const { seen } = await preview(position);
    await edit(id, fields('other', { port: 3333 }));
    const before = await typesOf(`server-${id}`);
    const refused = await undo(position, seen);
    expect(refused).toMatchObject({
      status: 409,
      body: { current: { refused: 'Port was changed again since: it is 3333 now' } },
    });
    expect(await typesOf(`server-${id}`)).toEqual(before);
  });
});

describe('a removed server', () => {
  test('comes back with its domains and their locations, with a new key', async () => {
    const { alice, bob } = ground;
    const id = await ground.server('gone');
    const [one, two] = [await ground.domain('one', id), await ground.domain('two', id)];
    const location = { location: '/api/', url: 'http://app:3000/' };
    expect((await alice.post('domain/location/insert', { domain: { id: one }, data: location })).status).toBe(
      200,
    );
    await alice.post('domain/alerts', { id: two, thresholds: [30] });
    const [was, domainWas] = [await server(id), await ground.detail(one)];
    await alice.post('server/delete', { id, alias: 'gone' });
    expect(await ground.list()).toEqual([]);

    const position = await newest('ServerRemoved', id);
    const shown = await preview(position);
    expect(shown).toMatchObject({ count: 3, needs: ['privateKey'] });
    expect(shown.steps.map(({ subject }) => subject)).toEqual([
      { category: 'server', id, name: 'gone' },
      { category: 'domain', id: one, name: `one.${ground.bind.zone}` },
      { category: 'domain', id: two, name: `two.${ground.bind.zone}` },
    ]);
    expect(shown.notes.join(' ')).toContain(was.key.fingerprint);
    expect(await undo(position, shown.seen)).toMatchObject({
      status: 400,
      body: { data: { privateKey: /./ } },
    });
    const wrong = await undo(position, shown.seen, { privateKey: 'no key' });
    expect(wrong).toMatchObject({ status: 400, body: { data: { privateKey: /./ } } });
    expect((await alice.post('server/detail', { id })).status).toBe(404);

    const listener = await connectSocket(bob);
    await listener.resume('0');
    const privateKey = idleKey();
    expect((await undo(position, shown.seen, { privateKey })).body).toMatchObject({ id, left: [] });
    await listener.until(() =>
      ['ServerRestored', 'DomainRestored'].every((type) => listener.changes.some((c) => c.type === type)),
    );
    listener.close();
    const { key: _, ...rest } = was;
    expect(await server(id)).toMatchObject({
      ...rest,
      changedAt: expect.any(String),
      revision: was.revision + 2,
      position: expect.any(String),
    });
    const download = await alice.post<{ privateKey: string }>('server/private-key/download', { id });
    expect(download.body.privateKey).toBe(privateKey);
    expect((await ground.detail(one)).locations).toEqual(domainWas.locations);
    expect((await ground.detail(two)).thresholds).toEqual([30]);
    expect(await ground.list()).toHaveLength(2);
    expect((await preview(position)).refused).toBe('it has already been restored');

    // It works as before: edited, and removed again.
    expect((await edit(id, fields('gone', { port: 2022 }))).status).toBe(200);
    expect((await alice.post('server/delete', { id, alias: 'gone' })).status).toBe(200);
  });

  test('leaves out a domain whose name is taken now, and does not come back itself under a taken name', async () => {
    const { alice } = ground;
    const [id, other] = [await ground.server('taken'), await ground.server('standing')];
    const [free, taken] = [await ground.domain('free', id), await ground.domain('taken', id)];
    await alice.post('server/delete', { id });
    await ground.domain('taken', other);
    const position = await newest('ServerRemoved', id);
    const shown = await preview(position);
    expect(shown.steps.map(({ subject, refused }) => [subject.id, refused])).toEqual([
      [id, undefined],
      [free, undefined],
      [taken, 'a domain with this name already exists'],
    ]);
    await undo(position, shown.seen, { privateKey: idleKey() });
    expect(
      (await ground.list()).filter(({ serverId }) => serverId === id).map((domain) => domain.id),
    ).toEqual([free]);
    expect((await alice.post('domain/detail', { id: taken })).status).toBe(404);

    const second = await ground.server('second-life');
    await alice.post('server/delete', { id: second });
    await ground.server('second-life');
    expect((await preview(await newest('ServerRemoved', second))).refused).toBe(
      'another server already has this alias',
    );
  });

  test('is completed by repeating an interrupted undo', async () => {
    const { alice } = ground;
    const id = await ground.server('cut');
    const domain = await ground.domain('cut', id);
    await alice.post('server/delete', { id });
    const position = await newest('ServerRemoved', id);
    await undone(position, { privateKey: idleKey() });
    // As if the undo had been interrupted there: only the domain is missing.
    await alice.post('domain/delete', { id: domain });
    const shown = await preview(position);
    expect(shown).toMatchObject({ count: 1, needs: [], steps: [{ subject: { id: domain } }] });
    await undo(position, shown.seen);
    expect((await ground.detail(domain)).id).toBe(domain);
  });
});

describe('a domain', () => {
  const ids = async (label: string) => {
    const on = await ground.server(label);
    return { on, id: await ground.domain(label, on) };
  };
  const locations = async (id: string) =>
    (await ground.detail(id)).locations.map(({ location, timeout }) => [location, timeout]);

  test('is renamed and moved back, and gets its alert thresholds back', async () => {
    const { alice, bind } = ground;
    const { id, on } = await ids('moving');
    const elsewhere = await ground.server('elsewhere');
    bind.change(`add moved.${bind.zone} 60 A 127.0.0.1`);
    const update = { data: { serverName: `moved.${bind.zone}`, server: { id: elsewhere } }, filters: { id } };
    expect((await alice.post('domain/update', update)).status).toBe(200);
    await alice.post('domain/alerts', { id, thresholds: [9] });
    // The history of a server holds its domains.
    const domainsOf = async (on: string): Promise<Set<string>> => {
      const subject = { category: 'server', id: on, parts: true };
      const { body } = await alice.post<{ events: HistoryView[] }>('history/list', { subject, limit: 200 });
      return new Set(body.events.filter(({ category }) => category === 'domain').map((one) => one.subjectId));
    };
    expect(await domainsOf(elsewhere)).toEqual(new Set([id]));
    await undone(await newest('DomainMoved', id));
    expect(await domainsOf(elsewhere)).toEqual(new Set());
    expect(await domainsOf(on)).toContain(id);
    expect(await ground.detail(id)).toMatchObject({
      serverName: `moving.${bind.zone}`,
      serverId: on,
      thresholds: [9],
    });
    await undone(await newest('DomainAlertsConfigured', id));
    expect((await ground.detail(id)).thresholds).toBeUndefined();
    // The same again, but the server to return to no longer exists.
    const again = await newest('DomainMoved', id);
    await alice.post('server/delete', { id: elsewhere });
    expect((await preview(again)).refused).toBe('its server was removed: restore the server first');
  });

  test('gets the settings of its site back, and keeps later ones', async () => {
    const { alice } = ground;
    const { id } = await ids('settings');
    const change = (settings: object) => alice.post('domain/settings', { id, settings });
    expect((await change({ hsts: 'off' })).status).toBe(200);
    const first = await newest('SiteSettingsChanged', id);
    expect((await change({ hsts: 'off', trustedProxies: '10.0.0.0/8' })).status).toBe(200);
    await undone(first);
    expect((await ground.detail(id)).settings).toEqual({ trustedProxies: '10.0.0.0/8' });
    expect(await change({ trustedProxies: '0.0.0.0/0' })).toMatchObject({
      status: 400,
      body: { data: { 'settings.trustedProxies': expect.stringContaining('0.0.0.0/0: an address') } },
    });
  });

  test('gets the other names of its site back, unless another domain has one of them by now', async () => {
    const { alice } = ground;
    const { id } = await ids('several-names');
    const { id: other } = await ids('name-taker');
    const name = 'www-named.localhost';
    const change = (of: string, ...names: object[]) => alice.post<Refused>('domain/names', { id: of, names });
    const www = { name, does: 'redirects' };
    expect((await change(id, www)).status).toBe(200);
    expect((await change(id)).status).toBe(200);
    const removal = await newest('SiteNamesChanged', id);
    expect((await change(other, www)).status).toBe(200);
    expect((await preview(removal)).refused).toBe('a domain with this name already exists');
    expect((await change(other)).status).toBe(200);
    const shown = await preview(removal);
    expect(shown.undoes).toEqual(['removed all other names of the site']);
    expect(shown.steps[0]?.changes).toContainEqual({ field: `Names ${name}: does`, after: 'redirects' });
    await undone(removal);
    expect((await ground.detail(id)).names).toEqual([www]);
    expect((await change(other, www)).status).toBe(400);
  });

  test('gets its locations back: added, revised, removed', async () => {
    const { alice } = ground;
    const { id } = await ids('placed');
    const data = { location: '/api/', url: 'http://app:3000/', timeout: 10 };
    const added = await alice.post<Ids>('domain/location/insert', { domain: { id }, data });
    const filters = { id: added.body.id };
    await alice.post('domain/location/update', { data: { ...data, timeout: 60 }, filters });
    await undone(await newest('LocationRevised', id));
    expect(await locations(id)).toEqual([['/api/', 10]]);
    await alice.post('domain/location/delete', filters);
    const removal = await newest('LocationRemoved', id);
    const shown = await preview(removal);
    expect(shown.steps[0]?.changes).toContainEqual({ field: 'Locations /api/: location', after: '/api/' });
    expect(shown.notes).toEqual([expect.stringContaining('applied')]);
    await undo(removal, shown.seen);
    expect(await locations(id)).toEqual([['/api/', 10]]);
    await alice.post('domain/location/delete', filters);
    await alice.post('domain/location/insert', {
      domain: { id },
      data: { location: '/api/', url: 'http://b:1/' },
    });
    expect((await preview(removal)).refused).toBe('this domain already has a location /api/');
    await undone(await newest('LocationAdded', id));
    expect(await locations(id)).toEqual([]);
  });

  test('comes back after its removal, but not twice, and not without its server', async () => {
    const { alice } = ground;
    const { id, on } = await ids('back');
    await alice.post('domain/delete', { id });
    const position = await newest('DomainRemoved', id);
    const [one, other] = await Promise.all([preview(position), preview(position)]);
    const answers = await Promise.all([undo(position, one.seen), undo(position, other.seen)]);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await typesOf(`domain-${id}`)).filter((type) => type === 'DomainRestored')).toHaveLength(1);
    await alice.post('domain/delete', { id });
    const second = await newest('DomainRemoved', id);
    await alice.post('server/delete', { id: on });
    expect((await preview(second)).refused).toBe('its server was removed: restore the server first');
  });

  test('whose name is claimed during the undo: either of the two gets it, never both', async () => {
    const { bind } = ground;
    const { id, on } = await ids('contended');
    for (let round = 0; round < 5; round += 1) {
      await ground.alice.post('domain/delete', { id });
      const position = await newest('DomainRemoved', id);
      const { seen } = await preview(position);
      const [back, fresh] = await Promise.all([
        undo(position, seen),
        ground.insert(`contended.${bind.zone}`, on),
      ]);
      expect([back.status, fresh.status].filter((status) => status === 200)).toHaveLength(1);
      const bearing = (await ground.list()).filter(
        ({ serverName }) => serverName === `contended.${bind.zone}`,
      );
      expect(bearing).toHaveLength(1);
      if (fresh.status !== 200) continue;
      await ground.alice.post('domain/delete', { id: fresh.body.id });
      await undone(position);
    }
  });
});

describe('a script', () => {
  interface Script {
    name: string;
    versions: { body: string }[];
  }
  const data = (name: string, body: string) => ({ name, body, changes: false, timeoutSeconds: 30 });
  const detail = async (id: string) => (await ground.alice.post<Script>('script/detail', { id })).body;

  test('gets its earlier text back as a new version, and comes back after its removal', async () => {
    const { alice } = ground;
    const { id } = (await alice.post<Ids>('script/insert', data('Free space', 'df -h'))).body;
    await alice.post('script/update', { id, data: data('Space', 'df') });
    await undone(await newest('ScriptRevised', id));
    const { name, versions } = await detail(id);
    expect([name, versions.map(({ body }) => body)]).toEqual(['Free space', ['df -h', 'df', 'df -h']]);
    await alice.post('script/delete', { id, name });
    const position = await newest('ScriptRemoved', id);
    await undone(position);
    expect(await detail(id)).toMatchObject({ name, versions });
    await alice.post('script/delete', { id, name });
    await alice.post('script/insert', data(name, 'df'));
    expect((await preview(await newest('ScriptRemoved', id))).refused).toBe(
      'another script already has this name',
    );
    const typo = (await alice.post<Ids>('script/insert', data('Fre space', 'df'))).body;
    await undone(await newest('ScriptAdded', typo.id));
    expect((await alice.post('script/detail', { id: typo.id })).status).toBe(404);
  });
});

describe('settings of the workspace', () => {
  interface Workspace {
    revision: number;
    dns: { ttl: number; provider?: { zone: string; secret: { fingerprint: string } } };
    healthChecks: object;
    alerts: object;
    containerFlow: object;
  }
  const workspace = async (): Promise<Workspace> =>
    (await ground.alice.post<Workspace>('workspace/detail', {})).body;

  test('return to earlier values, or to the defaults', async () => {
    const { alice } = ground;
    const { healthChecks } = await workspace();
    await alice.post('workspace/health-checks', { everySeconds: 77, failures: 2, outOf: 3 });
    await undone(await newest('HealthChecksConfigured'));
    expect((await workspace()).healthChecks).toEqual(healthChecks);
    const chosen = await ground.server('chosen');
    await alice.post('workspace/container-flow', { server: { id: chosen } });
    await alice.post('workspace/container-flow', {});
    await alice.post('server/delete', { id: chosen });
    expect((await preview(await newest('ContainerFlowConfigured'))).refused).toBe(
      'the server that was chosen before no longer exists',
    );
  });

  test('with a destroyed secret ask for that again', async () => {
    const { alice } = ground;
    const provider = { kind: 'digitalocean', zone: 'example.org' };
    const token = 'dop_v1_0123456789abcdef';
    const set = (more: object) => alice.post('workspace/dns', { resolvers: [], ttl: 300, ...more });
    expect((await set({ provider: { ...provider, secret: token } })).status).toBe(200);
    // The secret is the same, so it is not asked for.
    expect((await set({ ttl: 600, provider })).status).toBe(200);
    expect((await preview(await newest('DnsConfigured'))).needs).toEqual([]);
    await undone(await newest('DnsConfigured'));
    expect((await workspace()).dns).toMatchObject({ ttl: 300, provider });
    await set({});
    const position = await newest('DnsConfigured');
    const shown = await preview(position);
    expect(shown.needs).toEqual(['secret']);
    expect(await undo(position, shown.seen)).toMatchObject({ status: 400, body: { data: { secret: /./ } } });
    await undo(position, shown.seen, { secret: token });
    expect((await workspace()).dns).toMatchObject({ ttl: 300, provider });
  });

  test('of alerts are restored, unless their webhook is gone', async () => {
    const { alice } = ground;
    const set = (body: object) => alice.post('workspace/alerts', body);
    expect((await set({ thresholds: [10] })).status).toBe(200);
    expect((await set({ thresholds: [5], webhook: { url: 'https://example.org/hook' } })).status).toBe(200);
    expect((await set({ thresholds: [4], webhook: { url: 'https://example.org/hook' } })).status).toBe(200);
    await undone(await newest('AlertsConfigured'));
    expect((await workspace()).alerts).toMatchObject({
      thresholds: [5],
      webhook: { url: 'https://example.org/hook' },
    });
    await set({ thresholds: [5] });
    expect((await preview(await newest('AlertsConfigured'))).refused).toMatch(
      /webhook .* destroyed .* set it up again/,
    );
  });
});

test('an event that cannot be undone says why, to everybody who may see it', async () => {
  const position = await newest('ServerRegistered');
  expect((await preview(position)).refused).toBe('an event of this kind cannot be undone');
  expect(await undo(position, 'a'.repeat(64))).toMatchObject({ status: 409 });
  expect((await ground.alice.post('history/undo/preview', { position: '999999999' })).status).toBe(404);
  const mia = await ground.world.backend.signIn({ email: 'mia@example.org', role: 'member' });
  expect((await mia.post('history/undo/preview', { position })).status).toBe(403);
});

test('a domain does not exist at an instant while it was removed, and exists before and after', async () => {
  const { alice } = ground;
  const on = await ground.server('past');
  const id = await ground.domain('past', on);
  const at = async (position: string) =>
    (await alice.post<DomainView>('domain/detail', { id }, { 'x-at': position })).status;
  const there = await newest('DomainAdded', id);
  await alice.post('domain/delete', { id });
  const removed = await newest('DomainRemoved', id);
  await undone(removed);
  const back = await newest('DomainRestored', id);
  expect([await at(there), await at(removed), await at(back)]).toEqual([200, 404, 200]);
});
