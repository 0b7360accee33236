// covers: LOG-01, LOG-02
import { FOREIGN_EVENT, type RecordedEvent } from '@quarterdeck/events';
import { LOG_STREAM } from '@quarterdeck/events/catalogue';
import { openEventStore } from '@quarterdeck/events/store';
import { verify, WrongLogKey, type AuthenticStore } from '@quarterdeck/log/store';
import { v7 as uuid } from 'uuid';
import type { KeptEvent, LogEngine } from '../../libs/log/src/store/engine';
import { EventStoreDbStore } from '../../libs/log/src/store/eventstoredb/eventstoredb-store';
import { PostgresStore } from '../../libs/log/src/store/postgres/postgres-store';
import { startEventStoreDb, type EventStoreDbServer } from '../../testing/eventstoredb/server';
import { startTestPostgres, type TestPostgres } from '../../testing/postgres';
import { newStream, renamed, several } from '../../testing/log-events';

const MASTER_KEY = Buffer.alloc(32, 'one master key');

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startTestPostgres();
});
afterAll(() => postgres.stop());

interface Ground {
  store: AuthenticStore;
  /** Another process of this console, or of somebody with another master key. */
  open(options?: { masterKey?: Buffer; readOnly?: boolean }): Promise<AuthenticStore>;
  /** Writes with the permissions of the owner of the database or the node. The chain in Postgres stays correct. */
  owner: LogEngine;
  close(): Promise<void>;
}

const ground = async (name: 'postgres' | 'eventstoredb', founded = true): Promise<Ground> => {
  let server: EventStoreDbServer | undefined;
  if (name === 'eventstoredb') server = await startEventStoreDb();
  const url = server?.url ?? (await postgres.newDatabase());
  const owner = server ? new EventStoreDbStore({ url }) : await PostgresStore.open({ url });
  const stores: AuthenticStore[] = [];
  const open: Ground['open'] = async (options = { masterKey: MASTER_KEY }) => {
    const store = await openEventStore({ url, ...options });
    stores.push(store);
    return store;
  };
  const store = await open(founded ? undefined : {});
  const close = async (): Promise<void> => {
    for (const one of stores) await one.close();
    await owner.close();
    await server?.stop();
  };
  return { store, open, owner, close };
};

const idle = (ms: number) => new Promise((done) => setTimeout(done, ms));

describe.each(['postgres', 'eventstoredb'] as const)('a log in %s', (engine) => {
  let it: Ground;
  let stream: string;

  const kept = (of = stream): Promise<KeptEvent[]> => it.owner.readStream(of, { from: 0 });
  const aliases = async (): Promise<unknown[]> =>
    (await it.store.readStream(stream)).map(({ data }) => (data as { alias: string }).alias);
  const audited = async () => verify(await it.store.audited());

  beforeEach(async () => {
    it = await ground(engine);
    stream = newStream();
    await it.store.append(stream, several(3), 'no_stream');
  });
  afterEach(() => it.close());

  test('is founded by its first event, and its keys open with the master key alone', async () => {
    const [first] = await it.store.readAll('0');
    expect(first).toMatchObject({ type: 'LogFounded', stream: LOG_STREAM, data: { log: it.store.keys?.id } });
    const again = await it.open();
    expect(again.keys?.identity).toEqual(it.store.keys?.identity);
    expect(await again.readStream(stream)).toHaveLength(3);
    await expect(it.open({ masterKey: Buffer.alloc(32, 'another one') })).rejects.toThrow(WrongLogKey);
    expect(await audited()).toMatchObject({ ok: true, events: 4 });
  });

  test('is founded once if several processes start at once', async () => {
    const fresh = await ground(engine, false);
    const stores = await Promise.all(Array.from({ length: 4 }, () => fresh.open({ masterKey: MASTER_KEY })));
    expect(new Set(stores.map(({ keys }) => keys?.id)).size).toBe(1);
    expect(await fresh.store.readAll('0')).toHaveLength(1);
    await fresh.close();
  });

  test('that is older than identities keeps its events, and accepts no untagged ones from then on', async () => {
    const old = await ground(engine, false);
    await old.store.append(stream, several(2), 'no_stream');
    const reading = await old.open({ masterKey: MASTER_KEY, readOnly: true });
    expect([reading.keys, (await reading.readAll('0')).length]).toEqual([undefined, 2]);
    const store = await old.open({ masterKey: MASTER_KEY });
    await store.append(stream, several(1), 1);
    await old.store.append(stream, several(1), 2);
    expect((await store.readStream(stream)).map(({ revision }) => revision)).toEqual([0, 1, 2]);
    expect((await store.readAll('0')).map(({ type }) => type)).toEqual([
      'ServerRenamed',
      'ServerRenamed',
      'LogFounded',
      'ServerRenamed',
      FOREIGN_EVENT,
    ]);
    await old.close();
  });

  test('opens with either master key during a rotation', async () => {
    const next = Buffer.alloc(32, 'the next master key');
    await it.store.rewrapKeys(next);
    for (const masterKey of [MASTER_KEY, next]) {
      const store = await it.open({ masterKey });
      expect(store.keys?.identity).toEqual(it.store.keys?.identity);
      expect(await store.readStream(stream)).toHaveLength(3);
    }
    expect(await audited()).toMatchObject({ ok: true });
  });

  const forgeries: [what: string, forge: () => Promise<[stream: string, event: KeptEvent | object]>][] = [
    [
      'without a tag',
      async () => [stream, { ...(await kept())[2], meta: JSON.stringify(renamed('x').meta) }],
    ],
    ['with the tag of another', async () => [stream, { ...(await kept())[2], data: '{"alias":"forged"}' }]],
    [
      'with other metadata',
      async () => {
        const last = (await kept())[2];
        return [stream, { ...last, meta: last?.meta.replace('"actor":"system"', '"actor":"mallory"') }];
      },
    ],
    ['copied to a later revision', async () => [stream, (await kept())[1] ?? {}]],
    [
      'copied to another stream',
      async () => {
        const other = newStream();
        await it.store.append(other, several(3), 'no_stream');
        return [other, (await kept())[2] ?? {}];
      },
    ],
    [
      'with a tag of the key that signs',
      async () => {
        const last = (await kept())[2];
        return [stream, { ...last, meta: last?.meta.replace('"tag":"1.', '"tag":"0.') }];
      },
    ],
    [
      'with a tag of an unknown key',
      async () => {
        const last = (await kept())[2];
        return [stream, { ...last, meta: last?.meta.replace('"tag":"1.', '"tag":"7.') }];
      },
    ],
    [
      'of another installation',
      async () => {
        const theirs = await ground(engine);
        await theirs.store.append(stream, several(4), 'no_stream');
        const [event] = await theirs.owner.readStream(stream, { from: 3 });
        await theirs.close();
        return [stream, event ?? {}];
      },
    ],
  ];

  test.each(forgeries)('ignores an event %s, and names it', async (_what, forge) => {
    const live: RecordedEvent[] = [];
    const subscription = it.store.subscribe('0', (batch) => void live.push(...batch));
    const [place, event] = await forge();
    const before = await it.store.readStream(place);
    const last = before.at(-1)?.revision ?? -1;
    const { id: _id, ...copied } = event as KeptEvent;
    const id = uuid();
    const { position } = await it.owner.append(
      place,
      [{ ...copied, id, meta: copied.meta.replace(/"id":"[^"]*"/, `"id":"${id}"`) }],
      last,
    );
    expect(await it.store.readStream(place)).toEqual(before);
    expect(await it.store.readAfter(place, last)).toEqual({ events: [], revision: last + 1 });
    const all = await it.store.readAll('0');
    expect(all.at(-1)).toMatchObject({
      type: FOREIGN_EVENT,
      position,
      data: {},
      foreign: expect.any(String) as string,
    });
    expect(all.at(-1)?.meta).toMatchObject({ actor: 'system', workspace: '-' });
    const pages: RecordedEvent[][] = [];
    for await (const page of it.store.readStreams([place])) pages.push(page);
    expect(pages.flat()).toEqual(before);
    expect(await audited()).toMatchObject({
      ok: false,
      foreign: 1,
      firstBad: { position, type: 'ServerRenamed' },
    });
    // Later events are recorded at the next revision, and are valid.
    await it.store.append(place, [renamed('after')], last + 1);
    expect((await it.store.readStream(place)).at(-1)).toMatchObject({
      revision: last + 2,
      data: { alias: 'after' },
    });
    while (live.length < all.length + 1) await idle(5);
    await subscription.stop();
    expect(live.filter(({ foreign }) => foreign !== undefined)).toMatchObject([
      { type: FOREIGN_EVENT, position },
    ]);
  });

  test('refuses an id that somebody else has used, and says so', async () => {
    const mine = renamed('mine');
    const forged = { ...(await kept())[2]!, id: mine.meta.id, data: '{"alias":"forged"}' };
    const { position } = await it.owner.append(stream, [forged], 2);
    const taken = `the id of this ServerRenamed is taken by event ${position}, which this console did not write`;
    // Refused whether or not the caller knew of the event when it decided.
    for (const expected of [3, 2] as const)
      await expect(it.store.append(stream, [mine], expected)).rejects.toThrow(taken);
    expect(await aliases()).toEqual(['event 0', 'event 1', 'event 2']);
    expect(await audited()).toMatchObject({ ok: false, foreign: 1, firstBad: { position } });
    await it.store.append(stream, [renamed('again')], 3);
    expect(await aliases()).toEqual(['event 0', 'event 1', 'event 2', 'again']);
  });

  test('reads the requested number of its own events past those of others', async () => {
    for (let revision = 2; revision < 8; revision += 2) {
      await it.owner.append(stream, [{ ...(await kept())[0]!, id: uuid() }], revision);
      await it.store.append(stream, [renamed(`own ${revision + 2}`)], revision + 1);
    }
    expect(await it.store.readStream(stream, { from: 1, limit: 4 })).toMatchObject(
      [1, 2, 4, 6].map((revision) => ({ revision })),
    );
    expect(await aliases()).toEqual(['event 0', 'event 1', 'event 2', 'own 4', 'own 6', 'own 8']);
  });

  test('takes no keys from somebody with another master key', async () => {
    const theirs = await ground(engine);
    const [founding] = await theirs.owner.readStream(LOG_STREAM, { from: 0 });
    await it.owner.append(LOG_STREAM, [{ ...founding!, id: uuid() }], 0);
    const store = await it.open();
    expect(store.keys?.id).toBe(it.store.keys?.id);
    await theirs.close();
  });
});
