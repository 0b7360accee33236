/** What becomes of a run when the log or the database is away for a moment while it is driven. covers: SRV-14 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { StoreUnavailable } from '@quarterdeck/events/store';
import type { RunView } from '@quarterdeck/projections';
import { ownMeta } from '../../apps/backend/src/platform/session';
import type { EventStore } from '../../apps/backend/src/platform/tokens';
import { RunEngine, type LocalStep, type RunKind } from '../../apps/backend/src/runs';
import type { Operator, RunningBackend } from '../peers/backend';
import { startSshd, type Sshd } from '../peers/sshd';
import { openWorld, registerAt, type World } from './world';

let world: World;
let sshd: Sshd;
let server: string;
let alice: Operator;
let person: string;
let workspace: string;

beforeAll(async () => {
  [world, sshd] = await Promise.all([openWorld(), startSshd()]);
  alice = await world.backend.signIn();
  server = await registerAt(alice, sshd);
  const { body } = await alice.get<{ profile: { id: string }; instance: { uuid: string } }>('session');
  [person, workspace] = [body.profile.id, body.instance.uuid];
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

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
    data: { kind, subject: { kind: 'server', id: server, name: 'web' }, input: {} },
    meta: { id: uuidv7(), at, actor, workspace, correlationId, causationId, v: '1' },
  };
  await store.append(`run-${run}`, [requested], 'no_stream');
  await world.backend.db.query(
    `insert into app.leases (name, holder, token, until) values ($1, $2, 1, now() - interval '1 second')`,
    [`run-${run}`, uuidv7()],
  );
  expect((await ended(run)).state).toBe('succeeded');
});

test('a step that another process goes on with has the end that its server tells, though the log was away when it was taken up', async () => {
  const [first, second] = [await world.another(), world.backend];
  const [begun, go] = [join(sshd.folder, 'begun'), join(sshd.folder, 'go')];
  const script = `echo before; touch ${begun}; until [ -e ${go} ]; do sleep 0.05; done; echo after`;
  const kind = kindWith(
    [{ name: 'work', on: 'server', timeoutMs: 60_000, repeatable: false, script }],
    first,
    second,
  );
  const run = uuidv7();
  const subject = { kind: 'server', id: server, name: 'web' };
  await engineOf(first).start(run, kind, { subject, input: {} }, ownMeta(person, workspace));
  while (!existsSync(begun)) await pause();
  awayOnceFor(second.resources.store, `server-${server}`);
  await first.close();
  while (!second.logs.some((line) => line.includes('away for a moment') && line.includes(run))) {
    expect((await alice.post<RunView>('run/detail', { id: run })).body.endedAt).toBeUndefined();
    await pause();
  }
  writeFileSync(go, '');
  const { state, steps } = await ended(run);
  expect([state, steps.length]).toEqual(['succeeded', 1]);
  expect(await engineOf(second).output(run)).toBe('before\nafter\n');
});
