// covers: AUD-03
import { codecOf } from '@quarterdeck/log/store';
import { openLog } from '../../testing/log';
import { differences, type Difference, type InstantDifference } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { appendAtEnd } from '../../testing/log-events';
import { defineEvent } from '../../libs/log/src/define-event';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import { renamed } from '../../testing/log-events';
import { PATIENCE_MS } from '../../testing/patience';

let world: World;
let alice: Operator;
let stranger: Operator;
const ids: Record<string, string> = {};
/** Positions right after the first, second and third action. */
const after: string[] = [];

const script = (body: string) => ({ name: 'Disk', body, changes: false, timeoutSeconds: 30 });
const did = async (path: string, body: object) => {
  const answer = await alice.post<{ id: string }>(path, body);
  expect([path, answer.status]).toEqual([path, 200]);
  return { id: answer.body.id, position: answer.headers.get('x-position') ?? '' };
};
const difference = (asked: object, headers: Record<string, string> = {}, who = alice) =>
  who.post<InstantDifference>('moment/difference', asked, headers);
const between = async (category: string, from: string | undefined, to?: string) => {
  const subject = { category, id: ids[category] };
  const { status, body } = await difference({ subject, from, ...(to && { to }) });
  expect([category, status]).toEqual([category, 200]);
  return body;
};

/** Without fields about other subjects, which have their own history. */
const byField = (changes: readonly Difference[]): Difference[] =>
  changes
    .filter(({ field }) => field !== 'Server alias')
    .toSorted((one, other) => one.field.localeCompare(other.field));

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  stranger = await world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' });
  const { body } = await alice.get<{ instance: { uuid: string }; profile: { id: string } }>('session');
  ids['workspace'] = body.instance.uuid;
  ids['person'] = body.profile.id;
  const fields = fieldsOf('web', nowhere);
  const server = await did('server/insert', { ...fields, privateKey: idleKey() });
  ids['server'] = server.id;
  const site = { serverName: 'shop.localhost', server: { id: server.id } };
  ids['domain'] = (await did('domain/insert', site)).id;
  const first = await did('script/insert', script('df\n'));
  ids['script'] = first.id;
  after.push(first.position);
  await did('server/update', { id: server.id, data: { ...fields, alias: 'shop', root: '/srv/shop' } });
  await did('domain/location/insert', {
    domain: { id: ids['domain'] },
    data: { location: '/api/', url: 'http://127.0.0.1:9/' },
  });
  await did('workspace/alerts', { thresholds: [9] });
  after.push((await did('script/update', { id: first.id, data: script('df -h\n') })).position);
  after.push(
    (await did('server/update', { id: server.id, data: { ...fields, root: '/srv/shop' } })).position,
  );
  // Derived data (resolved names, key checks) is not part of this.
});
afterAll(async () => world?.end());

describe('the difference between two instants', () => {
  test.each([
    ['server', 'server/detail', 'Alias'],
    ['domain', 'domain/detail', 'Locations /api/: URL'],
    ['script', 'script/detail', 'Versions 2: body'],
    ['workspace', 'workspace/detail', 'Alerts thresholds'],
  ])(
    'of a %s consists of the fields that differ between its details at both',
    async (category, path, field) => {
      const detailAt = async (at: string | undefined) =>
        (await alice.post(path, category === 'workspace' ? {} : { id: ids[category] }, { 'x-at': at ?? '' }))
          .body;
      for (const [from, to] of [
        [after[0], after[1]],
        [after[0], after[2]],
        [after[1], after[2]],
      ]) {
        const found = await between(category, from, to);
        expect([found.from.position, found.to.position]).toEqual([from, to]);
        expect(byField(found.changes)).toEqual(
          byField(differences(await detailAt(from), await detailAt(to))),
        );
      }
      const { changes } = await between(category, after[0], after[1]);
      expect(changes.map((change) => change.field)).toContain(field);
    },
  );

  test('shows how much happened in between, and nothing that was reverted', async () => {
    const named = ({ changes }: InstantDifference): Difference[] =>
      changes.filter((change) => ['Alias', 'Root'].includes(change.field));
    expect(named(await between('server', after[0], after[1]))).toEqual([
      { field: 'Alias', before: 'web', after: 'shop' },
      { field: 'Root', before: expect.any(String), after: '/srv/shop' },
    ]);
    const whole = await between('server', after[0], after[2]);
    expect(named(whole).map((change) => change.field)).toEqual(['Root']);
    const parts = [await between('server', after[0], after[1]), await between('server', after[1], after[2])];
    expect(whole.events).toBe(parts.reduce((sum, { events }) => sum + events, 0));
    const { body } = await alice.post<{ events: { position: string }[] }>('history/list', {
      subject: { category: 'server', id: ids['server'] },
    });
    const inside = body.events.filter(
      ({ position }) => BigInt(position) > BigInt(after[0] ?? 0) && BigInt(position) <= BigInt(after[2] ?? 0),
    );
    expect(whole.events).toBe(inside.length);
    expect(await between('script', after[1], after[1])).toMatchObject({ events: 0, changes: [] });
  });

  test('equals the detail of the event, if a single event is in between', async () => {
    const { body: event } = await alice.post<{ changes: Difference[] }>('history/detail', {
      position: after[1],
    });
    const before = String(BigInt(after[1] ?? 0) - 1n);
    expect(await between('script', before, after[1])).toMatchObject({ events: 1, changes: event.changes });
    expect(event.changes.length).toBeGreaterThan(0);
  });

  test('works for a person, up to now, and for things that did not exist before', async () => {
    const start = String(BigInt(after[0] ?? 0) - 1n);
    const { changes } = await between('script', start);
    expect(changes).toContainEqual({ field: 'Name', after: 'Disk' });
    expect((await between('person', after[0])).from.position).toBe(after[0]);
  });

  test('of a product names the parts that were added, changed and removed', async () => {
    const product = await did('product/insert', { data: { name: 'Shop', description: '' } });
    const within = { id: product.id };
    const entity = (name: string) => ({ name, table: '', isUuid: false });
    const insert = (name: string) => did('data-model/entity/insert', { data: entity(name), product: within });
    const [kept, gone] = [await insert('Book'), await insert('Shelf')];
    const attribute = (name: string) =>
      did('data-model/attribute/insert', {
        data: { name, type: 1, optional: false },
        entity: { id: kept.id },
      });
    const title = await attribute('title');
    await did('data-model/entity/update', { id: kept.id, data: entity('Volume') });
    const pages = await attribute('pages');
    // It comes and goes in between.
    const brief = await insert('Brief');
    await did('data-model/entity/delete', { id: brief.id });
    await did('data-model/entity/delete', { id: gone.id });

    const subject = { category: 'product', id: product.id };
    const from = title.position;
    const whole = (await difference({ subject, from })).body;
    expect([whole.changes, whole.furtherParts]).toEqual([[], 0]);
    expect(whole.parts.map((part) => [part.is, part.subject.name])).toEqual([
      ['removed', 'Shelf'],
      ['added', 'pages'],
      ['changed', 'Volume'],
    ]);
    expect(whole.parts[1]?.subject.within?.map(({ name }) => name)).toEqual(['Shop', 'Volume']);
    expect(whole.parts[2]?.changes).toContainEqual({ field: 'Name', before: 'Book', after: 'Volume' });
    const until = (await difference({ subject, from, to: pages.position })).body;
    expect(until.parts.map(({ is }) => is)).toEqual(['added', 'changed']);
    const ofEntity = (await difference({ subject: { category: 'entity', id: kept.id }, from })).body;
    expect(ofEntity.changes).toContainEqual({ field: 'Name', before: 'Book', after: 'Volume' });
    expect(ofEntity.parts.map((part) => part.subject.id)).toEqual([pages.id]);
  });

  test('ends at the viewed instant, and not after it', async () => {
    const subject = { category: 'server', id: ids['server'] };
    const then = { 'x-at': after[1] ?? '' };
    const { body } = await difference({ subject, from: after[0] }, then);
    expect(body).toEqual(await between('server', after[0], after[1]));
    const beyond = await difference({ subject, from: after[0], to: after[2] }, then);
    expect([beyond.status, (beyond.body as object as { data: object }).data]).toEqual([
      400,
      { to: expect.stringContaining('later than the instant') },
    ]);
    expect((await difference({ subject, from: after[2] }, then)).status).toBe(400);
    // The script did not exist yet.
    const script1 = { category: 'script', id: ids['script'] };
    const early = { 'x-at': String(BigInt(after[0] ?? 0) - 1n) };
    expect((await difference({ subject: script1, from: early['x-at'] }, early)).status).toBe(404);
  });

  test.each([
    ['from', { from: 'yesterday', to: '2026-11-20T00:00:00Z' }],
    ['from', { from: '2001-01-01T00:00:00Z' }],
    ['from', { from: '9223372036854775807' }],
    ['from', {}],
    ['to', { to: '2999-01-01T00:00:00Z' }],
    ['to', { to: '-1' }],
  ])('names %s when it is wrong: %j', async (field, wrong) => {
    const subject = { category: 'server', id: ids['server'] };
    const asked = field === 'from' ? { subject, ...wrong } : { subject, from: after[0], ...wrong };
    const { status, body } = await difference(asked);
    expect([status, (body as object as { data: object }).data]).toEqual([
      400,
      { [field]: expect.any(String) },
    ]);
  });

  test('only goes forwards', async () => {
    const subject = { category: 'server', id: ids['server'] };
    const { status, body } = await difference({ subject, from: after[1], to: after[0] });
    expect([status, (body as object as { data: object }).data]).toEqual([
      400,
      { to: expect.stringContaining('before') },
    ]);
  });

  test('counts events of a newer program whose type is unknown here', async () => {
    const codec = codecOf({ ServerPainted: defineEvent(z.object({ colour: z.string() })) });
    const newer = await openLog(world.postgres.url, { codec });
    const { id, position: from } = await did('server/insert', {
      ...fieldsOf('painted', nowhere),
      privateKey: idleKey(),
    });
    const meta = { ...renamed('').meta, workspace: ids['workspace'] ?? '' };
    const painted = { type: 'ServerPainted', data: { colour: 'red' }, meta };
    const { position } = await appendAtEnd(newer, `server-${id}`, [painted]);
    await newer.close();
    await world.backend.resources.projections.waitFor(position, PATIENCE_MS);
    const { status, body } = await difference({ subject: { category: 'server', id }, from, to: position });
    expect([status, body.events]).toEqual([200, 1]);
  });

  test('treats another workspace’s thing like one that does not exist', async () => {
    const from = new Date().toISOString();
    for (const [category, id] of Object.entries(ids)) {
      const [foreign, unknown] = [
        await difference({ subject: { category, id }, from }, {}, stranger),
        await difference({ subject: { category, id: uuidv7() }, from }, {}, stranger),
      ];
      expect([category, foreign.status, foreign.body]).toEqual([category, 404, unknown.body]);
    }
    const member = await world.backend.signIn({ role: 'member', email: 'member@example.org' });
    const subject = { category: 'server', id: ids['server'] };
    expect((await difference({ subject, from }, {}, member)).status).toBe(403);
  });
});
