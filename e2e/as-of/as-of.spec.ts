// covers: AUD-03
import { v7 as uuidv7 } from 'uuid';
import { contract } from '@quarterdeck/contract';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import type { Operator } from '../../testing/backend';
import type { InstantTimeline, InstantView } from '@quarterdeck/projections';
import { expectPastAsItWas, recorded, storiesOf } from './as-it-was';
import { answerTo } from './questions';
import type { Story } from './story';

let world: World;
let alice: Operator;
let stranger: Operator;
let stories: Story[];

beforeAll(async () => {
  world = await openWorld({ env: { OUTBOUND_ALLOW: '127.0.0.0/8' } });
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  stranger = await world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' });
  stories = await storiesOf(world.backend, [alice, stranger]);
});
afterAll(async () => world?.end());

describe('the past', () => {
  test('is answered by every call as it was when it was the present', async () => {
    await expectPastAsItWas(world.backend, stories, 20);
  });

  test('is chosen by an instant or a position, and says which one it shows', async () => {
    const first = await alice.post<{ id: string }>('script/insert', script('first'));
    const between = new Date().toISOString();
    const second = await alice.post<{ id: string }>('script/insert', script('second'));
    const namesAt = async (at: string) => {
      const answer = await alice.post<{ name: string }[]>('script/list', {}, { 'x-at': at });
      return { names: answer.body.map(({ name }) => name), headers: answer.headers };
    };
    const then = await namesAt(between);
    expect(then.names).toContain('first');
    expect(then.names).not.toContain('second');
    expect(then.headers.get('x-at')).toBe(between);
    expect(then.headers.get('x-position')).toBe(first.headers.get('x-position'));
    expect((await namesAt(second.headers.get('x-position') ?? '')).names).toContain('second');
    // With an offset it is the same instant.
    const elsewhere = new Date(Date.parse(between) + 3_600_000).toISOString().replace('Z', '+01:00');
    expect((await namesAt(elsewhere)).headers.get('x-at')).toBe(between);
  });

  test.each([
    ['yesterday', 'an instant is expected'],
    ['2026-13-01T00:00:00Z', 'an instant is expected'],
    ['-1', 'an instant is expected'],
    ['', 'an instant is expected'],
    ["0' or 1=1", 'an instant is expected'],
    ['9223372036854775807', 'is in the future'],
    ['2999-01-01T00:00:00Z', 'is in the future'],
    ['2001-01-01T00:00:00Z', 'before the workspace'],
    ['0', 'before the workspace'],
  ])('is refused for "%s"', async (at, why) => {
    const { status, body } = await alice.post('server/list', {}, { 'x-at': at });
    expect([status, body]).toEqual([
      400,
      { msg: expect.stringContaining(why), data: { at: expect.anything() } },
    ]);
  });

  test('begins for each workspace with its own first event', async () => {
    const late = await world.backend.signIn({ workspace: 'late', email: 'late@example.org' });
    const earlier = await alice.post('server/list', {}, { 'x-at': '20' });
    const { status, body } = await late.post('server/list', {}, { 'x-at': '20' });
    expect([earlier.status, status, body['msg']]).toEqual([
      200,
      400,
      expect.stringContaining('before the workspace'),
    ]);
  });

  test('cannot be changed: every call without time travel refuses the instant, by name', async () => {
    const actor = (await alice.get<{ profile: { id: string } }>('session')).body.profile.id;
    // Runs of the story may still be ending by themselves, so only requests of alice count.
    const asked = async () =>
      (
        await world.backend.db.query(
          `select 1 from log.events where meta->>'actor' = $1 and type not like 'Run%'`,
          [actor],
        )
      ).rowCount;
    const before = await asked();
    const wrong: unknown[] = [];
    for (const { method, path, asOf } of contract.filter(({ access }) => access === 'admin')) {
      const headers = { 'x-at': '1', 'x-requested-with': 'test' };
      const { status, body } =
        method === 'GET' ? await alice.get(path, headers) : await alice.post(path, {}, headers);
      const refused = status === 400 && 'at' in ((body['data'] ?? {}) as object);
      if (!asOf && !refused) wrong.push([path, status, body]);
    }
    expect(wrong).toEqual([]);
    expect(await asked()).toBe(before);
  });

  test('needs the same permissions as the present', async () => {
    const member = await world.backend.signIn({ role: 'member', email: 'member@example.org' });
    const position = await world.backend.resources.store.head();
    for (const path of ['server/list', 'history/list', 'moment/timeline'])
      expect((await member.post(path, {}, { 'x-at': position })).status).not.toBe(200);
    const nobody = await alice.post('server/list', {}, { cookie: '', 'x-at': position });
    expect(nobody.status).toBe(401);
  });

  test('shows nothing of another workspace', async () => {
    const [ours] = stories;
    if (!ours) throw new Error('there is no story');
    const { position, asked } = await recorded(world.backend, ours);
    const traces = Object.values(ours.ids).flat();
    const shown: unknown[] = [];
    for (const question of asked) {
      const { status, text } = await answerTo(stranger, question, position);
      const body = JSON.stringify(question.body ?? {});
      // The requested id may be repeated, but in no answer with data.
      if (status === 200 && traces.some((id) => text.includes(id) && !body.includes(id)))
        shown.push([question, text]);
    }
    expect(shown).toEqual([]);
  });

  test('is a time line with marks, and each mark knows its neighbours', async () => {
    const { body: line } = await alice.post<InstantTimeline>('moment/timeline', { stretches: 20 });
    expect(line.stretches.length).toBeGreaterThan(1);
    expect(line.stretches.length).toBeLessThanOrEqual(21);
    expect(line.stretches.map(({ at }) => at)).toEqual(line.stretches.map(({ at }) => at).toSorted());
    expect(line.events).toBe(line.stretches.reduce((sum, { events }) => sum + events, 0));
    expect(line.events).toBeGreaterThan(20);
    const named = await alice.post('script/insert', script('a name to find'));
    const { body: instant } = await alice.post<InstantView>('moment/detail', {
      at: named.headers.get('x-position') ?? '',
    });
    expect(instant.event).toMatchObject({
      says: expect.stringContaining('a name to find'),
      subject: { name: 'a name to find' },
    });
    const { body: before } = await alice.post<InstantView>('moment/detail', { at: instant.previous ?? '' });
    expect(before.next).toBe(instant.position);
    const backwards = { from: '2026-11-21T00:00:00Z', to: '2026-11-20T00:00:00Z' };
    expect((await alice.post('moment/timeline', backwards)).body['data']).toEqual({ to: expect.any(String) });
    expect((await alice.post('moment/detail', { at: 'soon' })).body['data']).toEqual({
      at: expect.any(String),
    });
    expect(
      (await stranger.post<InstantView>('moment/detail', { at: instant.position })).body.event?.says,
    ).not.toContain('a name to find');
  });

  test('hides later output and measurements', async () => {
    const { db } = world.backend;
    const privateKey = idleKey();
    const { body } = await alice.post<{ id: string }>('server/insert', {
      ...fieldsOf('timed', nowhere),
      privateKey,
    });
    const server = body.id;
    const run = uuidv7();
    await alice.post('server/execCmd', { id: server, cmdType: 1, runId: run });
    const measured = async (seq: number, text: string) => {
      await db.query(
        `insert into app.run_output (run, seq, at, stream, text) values ($1, $2, now(), 'out', $3)`,
        [run, seq, text],
      );
      await db.query(
        `insert into app.health_samples (workspace, server, at, ok, took_ms) values ($1, $2, now(), true, $3)`,
        [stories[0]?.workspace, server, seq],
      );
    };
    await measured(1001, 'early');
    const marked = await alice.post('script/insert', script('a mark between the two'));
    await measured(1002, 'late');
    const asked = async (headers: Record<string, string>) => {
      const output = await alice.post<{ chunks: { text: string }[] }>(
        'run/output',
        { id: run, after: 1000 },
        headers,
      );
      const health = await alice.post<{ server: string; tookMs: number }[]>('health/list', {}, headers);
      return [
        output.body.chunks.map(({ text }) => text),
        health.body.find((sample) => sample.server === server)?.tookMs,
      ];
    };
    expect(await asked({})).toEqual([['early', 'late'], 1002]);
    expect(await asked({ 'x-at': marked.headers.get('x-position') ?? '' })).toEqual([['early'], 1001]);
  });
});

const script = (name: string) => ({ name, body: 'df -h\n', changes: false, timeoutSeconds: 30 });
