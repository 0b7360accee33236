import { Client, Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import { openEventStore } from '@quarterdeck/events/store';
import {
  chainHash,
  codecOf,
  GENESIS,
  InvalidEvent,
  type Codec,
  type EventStore,
} from '@quarterdeck/log/store';
import { defineEvent } from '../../libs/log/src/define-event';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { Collector } from './collector';
import { newStream, renamed, several } from '../../testing/log-events';
import { until } from '../../testing/patience';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

const withLog = async (work: (store: EventStore, db: Pool) => Promise<void>): Promise<void> => {
  const url = await server.newDatabase();
  const store = await openEventStore({ url });
  const db = new Pool({ connectionString: url, max: 2 });
  try {
    await work(store, db);
  } finally {
    await db.end();
    await store.close();
  }
};

describe('the log in Postgres', () => {
  test('hashes the same bytes in SQL and in JavaScript, however an event was written', () =>
    withLog(async (store, db) => {
      const texts = ['plain', 'Grüße 🚀', '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028', '1e21', '\\u0000', ''];
      await store.append(
        'quote"back\\slash-1',
        texts.map((text) => renamed(text)),
        'no_stream',
      );
      await store.append(newStream(), [renamed('alone')], 'no_stream');
      await Promise.all(
        texts.map((text) => store.append(newStream(), [renamed(text), renamed(text)], 'no_stream')),
      );
      const { rows } = await db.query<{ hash: string }>(
        `select encode(hash, 'hex') as hash from log.events order by position`,
      );
      let hash = GENESIS;
      const events = await store.readAll('0');
      for (const [index, event] of events.entries()) {
        hash = chainHash(hash, event);
        expect(rows[index]?.hash).toBe(hash);
      }
      expect(events).toHaveLength(19);
      const head = await db.query<{ hash: string }>(`select encode(hash, 'hex') as hash from log.head`);
      expect(head.rows).toEqual([{ hash }]);
    }));

  test.each([
    `update log.events set type = 'Other'`,
    'delete from log.events where false',
    'truncate log.events',
    'delete from log.head',
    'truncate log.head',
  ])('refuses: %s', (statement) =>
    withLog(async (store, db) => {
      await store.append(newStream(), several(2), 'no_stream');
      await expect(db.query(statement)).rejects.toThrow('append-only');
      expect(await store.readAll('0')).toHaveLength(2);
    }),
  );

  test('is created once if several processes start at once', async () => {
    const url = await server.newDatabase();
    const stores = await Promise.all(Array.from({ length: 4 }, () => openEventStore({ url })));
    await Promise.all(stores.map((store) => store.append(newStream(), several(3), 'no_stream')));
    const all = await stores[0]!.readAll('0');
    expect(all.map(({ position }) => position)).toEqual(
      Array.from({ length: 12 }, (_, index) => String(index + 1)),
    );
    await Promise.all(stores.map((store) => store.close()));
  });

  test('refuses an id that another stream has, alone or among others', () =>
    withLog(async (store) => {
      const taken = renamed('taken');
      await store.append(newStream(), [taken], 'no_stream');
      await expect(store.append(newStream(), [taken], 'no_stream')).rejects.toBeInstanceOf(InvalidEvent);
      const results = await Promise.allSettled([
        store.append(newStream(), several(2), 'no_stream'),
        store.append(newStream(), [renamed('new'), taken], 'no_stream'),
        store.append(newStream(), several(2), 'no_stream'),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(await store.readAll('0')).toHaveLength(5);
    }));

  test('isolates the part of a batch that the database refuses, and writes the rest', () =>
    withLog(async (store, db) => {
      await db.query(`alter table log.events add check (stream <> 'server-refused')`);
      const results = await Promise.allSettled([
        store.append(newStream(), several(1), 'no_stream'),
        store.append('server-refused', several(1), 'no_stream'),
        store.append(newStream(), several(1), 'no_stream'),
      ]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((results[1] as PromiseRejectedResult).reason).toBeInstanceOf(InvalidEvent);
    }));

  test('passes large events to a subscriber a few at a time, and reads as many as requested', () =>
    withLog(async (store) => {
      const text = 'ü'.repeat(300_000);
      for (let index = 0; index < 30; index += 1)
        await store.append(newStream(), [renamed(`${index}${text}`)], 'no_stream');
      expect(await store.readAll('0', { limit: 25 })).toHaveLength(25);
      // The poll is too late for this test, so the second page must not wait for it.
      const collector = new Collector(store, '0', { pollMs: 3_600_000 });
      await collector.until(({ events }) => events.length >= 30);
      await collector.subscription.stop();
      const positions = collector.events.map(({ position }) => position);
      expect(positions).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)));
      expect(Math.max(...collector.batches)).toBeLessThan(20);
    }));

  test('passes a subscriber the same event from memory as from the table', () =>
    withLog(async (store) => {
      const seen: unknown[] = [];
      const subscription = store.subscribe('0', (batch) => void seen.push(...batch));
      await store.append(newStream(), [renamed('Grüße 🚀'), renamed('b')], 'no_stream');
      await until(() => seen.length >= 2);
      await subscription.stop();
      expect(seen).toEqual(await store.readAll('0'));
    }));

  test('finishes accepted appends before it closes', async () => {
    const url = await server.newDatabase();
    const store = await openEventStore({ url });
    const appends = Array.from({ length: 300 }, () => store.append(newStream(), several(1), 'no_stream'));
    await store.close();
    expect(await Promise.all(appends)).toHaveLength(300);
    await expect(store.append(newStream(), several(1), 'no_stream')).rejects.toThrow('cannot be reached');
  });

  test('closes while its listener is still connecting', async () => {
    const store = await openEventStore({ url: await server.newDatabase() });
    store.subscribe('0', () => undefined);
    await store.close();
    await expect(store.append(newStream(), several(1), 'no_stream')).rejects.toThrow('cannot be reached');
  });

  test('waits for its turn while another process holds the head', () =>
    withLog(async (store, db) => {
      const holder = new Client({
        connectionString: (db.options as { connectionString: string }).connectionString,
      });
      await holder.connect();
      await holder.query('begin; select from log.head for update');
      const waiting = store.append(newStream(), several(1), 'no_stream');
      const state = await Promise.race([
        waiting,
        new Promise((resolve) => setTimeout(() => resolve('waits'), 200)),
      ]);
      expect(state).toBe('waits');
      await holder.query('commit');
      await expect(waiting).resolves.toMatchObject({ revision: 0 });
      await holder.end();
    }));

  test('answers the writer of an event that no subscriber can decode, and reports it to them until they can', async () => {
    const url = await server.newDatabase();
    let broken = true;
    const plain = codecOf({ Odd: defineEvent(z.object({})) });
    const codec: Codec = {
      encode: (event) => plain.encode(event),
      decode: (stored) => {
        if (broken) throw new Error('cannot be decoded');
        return stored;
      },
    };
    const store = await openEventStore({ url, codec });
    const faults: unknown[] = [];
    const seen: string[] = [];
    const subscription = store.subscribe('0', (batch) => void seen.push(...batch.map(({ type }) => type)), {
      onFault: (error) => faults.push(error),
    });
    const { meta } = renamed('x');
    await expect(
      store.append('odd-1', [{ type: 'Odd', data: {}, meta }], 'no_stream'),
    ).resolves.toMatchObject({
      revision: 0,
    });
    while (faults.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(String(faults[0])).toBe('Error: cannot be decoded');
    broken = false;
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(seen).toEqual(['Odd']);
    await subscription.stop();
    await store.close();
  });

  test('upcasts events of an older program, while the chain covers the original', async () => {
    const url = await server.newDatabase();
    const meta = renamed('x').meta;
    const old = await openEventStore({
      url,
      codec: codecOf({ Grown: defineEvent(z.object({ a: z.int() })) }),
    });
    await old.append(
      'grown-1',
      [{ type: 'Grown', data: { a: 1 }, meta: { ...meta, id: uuid() } }],
      'no_stream',
    );
    await old.close();
    const codec = codecOf({
      Grown: defineEvent(z.object({ b: z.int() }), (data) => ({ b: (data as { a: number }).a + 1 })),
    });
    const store = await openEventStore({ url, codec });
    expect(await store.readStream('grown-1')).toMatchObject([{ data: { b: 2 }, meta: { v: '2' } }]);
    await store.append('grown-1', [{ type: 'Grown', data: { b: 5 }, meta: { ...meta, id: uuid() } }], 0);
    const events = await store.readStream('grown-1');
    expect(events).toMatchObject([{ data: { b: 2 } }, { data: { b: 5 } }]);
    const db = new Client({ connectionString: url });
    await db.connect();
    const head = await db.query<{ hash: string }>(`select encode(hash, 'hex') as hash from log.head`);
    expect(head.rows).toEqual([{ hash: events.reduce(chainHash, GENESIS) }]);
    await db.end();
    await store.close();
  });
});
