// covers: AUD-04
import { openEventStore } from '@quarterdeck/events/store';
import { LogDamaged, verifyLog, type EventStore } from '@quarterdeck/log/store';
import { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { fieldsOf, idleKey, nowhere, openWorld, type World } from '../backend/world';
import { runHere } from '../../testing/backend';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { newStream, renamed, several } from '../../testing/log-events';
import { tamper } from './tampering';

const EVENTS = 6;

/** SQL for a row that the owner of the database forges. */
const row = (position: string, stream: string, revision: number, hash = `decode(repeat('ab', 32), 'hex')`) =>
  `insert into log.events (position, stream, revision, event_id, type, data, meta, recorded_at, hash)
   select ${position}, '${stream}', ${revision}, '${uuid()}', 'ServerRenamed', '{"alias":"forged"}',
     meta, recorded_at, ${hash} from log.events where position = 1`;

describe('a row that no append wrote', () => {
  let server: TestPostgres;
  let store: EventStore;
  let db: Pool;
  let stream: string;

  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server.stop());

  beforeEach(async () => {
    const url = await server.newDatabase();
    store = await openEventStore({ url });
    db = new Pool({ connectionString: url, max: 1 });
    stream = newStream();
    await store.append(stream, several(EVENTS), 'no_stream');
  });
  afterEach(async () => {
    await store.close();
    await db.end();
  });

  const next = EVENTS + 1;
  const correct = `(select sha256(hash || convert_to(log.line(${next}, e.stream, ${EVENTS}, e.event_id, e.type,
    log.instant(e.recorded_at), e.data::text, e.meta::text), 'UTF8')) from log.events as e where position = ${EVENTS})`;

  test.each([
    ['a forged hash', () => row(`${next}`, stream, EVENTS)],
    ['a correct hash', () => row(`${next}`, stream, EVENTS, correct)],
    ['a doubled hash', () => row(`${next}`, stream, EVENTS, 'hash')],
    ['a far-away position', () => row('9000000', stream, EVENTS)],
    ['a position before the first', () => row('0', newStream(), 0)],
    ['a stream of its own', () => row(`${next}`, newStream(), 0)],
    ['a moved head', () => 'update log.head set position = position + 1'],
  ])('is refused: %s', async (_what, sql) => {
    await expect(db.query(sql())).rejects.toThrow('append-only');
    await store.append(stream, several(1), EVENTS - 1);
    expect(await verifyLog(db)).toMatchObject({ ok: true, events: next });
  });

  describe('that was written with the triggers off', () => {
    const forged: [what: string, position: number, sql: () => string][] = [
      ['a forged hash', next, () => row(`${next}`, stream, EVENTS)],
      ['a doubled hash', next, () => row(`${next}`, newStream(), 0, 'hash')],
      ['a correct hash', next, () => row(`${next}`, stream, EVENTS, correct)],
      ['a far-away position', 9_000_000, () => row('9000000', stream, EVENTS)],
      ['a far-away position in a stream of its own', 9_000_000, () => row('9000000', newStream(), 0)],
      ['a far-away revision', next, () => row(`${next}`, stream, 900)],
      ['a position before the first', 0, () => row('0', stream, EVENTS)],
      ['a negative position', -7, () => row('-7', newStream(), 0)],
    ];

    test.each(forged)('has no effect and is named: %s', async (_what, position, sql) => {
      const seen: string[] = [];
      const subscription = store.subscribe('0', (batch) => void seen.push(...batch.map((e) => e.position)));
      await tamper(db, [sql()]);
      const read = async () => [
        (await store.readAll('0')).length,
        (await store.readStream(stream)).length,
        (await store.readAll(String(EVENTS))).length,
        await store.head(),
      ];
      expect(await read()).toEqual([EVENTS, EVENTS, 0, String(EVENTS)]);
      for await (const page of store.readStreams([stream])) expect(page).toHaveLength(EVENTS);
      const verified = await verifyLog(db);
      expect(verified).toMatchObject({
        ok: false,
        firstBad: { position: String(position), type: 'ServerRenamed' },
      });
      expect(await store.problem()).toContain(`position ${position}`);
      await subscription.stop();
      expect(seen.filter((at) => Number(at) < 1 || Number(at) > EVENTS)).toEqual([]);
    });

    test.each(forged.filter(([what]) => !/own$|before|negative|doubled/.test(what)))(
      'stops writing with the reason: %s',
      async (_what, position, sql) => {
        await tamper(db, [sql()]);
        const appends = [
          store.append(stream, several(1), EVENTS - 1),
          store.append(newStream(), several(2), 'no_stream'),
        ];
        const [first] = await Promise.allSettled(appends);
        expect(first).toMatchObject({ status: 'rejected', reason: expect.any(LogDamaged) as unknown });
        expect(String((first as PromiseRejectedResult).reason)).toContain(`at position ${position}`);
        await tamper(db, [
          'delete from log.events where position < 1 or position > (select position from log.head)',
        ]);
        await expect(store.append(newStream(), [renamed('after')], 'no_stream')).resolves.toMatchObject({
          revision: 0,
        });
      },
    );
  });

  test('prevents reading, writing and a successful verification while the head row is missing', async () => {
    await tamper(db, ['delete from log.head']);
    const missing = 'the head row of the event log is missing';
    await expect(store.head()).rejects.toThrow(missing);
    await expect(store.readStream(stream)).rejects.toThrow(missing);
    await expect(store.append(newStream(), several(1), 'no_stream')).rejects.toThrow(missing);
    expect(await store.problem()).toBe(missing);
    expect(await verifyLog(db)).toMatchObject({ ok: false, firstBad: { position: null, problem: missing } });
  });

  test('cannot mislead the verification by a replaced database function', async () => {
    await tamper(db, [
      `create or replace function log.line(bigint, text, bigint, uuid, text, text, text, text) returns text
       language sql as $$ select (regexp_match($7, '"was":(.*)'))[1] $$`.replace(
        'bigint, text, bigint, uuid, text, text, text, text',
        '"position" bigint, stream text, revision bigint, event_id uuid, type text, recorded_at text, data text, meta text',
      ),
      `create or replace function log.instant(at timestamptz) returns text language sql as $$ select '' $$`,
      `update log.events set data = '{"alias":"other"}' where position = 2`,
    ]);
    expect(await verifyLog(db)).toMatchObject({ ok: false, firstBad: { position: '2' } });
  });
});

describe('a console whose log holds a forged event', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world?.end());

  test('grants no role by it, says why nothing is recorded, and is not ready', async () => {
    const { backend, postgres } = world;
    const admin = await backend.signIn();
    const member = await backend.signIn({ email: 'ada@example.test', role: 'member' });
    await backend.caughtUp();
    const head = Number(await backend.resources.store.head());
    await tamper(backend.db, [
      `insert into log.events (position, stream, revision, event_id, type, data, meta, recorded_at, hash)
       select ${head + 1}, stream, revision + 1, gen_random_uuid(), 'PersonRoleChanged',
         '{"role":"superadmin"}', meta, recorded_at, hash
       from log.events where position = (select max(position) from log.events where stream like 'person-%')`,
    ]);
    const answer = await admin.post<{ msg: string }>('server/insert', {
      ...fieldsOf('web', nowhere),
      privateKey: idleKey(),
    });
    expect(answer.status).toBe(503);
    expect(answer.body.msg).toContain(`PersonRoleChanged at position ${head + 1}`);
    const ready = await fetch(`${backend.url}/api/health/ready`);
    expect(ready.status).toBe(503);
    expect(JSON.stringify(await ready.json())).toContain(`PersonRoleChanged at position ${head + 1}`);
    expect((await member.post('superadmin/projections', {})).status).toBe(403);
    const audit = await runHere(['audit', 'verify'], { databaseUrl: postgres.url });
    expect([audit.code, audit.stdout]).toEqual([1, expect.stringContaining(`position ${head + 1}`)]);
    // After a manual removal, the console continues by itself.
    await tamper(backend.db, [`delete from log.events where position > ${head}`]);
    const again = await admin.post('server/insert', { ...fieldsOf('web-2', nowhere), privateKey: idleKey() });
    expect(again.status).toBe(200);
  });
});
