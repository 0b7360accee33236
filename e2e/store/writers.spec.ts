/** What a writer computes ahead of the database, and whom it tells. */
import { openEventStore } from '@quarterdeck/events/store';
import { chainHash, GENESIS, Others, type EventStore } from '@quarterdeck/log/store';
import { Client } from 'pg';
import { newStream, renamed, several } from '../../testing/log-events';
import { until } from '../../testing/patience';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { Collector } from './collector';

/** The poll is too late for these tests. */
const NEVER = { pollMs: 3_600_000 };

let server: TestPostgres;
let url: string;
let db: Client;
let stores: EventStore[];
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  url = await server.newDatabase();
  stores = [];
  db = new Client({ connectionString: url });
  await db.connect();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.end();
  await Promise.all(stores.map((store) => store.close()));
});

const open = async (): Promise<EventStore> => {
  const store = await openEventStore({ url });
  stores.push(store);
  return store;
};
const write = (store: EventStore, count = 1) => store.append(newStream(), several(count), 'no_stream');
/** From now on the database cannot compute a hash. */
const breakLine = () =>
  db.query(`create or replace function log.line(
      "position" bigint, stream text, revision bigint, event_id uuid, type text, recorded_at text, data text, meta text
    ) returns text language plpgsql stable as $$ begin raise exception 'computed here'; end $$`);

const expectWholeChain = async (store: EventStore): Promise<void> => {
  const { rows } = await db.query<{ hash: string }>(
    `select encode(hash, 'hex') as hash from log.events order by position`,
  );
  const events = await store.readAll('0');
  expect(rows).toHaveLength(events.length);
  let hash = GENESIS;
  for (const [index, event] of events.entries()) {
    hash = chainHash(hash, event);
    expect(rows[index]?.hash).toBe(hash);
  }
  expect((await db.query(`select encode(hash, 'hex') as hash from log.head`)).rows).toEqual([{ hash }]);
};

describe('hashes of a writer', () => {
  test('are taken as they are, for one event and for many, while nobody else writes', async () => {
    const store = await open();
    await write(store);
    await breakLine();
    const stream = newStream();
    await store.append(stream, [renamed('Grüße 🚀')], 'no_stream');
    await Promise.all([
      store.append(stream, several(3), 0),
      store.append(stream, several(2), 3),
      write(store, 4),
    ]);
    await write(store);
    await expectWholeChain(store);
  });

  test('are computed by the database after another writer was faster', async () => {
    const [one, other] = [await open(), await open()];
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([write(one), write(other, 2), write(one, 3), write(other)]);
      await write(other);
    }
    await expectWholeChain(one);
    await write(one);
    await write(one);
    await breakLine();
    await write(one);
    await expect(write(other)).rejects.toThrow('cannot be reached');
  });

  test('are not used from a conflict in their batch on', async () => {
    const store = await open();
    const stream = newStream();
    await store.append(stream, several(2), 'no_stream');
    const results = await Promise.allSettled([
      write(store, 2),
      store.append(stream, several(2), 7),
      write(store),
      store.append(stream, [renamed('after')], 1),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    await expect(store.append(stream, several(1), 0)).rejects.toThrow();
    await write(store);
    await expectWholeChain(store);
  });

  test('are not used for many events, or if the appends of a stream do not follow each other', async () => {
    const store = await open();
    const stream = newStream();
    await store.append(stream, several(2), 'no_stream');
    const results = await Promise.allSettled([
      store.append(stream, several(1), 1),
      store.append(stream, several(1), 1),
      write(store, 40),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    await write(store, 40);
    await write(store, 32);
    await expectWholeChain(store);
  });

  test('are not used if somebody has changed the head', async () => {
    const store = await open();
    await write(store);
    await db.query(`set log.appending = 'on'; update log.head set hash = decode(repeat('ab', 32), 'hex')`);
    await write(store);
    const [, second] = await store.readAll('0');
    const { rows } = await db.query(`select encode(hash, 'hex') as hash from log.head`);
    expect(rows).toEqual([{ hash: second && chainHash('ab'.repeat(32), second) }]);
  });

  test.each([-3_600_000, -200, 200, 3_600_000])(
    'keep the clock of the database when that of the writer jumps by %i ms',
    async (jump) => {
      const store = await open();
      const { rows } = await db.query<{ before: Date }>(`select clock_timestamp() as before`);
      await write(store);
      await write(store);
      const real = performance.now.bind(performance);
      jest.spyOn(performance, 'now').mockImplementation(() => real() + jump);
      for (let event = 0; event < 3; event += 1) await write(store);
      const after = (await db.query<{ after: Date }>(`select clock_timestamp() as after`)).rows[0]?.after;
      const instants = (await store.readAll('0')).map(({ recordedAt }) => recordedAt);
      expect(instants).toEqual(instants.toSorted());
      const [first, last] = [rows[0]?.before.getTime() ?? 0, after?.getTime() ?? 0];
      // As far as an instant may be from the clock.
      expect(Date.parse(instants[0] ?? '')).toBeGreaterThanOrEqual(first - 51);
      expect(Date.parse(instants.at(-1) ?? '')).toBeLessThanOrEqual(last + 51);
      await expectWholeChain(store);
    },
  );
});

test.each([
  ['it has never looked at the log', ''],
  ['it knows how few streams the log has', 'analyze log.events'],
])(
  'a stream is read, and appended to, without the rest of the log, when Postgres plans as if %s',
  async (_, look) => {
    const store = await open();
    const stream = newStream();
    let { revision } = await store.append(stream, several(1), 'no_stream');
    ({ revision } = await store.append(stream, several(1), revision));
    ({ revision } = await store.append(stream, several(2), revision));
    ({ revision } = await store.append(stream, several(2000), revision));
    if (look) await db.query(look);
    const { rows: before } = await db.query<{ written: string }>(
      `select count(*) as written from log.events`,
    );
    for (let round = 0; round < 20; round += 1) {
      ({ revision } = await store.append(stream, several(1), revision));
      ({ revision } = await store.append(stream, several(2), revision));
      ({ revision } = await store.append(stream, several(40), revision));
      await expect(store.append(stream, several(1), 0)).rejects.toThrow();
      expect(await store.readStream(stream, { from: revision })).toHaveLength(1);
      for await (const page of store.readStreams([newStream()])) expect(page).toEqual([]);
    }
    const read = async () => {
      const { rows } = await db.query<{ written: string; read: string }>(
        `select n_tup_ins as written, idx_tup_fetch as read from pg_stat_user_tables where relid = 'log.events'::regclass`,
      );
      return { written: Number(rows[0]?.written), read: Number(rows[0]?.read) };
    };
    // A connection counts what it has done when it ends.
    await store.close();
    await until(async () => (await read()).written >= Number(before[0]?.written) + 20 * 43);
    expect((await read()).read).toBeLessThan(2000);
  },
);

describe('notifications', () => {
  let heard: string[];
  beforeEach(async () => {
    heard = [];
    db.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await db.query('listen log_appended');
  });

  test('are not sent by a process that knows that it is alone', async () => {
    const store = await open();
    const collector = new Collector(store, '0', NEVER);
    await until(async () => {
      heard = [];
      await write(store);
      await db.query('select');
      return heard.length === 0;
    });
    const { position } = await write(store, 3);
    await collector.reaches(position);
    await db.query('select');
    expect(heard).toEqual([]);
  });

  test('begin with the arrival of another process, which misses nothing', async () => {
    const store = await open();
    const own = new Collector(store, '0', NEVER);
    await until(async () => {
      heard = [];
      await write(store);
      await db.query('select');
      return heard.length === 0;
    });
    // What is written while the other arrives becomes visible after its first look.
    const holder = new Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; select from log.head for update');
    const waiting = write(store);
    const other = await open();
    const collector = new Collector(other, own.position, NEVER);
    await collector.until(({ caughtUp }) => caughtUp > 0);
    await holder.query('commit');
    await holder.end();
    await collector.reaches((await waiting).position);
    const { position } = await write(store);
    await collector.reaches(position);
    const answered = await write(other);
    await own.reaches(answered.position);
  });

  test('are sent to one who arrives while the others are counted', async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    const query = client.query.bind(client) as (...asked: unknown[]) => Promise<object>;
    // The announcement and the count come in one packet, and the announcement is handled first.
    jest.spyOn(client, 'query').mockImplementation((async (...asked: unknown[]) => {
      const answer = await query(...asked);
      if (String(asked[0]).includes('pg_locks'))
        client.emit('notification', { channel: 'test_arrivals', processId: 1, payload: '' });
      return answer;
    }) as never);
    const arrivals: string[] = [];
    const others = new Others('test', () => arrivals.push('another'));
    await others.join(client);
    expect(arrivals).toEqual(['another']);
    expect(others.listen).toBe(true);
    others.leave();
    await client.end();
  });

  test('end after the others have left, however they did', async () => {
    const arrivals: string[] = [];
    const join = async (name: string) => {
      const client = new Client({ connectionString: url });
      await client.connect();
      const others = new Others('test', () => arrivals.push(name), 20);
      await others.join(client);
      return { client, others };
    };
    const one = await join('one');
    expect(one.others.listen).toBe(false);
    const another = await join('another');
    expect(another.others.listen).toBe(true);
    await until(() => arrivals.length > 0);
    expect(one.others.listen).toBe(true);
    another.client.on('error', () => another.others.leave());
    const { processID } = another.client as unknown as { processID: number };
    await db.query('select pg_terminate_backend($1)', [processID]);
    await until(() => !one.others.listen);
    expect(arrivals).toEqual(['one']);
    expect(another.others.listen).toBe(true);
    one.others.leave();
    await one.client.end();
  });
});
