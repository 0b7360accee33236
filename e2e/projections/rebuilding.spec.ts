import { setTimeout as pause } from 'node:timers/promises';
import { defineProjection, servers, type AnyProjection } from '@quarterdeck/projections';
import { RebuildRefused } from '@quarterdeck/projections/runner';
import { v7 as uuid } from 'uuid';
import { AREA, REBUILD_LOCK } from '../../libs/projections/src/runner/schema';
import { PROJECTIONS, registered, removed, renamed } from './happenings';
import { openWorld, type World } from './world';
import { heldBytes } from '../../testing/held-memory';
import { PATIENCE_MS, until } from '../../testing/patience';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const fill = async (count: number) => {
  let last = '0';
  for (let n = 0; n < count; n += 50)
    for (const { position } of await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        world.append(`server-${uuid()}`, registered(`s${n + index}`), renamed('t')),
      ),
    ))
      last = position;
  return last;
};
/** The version that a later program would have. */
const next = servers.version + 1;

const sourceOf = async (name: string) =>
  (await world.rows('select source, version, state from read.places where projection = $1', [name]))[0];

describe('rebuilding beside the live tables', () => {
  test('while 500 events a second arrive: readers notice nothing, and the new tables equal the old', async () => {
    const runner = await world.runner();
    await runner.waitFor(await fill(1_000), PATIENCE_MS);
    let going = true;
    let reads = 0;
    const faults: unknown[] = [];
    const reader = async () => {
      while (going) {
        try {
          const [row] = await world.rows('select count(*)::int as count from read.servers');
          if (Number(row?.count) < 1_000) faults.push(row);
        } catch (error) {
          faults.push(error);
        }
        reads += 1;
        await pause(1);
      }
    };
    const writer = async () => {
      while (going) {
        await world.append(`server-${uuid()}`, registered('live'), renamed('later'));
        await pause(4);
      }
    };
    const load = [reader(), reader(), writer()];
    const before = await sourceOf('servers');
    for (let round = 0; round < 3; round += 1) {
      await runner.rebuild('all');
    }
    expect((await sourceOf('servers'))?.source).not.toBe(before?.source);
    await pause(100);
    expect((await runner.verify()).map(({ ok, differences }) => ({ ok, differences }))).toEqual(
      PROJECTIONS.map(() => ({ ok: true, differences: [] })),
    );
    going = false;
    await Promise.all(load);
    expect(faults).toEqual([]);
    expect(reads).toBeGreaterThan(50);
    expect(await runner.waitFor(await world.store.head(), PATIENCE_MS)).toBe(true);
    expect((await runner.verify()).every(({ ok }) => ok)).toBe(true);
    await until(
      async () =>
        (await world.rows(`select from pg_tables where schemaname = 'read_build'`)).length ===
        PROJECTIONS.length,
    );
  });

  test('a second rebuild at once is refused with a message', async () => {
    const runner = await world.runner();
    expect(await runner.ready(PATIENCE_MS)).toBe(true);
    // Takes the lock, as another process does during a rebuild.
    const other = await world.pool.connect();
    await other.query(`select pg_advisory_lock(${AREA}, ${REBUILD_LOCK})`);
    const refusal: unknown = await runner.rebuild('servers').catch((error: unknown) => error);
    other.release(true);
    expect(refusal).toBeInstanceOf(RebuildRefused);
    expect(String(refusal)).toMatch(/a rebuild is already under way/);
  });

  test('on the command line, in another process: the leader continues with the new tables', async () => {
    const leader = await world.runner();
    await leader.waitFor(await fill(100), PATIENCE_MS);
    const command = await world.runner({ lead: false });
    for (const quiet of [0, 1_200]) {
      await command.rebuild('all');
      await pause(quiet);
      const { position } = await world.append(`server-${uuid()}`, registered('next'));
      expect(await leader.waitFor(position, PATIENCE_MS)).toBe(true);
      expect(await command.waitFor(position, PATIENCE_MS)).toBe(true);
    }
    expect(await world.rows('select from read.servers')).toHaveLength(102);
    expect((await command.verify()).every(({ ok }) => ok)).toBe(true);
  });

  test('rows that do not fit into memory are written and found again', async () => {
    const ids = Array.from({ length: 30 }, () => uuid());
    for (const id of [...ids, ...ids, ...ids])
      await world.append(`server-${id}`, registered('a'), renamed('b'));
    for (const id of ids.slice(0, 10)) await world.append(`server-${id}`, removed('b'));
    const runner = await world.runner();
    await runner.waitFor('190', PATIENCE_MS);
    await runner.rebuild('all', { residentRows: 4 });
    expect((await runner.verify()).every(({ ok }) => ok)).toBe(true);
    expect(await world.rows('select from read.servers')).toHaveLength(20);
  });

  test('large rows are given up before they fill the memory', async () => {
    const root = `/${'x'.repeat(64_000)}`;
    const large = (alias: string) => {
      const event = registered(alias);
      return { ...event, data: { ...event.data, root } } as typeof event;
    };
    for (let many = 0; many < 800; many += 50)
      await Promise.all(
        Array.from({ length: 50 }, () => world.append(`server-${uuid()}`, large('s'), renamed('later'))),
      );
    const runner = await world.runner({ projections: [servers] });
    await runner.waitFor('1600', PATIENCE_MS);
    const before = heldBytes();
    let held = 0;
    await runner.rebuild('servers', {
      onProgress: ({ phase }) => {
        if (phase === 'indexing') held ||= heldBytes() - before;
      },
    });
    // All of them have 51 MB.
    expect(held).toBeLessThan(36 * 1024 * 1024);
    expect(held).toBeGreaterThan(0);
    expect(await world.rows(`select from read.servers where view->>'alias' = 'later'`)).toHaveLength(800);
  });

  test('until a new version is built, the old table has the indexes that its queries need, each once', async () => {
    const old = await world.runner();
    await old.waitFor(await fill(50), PATIENCE_MS);
    await old.stop();
    const newer: AnyProjection = defineProjection({
      ...servers,
      version: next,
      columns: { ...servers.columns, port: 'integer' },
      indexes: [
        ...servers.indexes,
        '(hashtext(workspace), position)',
        '(workspace, port)',
        'using gin (alias gin_trgm_ops)',
      ],
    });
    const sorted = (all: string[]) => all.toSorted((a, b) => a.localeCompare(b));
    const indexes = async () => {
      const rows = await world.rows(
        `select split_part(indexdef, ' USING ', 2) as how from pg_indexes
         where schemaname = 'read_build' and tablename = (select source from read.checkpoints where projection = 'servers')`,
      );
      return sorted(rows.map(({ how }) => String(how)));
    };
    const before = await indexes();
    const wanted = sorted([...before, 'btree (hashtext(workspace), "position")']);
    const read = world.store.readOn.bind(world.store);
    let seen = '';
    const reading = jest.spyOn(world.store, 'readOn').mockImplementation(async function* (...from) {
      await until(async () => (seen = String(await indexes())) === String(wanted));
      yield* read(...from);
    });
    const runner = await world.runner({ projections: [newer] });
    await until(async () => (await sourceOf('servers'))?.version === next);
    reading.mockRestore();
    expect(seen).toBe(String(wanted));
    expect((await runner.verify())[0]).toMatchObject({ ok: true });
  });

  test('a new version is built at the start, with other columns, while the old one serves', async () => {
    const old = await world.runner();
    const position = await fill(100);
    await old.waitFor(position, PATIENCE_MS);
    await old.stop();
    const newer: AnyProjection = defineProjection({
      ...servers,
      version: next,
      columns: { port: 'integer', alias: 'text', removedAt: 'timestamptz' },
      indexes: ['(workspace, port)'],
    });
    const runner = await world.runner({ projections: [newer] });
    expect(await world.rows('select alias from read.servers')).toHaveLength(100);
    await until(async () => (await sourceOf('servers'))?.version === next);
    expect(
      (await world.rows('select distinct port, host from read.servers').catch(() => [{ port: 'no host' }]))[0]
        ?.port,
    ).toBe('no host');
    expect((await world.rows('select distinct port from read.servers'))[0]?.port).toBe(22);
    const after = await world.append(`server-${uuid()}`, registered('after'));
    expect(await runner.waitFor(after.position, PATIENCE_MS)).toBe(true);
    expect((await runner.verify())[0]).toMatchObject({ ok: true, rows: 101 });
  });

  test('an older program beside a newer one neither leads nor writes', async () => {
    const newer = defineProjection({ ...servers, version: next });
    const first = await world.runner({ projections: [newer] });
    await first.waitFor(await fill(50), PATIENCE_MS);
    await first.stop();
    const older = await world.runner({ projections: [servers] });
    const behind = `version ${next}, this program writes ${servers.version}`;
    await expect(older.rebuild('servers')).rejects.toThrow(`has ${behind}`);
    await until(async () => ((await older.status()).lastError?.message ?? '').includes(behind));
    expect((await sourceOf('servers'))?.version).toBe(next);
    const { position } = await world.append(`server-${uuid()}`, registered('x'));
    expect(await older.waitFor(position, 300)).toBe(false);
    const newerAgain = await world.runner({ projections: [newer] });
    expect(await newerAgain.waitFor(position, PATIENCE_MS)).toBe(true);
  });

  test('a read model that one program dropped and a later one has again is rebuilt before it follows the log', async () => {
    const all = await world.runner();
    await all.waitFor(await fill(50), PATIENCE_MS);
    await all.stop();
    const fewer = await world.runner({ projections: [servers] });
    await fewer.waitFor(await fill(50), PATIENCE_MS);
    expect((await sourceOf('tally'))?.state).toBe('frozen');
    await fewer.stop();
    const again = await world.runner();
    await until(async () => (await sourceOf('tally'))?.state === 'live');
    expect((await again.verify()).every(({ ok }) => ok)).toBe(true);
  });
});
