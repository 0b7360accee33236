// covers: ES-05, SHELL-09
import { START, type Position, type RecordedEvent } from '@quarterdeck/events';
import { startBackend, type Operator, type RunningBackend } from '../../../../../testing/backend';
import { busyLog, write } from '../../../../../testing/busy-log';
import { startTestPostgres, type TestPostgres } from '../../../../../testing/postgres';
import { connectSocket } from '../../../../../testing/socket';
import { ProjectedEvents } from './projected-events';

/** A listener that can look anew hears 10,000 of them. */
const EVENTS = 11_000;
const HEARD = 10_000;

let postgres: TestPostgres;
let backend: RunningBackend;
let who: Operator;

beforeAll(async () => {
  postgres = await startTestPostgres();
  backend = await startBackend({ databaseUrl: postgres.url });
  who = await backend.signIn();
  const { rows } = await backend.db.query<{ id: string }>('select id from read.workspaces');
  const log = busyLog({ events: EVENTS, workspace: rows[0]?.id ?? '' });
  await write(backend.resources.store, log.appends);
  await backend.caughtUp();
});
afterAll(async () => {
  await backend?.close();
  await postgres?.stop();
});

const insert = async (of: Operator, name: string): Promise<void> => {
  expect(await of.post('product/insert', { data: { name } })).toMatchObject({ status: 200 });
};

const until = (condition: () => boolean): Promise<void> =>
  new Promise((done) => {
    const look = (): void => (condition() ? done() : void setImmediate(look));
    look();
  });

const follow = (canLookAnew: boolean) => {
  const { store, projections } = backend.resources;
  const heard: RecordedEvent[] = [];
  const leftBehind: Position[] = [];
  const stream = new ProjectedEvents(store, projections, {
    heard: (events) => void heard.push(...events),
    ...(canLookAnew && { leftBehind: (position) => void leftBehind.push(position) }),
    onFault: (error) => {
      throw error;
    },
  });
  stream.start(START);
  return { stream, heard, leftBehind };
};

test('a listener that is far behind is told once, and hears what comes after', async () => {
  const { stream, heard, leftBehind } = follow(true);
  await until(() => leftBehind.length > 0);
  expect(heard).toHaveLength(HEARD);
  expect(leftBehind).toEqual([backend.resources.projections.position()]);
  await insert(who, 'heard');
  await until(() => heard.length > HEARD);
  stream.stop();
  expect(heard.slice(HEARD).map(({ type }) => type)).toEqual(['ProductAdded']);
  expect(leftBehind).toHaveLength(1);
});

test('a listener that needs every event hears every event, in order', async () => {
  const { stream, heard } = follow(false);
  const { projections, store } = backend.resources;
  await until(() => stream.position === projections.position());
  stream.stop();
  const all: Position[] = [];
  for await (const page of store.readOn(START)) all.push(...page.map(({ position }) => position));
  expect(heard.map(({ position }) => position)).toEqual(all);
});

test('the sockets of a process that builds its read models connect again, and miss nothing later', async () => {
  // As after a restore: everything is there, and no read model.
  await backend.db.query(`update read.checkpoints set version = 0, state = 'frozen', follows = false`);
  await backend.db.query('update read.live set position = 0, later_position = 0');
  await backend.close();
  backend = await startBackend({ databaseUrl: postgres.url });
  const listener = await connectSocket({ url: backend.url, cookie: who.cookie });
  const dropped = new Promise((done) => listener.socket.once('disconnect', done));
  await backend.caughtUp();
  await dropped;
  const again = await connectSocket({ url: backend.url, cookie: who.cookie });
  const me = await backend.signIn();
  await again.resume(backend.resources.projections.position());
  await insert(me, 'pushed');
  await again.until(() => again.changes.length > 0);
  expect(again.changes.map(({ type }) => type)).toEqual(['ProductAdded']);
  listener.close();
  again.close();
});
