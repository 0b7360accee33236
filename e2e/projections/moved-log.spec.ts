// covers: LOG-04
import { defineProjection } from '@quarterdeck/projections';
import { v7 as uuid } from 'uuid';
import { AREA, LEADER_LOCK } from '../../libs/projections/src/runner/schema';
import { PROJECTIONS, registered, tally } from './happenings';
import { openWorld, type World } from './world';
import { PATIENCE_MS, until } from '../../testing/patience';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const here = { id: uuid(), home: undefined };
const there = { ...here, home: uuid() };
/** A read model that only the log at its new place has. */
const projections = [...PROJECTIONS, defineProjection({ ...tally, name: 'newcomer' })];
const names = projections.map(({ name }) => name).sort();

/** Read models of the log at its old place. */
const built = async (): Promise<string> => {
  const { position } = await world.append(`server-${uuid()}`, registered('a'));
  const runner = await world.runner({ log: here });
  expect(await runner.ready(PATIENCE_MS)).toBe(true);
  await runner.stop();
  return position;
};
const live = async () =>
  (await world.rows(`select projection from read.places where state = 'live' order by projection`)).map(
    ({ projection }) => projection,
  );

describe('a log that has moved', () => {
  test('is followed by all read models at once, even if one of them is new and another process leads', async () => {
    const position = await built();
    const leader = await world.pool.connect();
    await leader.query(`select pg_advisory_lock($1, $2)`, [AREA, LEADER_LOCK]);
    const runner = await world.runner({ projections, log: there });
    expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
    leader.release(true);
    expect(await live()).toEqual(names);
  });

  test('is followed by all read models, even if only one of them is to be rebuilt', async () => {
    await built();
    const runner = await world.runner({ projections, log: there, lead: false });
    expect(runner.position()).toBe('0');
    expect((await runner.rebuild('servers')).projections.sort()).toEqual(names);
    expect(await live()).toEqual(names);
    // From now on each can be rebuilt alone.
    expect((await runner.rebuild('servers')).projections).toEqual(['servers']);
  });

  test('reports no position to a process that still has the log at its old place', async () => {
    const position = await built();
    const old = await world.runner({ log: here, lead: false });
    expect(old.position()).toBe(position);
    const runner = await world.runner({ projections, log: there });
    expect(await runner.waitFor(position, PATIENCE_MS)).toBe(true);
    await until(() => old.position() === '0');
    const later = await world.append(`server-${uuid()}`, registered('b'));
    expect(await runner.waitFor(later.position, PATIENCE_MS)).toBe(true);
    expect(await old.waitFor(later.position, 0)).toBe(false);
    expect(old.position()).toBe('0');
  });
});
