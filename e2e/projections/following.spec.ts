import { viewAt } from '@quarterdeck/projections/runner';
import { servers } from '@quarterdeck/projections';
import type { LoggedEvent } from '@quarterdeck/events';
import { v7 as uuid } from 'uuid';
import { PROJECTIONS, registered, removed, renamed, tally, WORKSPACE } from './happenings';
import { openWorld, type World } from './world';
import { PATIENCE_MS, until } from '../../testing/patience';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

describe('the read models follow the log', () => {
  test('a write can be read as soon as the wait for its position is over', async () => {
    const runner = await world.runner();
    const id = uuid();
    await world.append(`server-${id}`, registered('web-1'));
    const { position } = await world.append(`server-${id}`, renamed('web-2'));
    expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
    const [row] = await world.rows('select * from read.servers');
    expect(row).toMatchObject({ id, workspace: WORKSPACE, position, alias: 'web-2', host: '192.0.2.1' });
    expect(row?.view).toMatchObject({ alias: 'web-2', revision: 1 });
    expect(runner.position()).toBe(position);
    expect(await runner.waitForLater(PATIENCE_MS)).toBe(true);
    expect(await runner.lag()).toEqual({ events: 0, ms: 0 });
  });

  test('a row disappears with the event that ends it, and may come and go within one batch', async () => {
    const [kept, gone, brief] = [uuid(), uuid(), uuid()];
    await world.append(`server-${kept}`, registered('kept'));
    await world.append(`server-${gone}`, registered('gone'));
    const runner = await world.runner();
    const early = await world.append(`server-${brief}`, registered('brief'), removed('brief'));
    await runner.waitFor(early.position, PATIENCE_MS);
    const { position } = await world.append(`server-${gone}`, removed('gone'));
    expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
    expect((await world.rows('select alias from read.servers')).map((row) => row.alias)).toEqual(['kept']);
    expect(await runner.verify()).toEqual(
      PROJECTIONS.map(({ name }) => expect.objectContaining({ projection: name, ok: true })),
    );
  });

  test('a wait that lasts too long returns false, and does not affect the next', async () => {
    const runner = await world.runner();
    expect(await runner.waitFor('1', 50)).toBe(false);
    const { position } = await world.append(`server-${uuid()}`, registered('web'));
    expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
  });

  test('another process waits and is notified, without the events', async () => {
    const leader = await world.runner();
    await leader.waitFor((await world.append(`server-${uuid()}`, registered('first'))).position, PATIENCE_MS);
    const other = await world.runner();
    const seen: [string, number | undefined][] = [];
    other.onProjected((position, events) => void seen.push([position, events?.length]));
    const own: number[] = [];
    leader.onProjected((_position, events) => void own.push(events?.length ?? 0));
    const { position } = await world.append(`server-${uuid()}`, registered('web'), renamed('web-2'));
    expect(await other.waitFor(position, PATIENCE_MS)).toBe(true);
    expect(other.leading).toBe(false);
    expect(seen.at(-1)).toEqual([position, undefined]);
    await until(() => own.reduce((sum, count) => sum + count, 0) === 2);
  });

  test('a restart continues where the last process stopped, without rows in memory', async () => {
    const stream = `server-${uuid()}`;
    const first = await world.runner();
    const one = await world.append(stream, registered('a'));
    await first.waitFor(one.position, PATIENCE_MS);
    await first.stop();
    await world.append(stream, renamed('b'));
    const second = await world.runner();
    const { position } = await world.append(stream, renamed('c'));
    expect(await second.waitFor(position, PATIENCE_MS)).toBe(true);
    const [row] = await world.rows('select view from read.tally');
    expect(row?.view).toEqual({ workspace: WORKSPACE, events: 3, last: '3', sum: 6 });
    expect((await second.verify()).every(({ ok }) => ok)).toBe(true);
  });

  test('a long log is caught up with although rows do not fit into memory', async () => {
    for (let n = 0; n < 40; n += 1)
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          world.append(
            `server-0193f0a0-0000-7000-8000-${String(index).padStart(12, '0')}`,
            n % 9 === 8 ? removed('x') : registered(`s${n}`),
          ),
        ),
      );
    const runner = await world.runner({ cachedRows: 7, readAtOnce: 90 });
    expect(await runner.waitFor('2000', PATIENCE_MS)).toBe(true);
    await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        world.append(
          `server-0193f0a0-0000-7000-8000-${String(index % 70).padStart(12, '0')}`,
          registered(`t${index}`),
        ),
      ),
    );
    expect(await runner.waitFor('2500', PATIENCE_MS)).toBe(true);
    expect((await runner.verify()).every(({ ok }) => ok)).toBe(true);
    const log = (await world.store.readAll('0', { limit: 10_000 })) as LoggedEvent[];
    const expected = viewAt(servers, log);
    const live = await world.rows('select id, view from read.servers');
    expect(new Map(live.map((row) => [row.id, row.view]))).toEqual(expected);
    expect(viewAt(tally, log).get(WORKSPACE)?.events).toBe(2500);
  });
});
