// covers: AUD-04, AUD-05
import { verifyLog, WrongExpectedRevision } from '@quarterdeck/log/store';
import { defineProjection, servers } from '@quarterdeck/projections';
import { v7 as uuid } from 'uuid';
import { PROJECTIONS, newEvent, registered, renamed } from '../projections/happenings';
import { openWorld, type World } from '../projections/world';
import { tailWrittenAnew, tamper, tamperings } from '../store/tampering';
import { fault, moment, within } from './fault';
import { PATIENCE_MS, pause } from '../../testing/patience';

let world: World;

/** Each trial has its own log, because trials write to it and alter it. */
const afresh =
  (trial: (turn: number) => Promise<string | void>) =>
  async (turn: number): Promise<string | void> => {
    world = await openWorld();
    try {
      return await trial(turn);
    } finally {
      await world.close();
    }
  };

const clean = async (): Promise<void> => {
  expect(await verifyLog(world.pool)).toMatchObject({ ok: true });
  const read = await world.runner({ lead: false });
  for (const result of await read.verify()) expect(result).toMatchObject({ ok: true });
};

fault({
  fault: '48 writers on 8 streams while a subscriber follows',
  must: 'nothing lost, doubled or out of order; each revision is won once',
  share: 0.5,
  trial: afresh(async () => {
    const streams = Array.from({ length: 8 }, () => `server-${uuid()}`);
    const seen: string[] = [];
    const revisions = new Set<string>();
    const subscription = world.store.subscribe('0', (batch) => {
      for (const { position, stream, revision } of batch) {
        seen.push(position);
        revisions.add(`${stream} ${revision}`);
      }
    });
    let written = 0;
    const writer = async (which: number): Promise<void> => {
      const stream = streams[which % streams.length] ?? '';
      for (let i = 0; i < 25; i++) {
        const revision = (await world.store.readStream(stream)).length - 1;
        try {
          await world.store.append(
            stream,
            [newEvent(renamed(`${which}`))],
            revision < 0 ? 'no_stream' : revision,
          );
          written += 1;
        } catch (error) {
          if (!(error instanceof WrongExpectedRevision)) throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: 48 }, (_, which) => writer(which)));
    await within(10_000, 'the last event', () => seen.length >= written);
    await subscription.stop();
    expect(seen).toEqual(Array.from({ length: written }, (_, i) => String(i + 1)));
    expect(revisions.size).toBe(written);
    expect(await verifyLog(world.pool)).toMatchObject({ ok: true });
    return `${written} events`;
  }),
});

fault({
  fault: 'an event that a fold throws on',
  must: 'its stream waits, everything else goes on, and after the fix nothing is missing',
  share: 0.2,
  trial: afresh(async (turn) => {
    let mended = false;
    const fragile = defineProjection({
      ...servers,
      evolve: (view: Parameters<typeof servers.evolve>[0], event, key) => {
        if (!mended && event.type === 'ServerRenamed' && event.data.alias === 'poison')
          throw new Error('poison');
        return servers.evolve(view, event, key);
      },
    });
    const runner = await world.runner({
      projections: [fragile, ...PROJECTIONS.filter(({ name }) => name !== 'servers')],
    });
    const ids = Array.from({ length: 20 }, () => uuid());
    for (const [i, id] of ids.entries()) {
      await world.append(`server-${id}`, registered(`s${i}`));
      await world.append(`server-${id}`, renamed(i === turn % ids.length ? 'poison' : `t${i}`));
    }
    const { position } = await world.append(`server-${ids[turn % ids.length]}`, renamed('after'));
    expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
    expect((await runner.status()).parked).toHaveLength(1);
    mended = true;
    expect(await runner.retryParked('servers', `server-${ids[turn % ids.length]}`)).toMatchObject({
      ok: true,
    });
    expect((await runner.status()).parked).toHaveLength(0);
    const rows = await world.rows(`select alias from read.servers where id = $1`, [ids[turn % ids.length]]);
    expect(rows).toEqual([{ alias: 'after' }]);
    await clean();
  }),
});

fault({
  fault: 'every read model rebuilt under load',
  must: 'readers notice nothing, no event is missing at the swap, the new tables equal the log',
  share: 0.2,
  trial: afresh(async (turn) => {
    const runner = await world.runner();
    expect(await runner.ready(PATIENCE_MS)).toBe(true);
    let going = true;
    let written = 0;
    const failures: unknown[] = [];
    const writers = Array.from({ length: 4 }, async () => {
      for (; going; await pause(4)) {
        await world.append(`server-${uuid()}`, registered('live'), renamed('later'));
        written += 1;
      }
    });
    const reader = (async () => {
      for (let last = 0; going; await pause(1)) {
        const [row] = await world
          .rows('select count(*)::int as count from read.servers')
          .catch((error: unknown) => {
            failures.push(error);
            return [];
          });
        if (Number(row?.count ?? last) < last) failures.push(`from ${last} to ${String(row?.count)} rows`);
        last = Number(row?.count ?? last);
      }
    })();
    const load = Promise.all([...writers, reader]);
    const { heldMs } = await pause(200 + moment(turn, 200))
      .then(() => runner.rebuild('all'))
      .finally(async () => {
        await pause(200);
        going = false;
        await load;
      });
    expect(failures).toEqual([]);
    expect(await runner.waitFor(await world.store.head(), PATIENCE_MS)).toBe(true);
    expect((await world.rows('select count(*)::int as count from read.servers'))[0]?.count).toBe(written);
    await clean();
    return `writers held up ${heldMs.toFixed(0).padStart(3)} ms`;
  }),
});

fault({
  fault: 'one row of a read model altered by hand',
  must: 'found and named',
  trial: afresh(async (turn) => {
    const runner = await world.runner();
    const ids = Array.from({ length: 10 }, () => uuid());
    for (const id of ids) await world.append(`server-${id}`, registered(`s-${id}`), renamed('t'));
    await runner.waitFor(await world.store.head(), PATIENCE_MS);
    await clean();
    const victim = ids[turn % ids.length];
    await world.rows(`update read.servers set alias = 'other' where id = $1`, [victim]);
    const differing = (await runner.verify()).filter(({ ok }) => !ok);
    expect(differing).toMatchObject([{ projection: 'servers', differences: [{ id: victim }] }]);
  }),
});

/** Fills the log, and expects it to be intact. @returns its number of events */
const fill = async (): Promise<number> => {
  for (let i = 0; i < 10; i++) await world.append(`server-${uuid()}`, registered(`s${i}`), renamed('t'));
  expect(await verifyLog(world.pool)).toMatchObject({ ok: true });
  return Number(await world.store.head());
};

for (const { what, statements, named, problem } of tamperings)
  fault({
    fault: `the log tampered with: ${what}`,
    must: 'found, and the first event that is not as it was named',
    trial: afresh(async (turn) => {
      const at = 2 + (turn % ((await fill()) - 3));
      await tamper(world.pool, statements(at));
      const { ok, firstBad } = await verifyLog(world.pool);
      expect([ok, firstBad?.position]).toEqual([false, String(named(at))]);
      expect(firstBad?.problem).toMatch(problem);
    }),
  });

const forgedAt = (position: number, stream: string, revision: number): string =>
  `insert into log.events (position, stream, revision, event_id, type, data, meta, recorded_at, hash)
   select ${position}, '${stream}', ${revision}, gen_random_uuid(), type, data, meta, recorded_at, hash
   from log.events where position = 1`;

fault({
  fault: 'a row put into the log beside its order, with the rights of its owner',
  must: 'takes no effect, is named, writing says why it stops, and goes on once the row is gone',
  trial: afresh(async (turn) => {
    const last = await fill();
    const runner = await world.runner();
    await runner.waitFor(String(last), PATIENCE_MS);
    const [victim] = await world.store.readAll('0', { limit: 1 });
    const stream = victim?.stream ?? '';
    const [position, revision] = [
      [last + 1, 2],
      [last + 1_000, 2],
      [0, 900],
    ][turn % 3] as [number, number];
    await tamper(world.pool, [forgedAt(position, stream, revision)]);
    const named = { ok: false, firstBad: { position: String(position) } };
    expect(await verifyLog(world.pool)).toMatchObject(named);
    expect(await world.store.readStream(stream)).toHaveLength(2);
    if (position > 0)
      await expect(world.store.append(stream, [newEvent(renamed('next'))], 1)).rejects.toThrow(
        `at position ${position}`,
      );
    await tamper(world.pool, [`delete from log.events where position = ${position}`]);
    const { position: written } = await world.store.append(stream, [newEvent(renamed('next'))], 1);
    expect(await runner.waitFor(written, PATIENCE_MS)).toBe(true);
    await clean();
  }),
});

fault({
  fault: 'the log tampered with: a tail written anew with right hashes',
  must: 'found by a seal that was noted before, and named',
  trial: afresh(async () => {
    const last = await fill();
    const { head } = await verifyLog(world.pool);
    await tamper(world.pool, tailWrittenAnew(last));
    expect(await verifyLog(world.pool, head)).toMatchObject({
      ok: false,
      firstBad: { position: String(last) },
    });
  }),
});
