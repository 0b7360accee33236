/** What becomes of a run when the log or the database is away for a moment while it is driven. covers: SRV-14 */
import { v7 as uuidv7 } from 'uuid';
import { StoreUnavailable } from '@quarterdeck/events/store';
import type { RunView } from '@quarterdeck/projections';
import { ownMeta } from '../../apps/backend/src/platform/session';
import type { EventStore } from '../../apps/backend/src/platform/tokens';
import { RunEngine, type LocalStep, type RunKind } from '../../apps/backend/src/runs';
import type { Operator, RunningBackend } from '../peers/backend';
import { openWorld, type World } from './world';

let world: World;
let alice: Operator;
let person: string;
let workspace: string;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
  const { body } = await alice.get<{ profile: { id: string }; instance: { uuid: string } }>('session');
  [person, workspace] = [body.profile.id, body.instance.uuid];
});
afterAll(() => world?.end());

const engineOf = ({ app }: RunningBackend): RunEngine => app.get(RunEngine, { strict: false });
const pause = (): Promise<void> => new Promise((done) => setTimeout(done, 20));
/** @returns the name of the kind */
const kindWith = (steps: RunKind['steps'], ...backends: RunningBackend[]): string => {
  const kind = `test-${uuidv7()}`;
  for (const backend of backends) engineOf(backend).register({ kind, changes: false, steps });
  return kind;
};
const local = (perform: LocalStep['perform']): LocalStep => ({
  name: 'work',
  on: 'console',
  timeoutMs: 20_000,
  repeatable: true,
  perform,
});
const ended = async (run: string): Promise<RunView> => {
  for (;;) {
    const { status, body } = await alice.post<RunView>('run/detail', { id: run });
    if (status === 200 && body.endedAt !== undefined) return body;
    await pause();
  }
};

/** The log is away when this stream is next read, and back for whoever comes then. */
const awayOnceFor = (store: EventStore, stream: string): void => {
  const { readStream } = store;
  store.readStream = async (name, options) => {
    if (name !== stream) return readStream.call(store, name, options);
    store.readStream = readStream;
    throw new StoreUnavailable(new Error('away for a moment'));
  };
};

test('a run whose process died is taken up again when the first try met the log being away', async () => {
  const { store } = world.backend.resources;
  const kind = kindWith([local(async () => ({}))], world.backend);
  const run = uuidv7();
  const { actor, correlationId, causationId, at } = ownMeta(person, workspace);
  awayOnceFor(store, `run-${run}`);
  const requested = {
    type: 'RunRequested',
    data: { kind, subject: { kind: 'server', id: uuidv7(), name: 'web' }, input: {} },
    meta: { id: uuidv7(), at, actor, workspace, correlationId, causationId, v: '1' },
  };
  await store.append(`run-${run}`, [requested], 'no_stream');
  await world.backend.db.query(
    `insert into app.leases (name, holder, token, until) values ($1, $2, 1, now() - interval '1 second')`,
    [`run-${run}`, uuidv7()],
  );
  expect((await ended(run)).state).toBe('succeeded');
});
