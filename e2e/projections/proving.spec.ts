import type { AppEvent, LoggedEvent } from '@quarterdeck/events';
import { history, servers } from '@quarterdeck/projections';
import { asOf, viewAt } from '@quarterdeck/projections/runner';
import fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import {
  ledger,
  moved,
  newEvent,
  PROJECTIONS,
  registered,
  removed,
  renamed,
  tally,
  WORKSPACE,
} from './happenings';
import { openWorld, type World } from './world';
import { PATIENCE_MS } from '../../testing/patience';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const logOf = async () => (await world.store.readAll('0', { limit: 10_000 })) as LoggedEvent[];

describe('verify', () => {
  test('names the row that was altered, deleted or added by hand, and the column', async () => {
    const runner = await world.runner();
    const ids = Array.from({ length: 4 }, () => uuid()).sort();
    const [altered, deleted, column, fine] = ids;
    for (const id of ids) await world.append(`server-${id}`, registered('web'));
    await runner.waitFor('4', PATIENCE_MS);
    expect(await runner.verify('servers')).toEqual([
      { projection: 'servers', position: '4', rows: 4, differing: 0, differences: [], ok: true },
    ]);
    await world.rows(`update read.servers set view = jsonb_set(view, '{host}', '"evil"') where id = $1`, [
      altered,
    ]);
    await world.rows(`delete from read.servers where id = $1`, [deleted]);
    await world.rows(`update read.servers set alias = 'other' where id = $1`, [column]);
    await world.rows(
      `insert into read.servers select 'zzz', workspace, position, view, alias, host from read.servers where id = $1`,
      [fine],
    );
    const [result] = await runner.verify('servers');
    expect(result).toMatchObject({ ok: false, rows: 4, differing: 4 });
    expect(result?.differences).toMatchObject([
      { id: altered, expected: { view: { host: '192.0.2.1' } }, actual: { view: { host: 'evil' } } },
      { id: deleted, expected: { alias: 'web' }, actual: undefined },
      { id: column, expected: { alias: 'web' }, actual: { alias: 'other' } },
      { id: 'zzz', expected: undefined, actual: { alias: 'web' } },
    ]);
    expect((await runner.verify()).map(({ ok }) => ok)).toEqual([false, true, true, true]);
    await runner.rebuild('servers');
    expect((await runner.verify()).every(({ ok }) => ok)).toBe(true);
  });

  test('works while events arrive, at whatever position it started', async () => {
    const runner = await world.runner();
    let going = true;
    const writing = (async () => {
      while (going) await world.append(`server-${uuid()}`, registered('a'), renamed('b'));
    })();
    await runner.waitFor('100', PATIENCE_MS);
    for (let round = 0; round < 5; round += 1)
      for (const result of await runner.verify()) expect(result).toMatchObject({ ok: true });
    going = false;
    await writing;
  });
});

describe('read models of the past', () => {
  test('equal the fold of the log up to that event, for all rows, some rows, a workspace', async () => {
    const [one, two, elsewhere] = [uuid(), uuid(), uuid()];
    await world.append(`server-${one}`, registered('one'));
    await world.append(`server-${two}`, registered('two'));
    await world.store.append(`server-${elsewhere}`, [newEvent(registered('elsewhere'), uuid())], 'no_stream');
    await world.append(`server-${one}`, renamed('uno'), moved(2222));
    await world.append(`server-${two}`, removed('two'));
    const log = await logOf();
    for (let position = 0; position <= log.length; position += 1)
      expect(await asOf(world.store, servers, { position: String(position) })).toEqual(
        viewAt(servers, log.slice(0, position)),
      );
    const past = await asOf(world.store, servers, { position: '4', workspace: WORKSPACE });
    expect([...past.values()].map(({ alias }) => alias).sort()).toEqual(['two', 'uno']);
    const byStream = await asOf(world.store, servers, {
      position: '4',
      streams: [`server-${one}`],
      keys: [one],
    });
    expect(byStream.get(one)).toEqual(past.get(one));
    expect(byStream.size).toBe(1);
  });

  test('an instant is the log up to what was recorded then', async () => {
    const stream = `server-${uuid()}`;
    await world.append(stream, registered('before'));
    await new Promise((resolve) => setTimeout(resolve, 15));
    const at = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 15));
    await world.append(stream, renamed('after'));
    const then = await asOf(world.store, servers, { at });
    expect([...then.values()].map(({ alias }) => alias)).toEqual(['before']);
    expect([...(await asOf(world.store, servers, { at, streams: [stream] })).values()]).toEqual([
      ...then.values(),
    ]);
    expect((await asOf(world.store, servers, { at: '2020-01-01T00:00:00.000Z' })).size).toBe(0);
  });
});

describe('after any sequence of events', () => {
  const happening = fc.record({
    server: fc.integer({ min: 0, max: 6 }),
    event: fc.oneof(
      fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }).map(clean).map(registered),
      fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }).map(clean).map(renamed),
      fc.integer({ min: 1, max: 65_535 }).map(moved),
      fc.constant(removed('gone')),
    ),
  });

  test('the tables equal the pure fold, live, restarted with little memory, and rebuilt', async () => {
    const first = await world.runner({ cachedRows: 2, readAtOnce: 3 });
    const servers7 = Array.from({ length: 7 }, () => uuid());
    const write = (batch: { server: number; event: AppEvent }[]) =>
      Promise.all(batch.map(({ server, event }) => world.append(`server-${servers7[server]}`, event)));
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 1, maxLength: 25 }), async (batch) => {
        await write(batch);
        expect(await first.waitFor(await world.store.head(), PATIENCE_MS)).toBe(true);
        expect(await first.waitForLater(PATIENCE_MS)).toBe(true);
        const log = await logOf();
        for (const definition of PROJECTIONS) {
          const rows = await world.rows(`select id, view from read.${definition.name}`);
          const expected = JSON.parse(JSON.stringify([...viewAt(definition, log)])) as [string, object][];
          expect(new Map(rows.map(({ id, view }) => [id, view]))).toEqual(new Map(expected));
        }
      }),
      { numRuns: 40, seed: 20261120 },
    );
    expect((await first.verify()).every(({ ok }) => ok)).toBe(true);
    await first.rebuild('all');
    // Removed rows are kept, but hidden.
    const registrations = (await logOf()).filter(({ type }) => type === 'ServerRegistered');
    expect((await first.verify()).map(({ rows }) => rows)).toEqual([
      new Set(registrations.map(({ stream }) => stream)).size,
      viewAt(tally, await logOf()).size,
      viewAt(ledger, await logOf()).size,
      viewAt(history, await logOf()).size,
    ]);
  });
});

/** Text that the log itself cannot store never reaches a fold. */
function clean(text: string): string {
  return text.replaceAll(/[\0\p{Surrogate}]/gu, '') || '-';
}
