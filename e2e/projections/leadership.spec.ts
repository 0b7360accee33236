import { setTimeout as pause } from 'node:timers/promises';
import type { ProjectionRunner } from '@quarterdeck/projections/runner';
import { v7 as uuid } from 'uuid';
import { Live } from '../../libs/projections/src/runner/live';
import { Session } from '../../libs/projections/src/runner/session';
import { PROJECTIONS, registered, renamed, WORKSPACE } from './happenings';
import { openWorld, type World } from './world';
import { PATIENCE_MS, until } from '../../testing/patience';

let world: World;

/** Appends until told to stop; resolves with the number of events. */
function writeOn(): () => Promise<number> {
  let going = true;
  const writer = async (): Promise<number> => {
    let written = 0;
    for (; going; written += 2) {
      const stream = `server-${uuid()}`;
      await world.append(stream, registered(`w${written}`), renamed(`v${written}`));
    }
    return written;
  };
  const writers = [writer(), writer(), writer()];
  return async () => {
    going = false;
    return (await Promise.all(writers)).reduce((sum, count) => sum + count, 0);
  };
}

async function follow(runner: ProjectionRunner, { position }: { position: string }): Promise<void> {
  expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
  expect(await runner.waitForLater(PATIENCE_MS)).toBe(true);
}

async function expectAllOnce(runner: ProjectionRunner, events: number): Promise<void> {
  expect(await world.store.head()).toBe(String(events));
  await follow(runner, { position: String(events) });
  const sum = (events * (events + 1)) / 2;
  for (const name of ['tally', 'ledger']) {
    const [row] = await world.rows(`select view from read.${name}`);
    expect(row?.view).toEqual({ workspace: WORKSPACE, events, last: String(events), sum });
  }
  for (const result of await runner.verify()) expect(result).toMatchObject({ ok: true, differing: 0 });
}

const killLeaders = () =>
  world.rows(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = 1
    and classid = ${0x7164} and granted and database = (select oid from pg_database where datname = current_database())`);

describe('one leads, and every event counts once', () => {
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  test('another process takes over when the leader stops', async () => {
    const first = await world.runner();
    await first.waitFor((await world.append(`server-${uuid()}`, registered('first'))).position, PATIENCE_MS);
    const second = await world.runner();
    await first.stop();
    const { position } = await world.append(`server-${uuid()}`, registered('web'));
    expect(await second.waitFor(position, PATIENCE_MS)).toBe(true);
    expect(second.leading).toBe(true);
  });

  test('leaders that are disconnected again and again, at any moment, lose and duplicate nothing', async () => {
    const runners = [await world.runner(), await world.runner()];
    const stop = writeOn();
    for (let round = 0; round < 12; round += 1) {
      await pause(40 + 20 * Math.random());
      await killLeaders();
    }
    const written = await stop();
    const began = performance.now();
    for (const runner of runners) await expectAllOnce(runner, written);
    expect(performance.now() - began).toBeLessThan(300_000);
    expect(runners.filter((runner) => runner.leading)).toHaveLength(1);
  });

  test('two that both believe that they lead stop each other again and again, and still every event counts once', async () => {
    const first = await world.runner();
    expect(await first.ready(PATIENCE_MS)).toBe(true);
    await first.stop();
    let going = true;
    let ends = 0;
    const applied = [0, 0];
    const leadOn = async (self: number) => {
      const session = await Session.open(world.url, () => undefined);
      while (going) {
        const live = new Live({
          session,
          store: world.store,
          projections: PROJECTIONS,
          cachedRows: 100,
          readAtOnce: 50,
          onLead: () => undefined,
          onApplied: (_position, events) => void (applied[self]! += events.length),
          onFault: () => undefined,
        });
        const stopper = setInterval(() => void (going || live.end()), 20);
        await live.run();
        clearInterval(stopper);
        ends += 1;
        // Otherwise the faster one would never let the other do anything.
        await pause(50 * Math.random());
      }
      await session.close();
    };
    const leaders = [leadOn(0), leadOn(1)];
    const stop = writeOn();
    await until(() => Math.min(...applied) > 0 && ends > 20);
    const written = await stop();
    going = false;
    await Promise.all(leaders);
    await expectAllOnce(await world.runner(), written);
  });

  test('read models that a program of an earlier version kept are continued where it stopped', async () => {
    const stream = `server-${uuid()}`;
    const earlier = await world.runner();
    await world.append(stream, registered('a'));
    const { position } = await world.append(stream, renamed('b'));
    await follow(earlier, { position });
    await earlier.stop();
    // It had a position in each checkpoint, and none for all of them.
    await world.rows(
      `update read.checkpoints set state = 'live', follows = false, later = false, position = $1`,
      [position],
    );
    await world.rows('update read.live set position = 1');
    const live = `select distinct state, position from read.places`;
    expect(await world.rows(live)).toEqual([{ state: 'live', position }]);
    const tables = await world.rows('select source from read.checkpoints order by source');
    await world.append(stream, renamed('c'));
    await expectAllOnce(await world.runner(), 3);
    expect(await world.rows(live)).toEqual([{ state: 'live', position: '3' }]);
    // Nothing was rebuilt.
    expect(await world.rows('select source from read.checkpoints order by source')).toEqual(tables);
    // The earlier program finds nothing live, so it would rebuild instead of continuing from an old position.
    expect(await world.rows('select distinct state from read.checkpoints')).toEqual([{ state: 'frozen' }]);
  });

  test('what an event costs does not grow with the number of read models', async () => {
    const none = Array.from({ length: 40 }, (_, at) => ({
      name: `none_${at}`,
      version: 1,
      columns: {},
      indexes: [],
      keys: () => [],
      evolve: () => undefined,
    }));
    const rowsWritten = async (projections: typeof PROJECTIONS): Promise<number> => {
      const runner = await world.runner({ projections });
      expect(await runner.ready(PATIENCE_MS)).toBe(true);
      // Each read model joins the position of all once.
      await follow(runner, await world.append(`server-${uuid()}`, registered('web')));
      await until(async () => {
        const [apart] = await world.rows(
          'select count(*) as count from read.checkpoints where not (follows or later)',
        );
        return apart?.count === '0';
      });
      const [started] = await world.rows(`select pg_snapshot_xmax(pg_current_snapshot())::text as at`);
      await follow(runner, await world.append(`server-${uuid()}`, registered('web')));
      // Tables of earlier versions are dropped in the background, so no list of tables stays true for two statements.
      const counted = await world.rows(`select sum((xpath('//count/text()', query_to_xml(format(
          'select count(*) from %I.%I where xmin::text::bigint >= ${String(started?.at)}', nspname, relname), false, true, '')
        ))[1]::text::int) as rows
        from pg_class c join pg_namespace n on n.oid = relnamespace
        where relkind = 'r' and nspname in ('log', 'read', 'read_build') and relname not like 'none_%'`);
      await runner.stop();
      return Number(counted[0]?.rows);
    };
    const few = await rowsWritten(PROJECTIONS);
    expect(few).toBeGreaterThan(3);
    expect(await rowsWritten([...PROJECTIONS, ...none])).toBe(few);
  });

  test.each(['all', 'what follows later'])(
    'a checkpoint lost in a crash, with its rows, is folded again: %s',
    async (which) => {
      const runner = await world.runner();
      await follow(runner, await world.append(`server-${uuid()}`, registered('a')));
      const tables = await world.rows(
        `select source from read.checkpoints where projection in ('ledger', 'tally') order by projection`,
      );
      const [ledger, tally] = tables.map(({ source }) => `read_build.${String(source)}`);
      const before = JSON.stringify((await world.rows(`select view from ${tally}`))[0]?.view);
      await follow(runner, await world.append(`server-${uuid()}`, registered('b')));
      await runner.stop();
      const old = (table: string | undefined) =>
        `update ${table} set view = '${before}', events = 1, position = 1`;
      await world.rows(`with back as (update read.live set later_position = 1), rows as (${old(ledger)})
        delete from read.history where position = 2`);
      if (which === 'all')
        await world.rows(`with back as (update read.live set position = 1), rows as (${old(tally)})
          delete from read.servers where position = 2`);
      await expectAllOnce(await world.runner(), 2);
    },
  );

  test('what follows later was written with all others by an earlier version, and is continued', async () => {
    const earlier = await world.runner();
    const { position } = await world.append(`server-${uuid()}`, registered('a'));
    await follow(earlier, { position });
    await earlier.stop();
    await world.rows('update read.checkpoints set follows = true, later = false');
    await world.rows('update read.live set later_position = 0');
    const tables = await world.rows('select source from read.checkpoints order by source');
    await world.append(`server-${uuid()}`, registered('b'));
    await expectAllOnce(await world.runner(), 2);
    expect(await world.rows('select source from read.checkpoints order by source')).toEqual(tables);
    expect(
      await world.rows('select lane, count(*)::int as count from read.places group by lane order by lane'),
    ).toEqual([
      { lane: 'later', count: 2 },
      { lane: 'now', count: 2 },
    ]);
  });
});
