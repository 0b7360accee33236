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

async function expectAllOnce(runner: ProjectionRunner, events: number): Promise<void> {
  expect(await world.store.head()).toBe(String(events));
  expect(await runner.waitFor(String(events), PATIENCE_MS)).toBe(true);
  const [row] = await world.rows('select view from read.tally');
  const sum = (events * (events + 1)) / 2;
  expect(row?.view).toEqual({ workspace: WORKSPACE, events, last: String(events), sum });
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
    await earlier.waitFor((await world.append(stream, registered('a'))).position, PATIENCE_MS);
    const { position } = await world.append(stream, renamed('b'));
    await earlier.waitFor(position, PATIENCE_MS);
    await earlier.stop();
    // It had a position in each checkpoint, and none for all of them.
    await world.rows(`update read.checkpoints set state = 'live', follows = false, position = $1`, [
      position,
    ]);
    await world.rows('update read.live set position = 1');
    const live = `select distinct state, position from read.positions`;
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
      const joined = await world.append(`server-${uuid()}`, registered('web'));
      expect(await runner.waitFor(joined.position, PATIENCE_MS)).toBe(true);
      await until(async () => {
        const [apart] = await world.rows('select count(*) as count from read.checkpoints where not follows');
        return apart?.count === '0';
      });
      const [started] = await world.rows(`select pg_snapshot_xmax(pg_current_snapshot())::text as at`);
      const { position } = await world.append(`server-${uuid()}`, registered('web'));
      expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
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

  test('a checkpoint lost in a crash, with its rows, is folded again', async () => {
    const runner = await world.runner();
    const one = await world.append(`server-${uuid()}`, registered('a'));
    await runner.waitFor(one.position, PATIENCE_MS);
    const table = `read_build.${String((await world.rows(`select source from read.checkpoints where projection = 'tally'`))[0]?.source)}`;
    const before = (await world.rows(`select view from ${table}`))[0]?.view;
    const two = await world.append(`server-${uuid()}`, registered('b'));
    await runner.waitFor(two.position, PATIENCE_MS);
    await runner.stop();
    await world.rows(`with back as (update read.live set position = 1),
      rows as (update ${table} set view = '${JSON.stringify(before)}', events = 1, position = 1),
      old as (delete from read.history where id = '2') delete from read.servers where position = 2`);
    await expectAllOnce(await world.runner(), 2);
  });
});

describe('Postgres goes down', () => {
  beforeEach(async () => {
    world = await openWorld({ own: true });
  });
  afterEach(() => world.close());

  test('and is restarted during the work, gracefully or by force: the work continues, and every event counts once', async () => {
    const runner = await world.runner();
    let going = true;
    let written = 0;
    const writer = async () => {
      while (going)
        await world.append(`server-${uuid()}`, registered('x'), renamed('y')).then(
          () => (written += 2),
          () => pause(50),
        );
    };
    const writers = [writer(), writer()];
    for (const mode of ['immediate', 'fast'] as const) {
      await pause(400);
      await world.postgres.restart(mode);
    }
    const back = performance.now();
    await until(() =>
      runner.status().then(
        (status) => status.connected && status.leading,
        () => false,
      ),
    );
    expect(performance.now() - back).toBeLessThan(300_000);
    await pause(300);
    going = false;
    await Promise.all(writers);
    const head = Number(await world.store.head());
    expect(head).toBeGreaterThanOrEqual(written);
    await expectAllOnce(runner, head);
  });
});
