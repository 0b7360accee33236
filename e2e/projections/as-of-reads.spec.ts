/** A query about the past folds only the streams that it needs, and none twice. */
import type { AppEvent } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { history, scripts, servers, subjects } from '@quarterdeck/projections';
import { AsOfTables } from '@quarterdeck/projections/runner';
import { v7 as uuid } from 'uuid';
import { moved, registered, removed, renamed, WORKSPACE } from './happenings';
import { openWorld, type World } from './world';
import { PATIENCE_MS, until } from '../../testing/patience';

const projections = [servers, scripts, subjects, history];
const content = { body: 'df\n', changes: false, timeoutSeconds: 30 };
const added: AppEvent = { type: 'ScriptAdded', data: { name: 'Check', ...content } };
const revised: AppEvent = { type: 'ScriptRevised', data: { ...content, body: 'df -h\n' } };

let world: World;
let past: AsOfTables;
/** The streams that were read. */
let read: string[];
beforeEach(async () => {
  world = await openWorld();
  read = [];
  const { store } = world;
  const watched: EventStore = {
    engine: store.engine,
    readOn: (...asked) => store.readOn(...asked),
    readStreams: (streams: string[], options) => {
      read.push(...streams);
      return store.readStreams(streams, options);
    },
  } as EventStore;
  past = new AsOfTables({ connectionString: world.url, store: watched, projections });
});
afterEach(async () => {
  await past.stop();
  await world.close();
});

/** Names in the rows at a position, and the streams that had to be read for them. */
const at = async (position: string, sql: string) => {
  read = [];
  const instant = { workspace: WORKSPACE, position, at: new Date().toISOString() };
  const { rows } = await past.query<{ name: string }>(instant, sql);
  return { names: rows.map(({ name }) => name), read: read.toSorted() };
};

const SERVERS = 'select alias as name from read.servers order by 1';
const SCRIPTS = `select view #>> '{versions,-1,body}' as name from read.scripts`;
const SUBJECTS = 'select name from read.subjects order by 1';
const HISTORY = 'select type as name from read.history order by position';

test('reads only streams of the wanted read model whose rows changed since, each once', async () => {
  const runner = await world.runner({ projections });
  const [changed, same, gone, script] = [
    ...[uuid(), uuid(), uuid()].map((id) => `server-${id}`),
    `script-${uuid()}`,
  ] as [string, string, string, string];
  for (const stream of [changed, same, gone]) await world.append(stream, registered(stream.slice(-4)));
  const { position } = await world.append(script, added);
  await world.append(changed, moved(2222));
  await world.append(gone, removed('gone'));
  await world.append(script, revised);
  await runner.waitFor((await world.append(`server-${uuid()}`, registered('later'))).position, PATIENCE_MS);
  await runner.waitForLater(PATIENCE_MS);
  const names = [changed, same, gone].map((stream) => stream.slice(-4)).sort();

  expect((await at(position, HISTORY)).read).toEqual([]);
  expect(await at(position, SERVERS)).toEqual({ names, read: [changed, gone].sort() });
  expect(await at(position, SERVERS)).toEqual({ names, read: [] });
  expect(await at(position, SCRIPTS)).toEqual({ names: ['df\n'], read: [script] });
  // Neither a move nor a revision changes a name.
  expect(await at(position, SUBJECTS)).toEqual({ names: ['Check', ...names].sort(), read: [gone] });

  await runner.waitFor((await world.append(same, renamed('new'))).position, PATIENCE_MS);
  await runner.waitForLater(PATIENCE_MS);
  expect(await at(position, SERVERS)).toEqual({ names, read: [same] });
  expect(await at(position, SUBJECTS)).toEqual({ names: ['Check', ...names].sort(), read: [same] });
  expect((await at(position, SCRIPTS)).read).toEqual([]);
});

test('changes that the history does not have yet count too', async () => {
  const runner = await world.runner({ projections });
  const [changed, fresh] = [`server-${uuid()}`, `server-${uuid()}`];
  const { position } = await world.append(changed, registered('old'));
  await world.append(changed, renamed('new'));
  const last = await world.append(fresh, registered('fresh'));
  await runner.waitFor(last.position, PATIENCE_MS);
  await runner.waitForLater(PATIENCE_MS);
  await runner.stop();
  // As it is after a kill between the two lanes.
  await world.rows('update read.live set later_position = $1', [position]);
  await world.rows('delete from read.history where position > $1', [position]);
  const [names] = await world.rows(`select source from read.checkpoints where projection = 'subjects'`);
  const table = `read_build.${String(names?.source)}`;
  await world.rows(`delete from ${table} where id = $1`, [fresh]);
  await world.rows(
    `update ${table} set name = 'old', view = jsonb_set(view, '{name}', '"old"'), position = $1`,
    [position],
  );
  expect(await at(position, SERVERS)).toEqual({ names: ['old'], read: [changed] });
  expect(await at(last.position, SERVERS)).toEqual({ names: ['fresh', 'new'], read: [] });
  expect(await at(position, SUBJECTS)).toEqual({ names: ['old'], read: [] });

  const next = await world.runner({ projections });
  expect(await next.ready(PATIENCE_MS)).toBe(true);
  await until(() => next.leading);
  expect(await next.waitForLater(PATIENCE_MS)).toBe(true);
  expect(await at(position, SUBJECTS)).toEqual({ names: ['old'], read: [changed] });
});
