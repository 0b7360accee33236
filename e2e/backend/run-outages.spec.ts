/** Runs during short outages or slowness of the log or the database. covers: SRV-14 */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { StoreUnavailable } from '@quarterdeck/log/store';
import type { RunView } from '@quarterdeck/projections';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import type { EventStore } from '../../apps/backend/src/platform/tokens';
import { RunDriver } from '../../apps/backend/src/runs/run-driver';
import { RunEngine, StepFailed, type LocalStep, type RunKind } from '../../apps/backend/src/runs';
import type { Operator, RunningBackend } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
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
const kindWith = (how: Omit<RunKind, 'kind'>, ...backends: RunningBackend[]): string => {
  const kind = `test-${uuidv7()}`;
  for (const backend of backends) engineOf(backend).register({ kind, ...how });
  return kind;
};
const start = (backend: RunningBackend, run: string, kind: string) => {
  const subject = { kind: 'server', id: server, name: 'web' };
  return engineOf(backend).start(run, kind, { subject, input: {} }, ownMeta(person, workspace));
};
const local = (perform: LocalStep['perform']): LocalStep => ({
  name: 'work',
  on: 'console',
  timeoutMs: 300_000,
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

const gate = () => {
  let open = (): void => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
};

/** Makes the log unavailable for readers of this stream. @returns a function that restores it */
const awayFor = (store: EventStore, stream: string, onRead?: () => void): (() => void) => {
  const { readStream, readAfter } = store;
  const refuse = (name: string): void => {
    if (name !== stream) return;
    onRead?.();
    throw new StoreUnavailable(new Error('away for a moment'));
  };
  store.readStream = async (name, options) => {
    refuse(name);
    return readStream.call(store, name, options);
  };
  store.readAfter = async (name, revision) => {
    refuse(name);
    return readAfter.call(store, name, revision);
  };
  return () => Object.assign(store, { readStream, readAfter });
};
/** Only the first reader is affected. */
const awayOnceFor = (store: EventStore, stream: string): void => {
  const back = awayFor(store, stream, () => back());
};

test('a run whose process died is taken over even if the first attempt met an outage of the log', async () => {
  const { store } = world.backend.resources;
  const kind = kindWith({ changes: false, steps: [local(async () => ({}))] }, world.backend);
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
    `insert into app.leases (name, holder, token, until) values ($1, $2, 1, '-infinity')`,
    [`run-${run}`, uuidv7()],
  );
  expect((await ended(run)).state).toBe('succeeded');
});

test('a step taken over by another process ends as its server reports, despite an outage of the log during the take-over', async () => {
  const [first, second] = [await world.another(), world.backend];
  const [begun, go] = [join(sshd.folder, 'begun'), join(sshd.folder, 'go')];
  const script = `echo before; touch ${begun}; until [ -e ${go} ]; do sleep 0.05; done; echo after`;
  const kind = kindWith(
    {
      changes: false,
      steps: [{ name: 'work', on: 'server', timeoutMs: 60_000, repeatable: false, script }],
    },
    first,
    second,
  );
  const run = uuidv7();
  await start(first, run, kind);
  while (!existsSync(begun)) await pause();
  const back = awayFor(second.resources.store, `server-${server}`);
  await first.close();
  while (!second.logs.some((line) => line.includes('away for a moment') && line.includes(run))) {
    expect((await alice.post<RunView>('run/detail', { id: run })).body.endedAt).toBeUndefined();
    await pause();
  }
  back();
  writeFileSync(go, '');
  const { state, steps } = await ended(run);
  expect([state, steps.length]).toEqual(['succeeded', 1]);
  expect(await engineOf(second).output(run)).toBe('before\nafter\n');
});

test('a run whose retry is being recorded blocks another one', async () => {
  const { db, resources } = world.backend;
  const { store } = resources;
  let broken = true;
  const [reached, recorded, done] = [gate(), gate(), gate()];
  const work = async () => {
    if (broken) throw new StepFailed('broken', 'not today');
    await done.passed;
    return {};
  };
  const kind = kindWith({ changes: true, steps: [local(work)] }, world.backend);
  const [retried, other] = [uuidv7(), uuidv7()];
  await start(world.backend, retried, kind);
  expect((await ended(retried)).state).toBe('failed');
  broken = false;

  const { append } = store;
  store.append = async (stream, events, expected) => {
    if (events[0]?.type === 'RunRetried') {
      reached.open();
      await recorded.passed;
    }
    return append.call(store, stream, events, expected);
  };
  const query = db.query.bind(db) as (...given: unknown[]) => Promise<unknown>;
  let attempts = 0;
  const counting = (...given: unknown[]): Promise<unknown> => {
    if (String(given[0]).startsWith('insert into app.claims') && (given[1] as string[])[2] === other)
      attempts += 1;
    return query(...given);
  };
  Object.assign(db, { query: counting });
  try {
    const retrying = engineOf(world.backend).retry(retried, ownMeta(person, workspace));
    await reached.passed;
    let answer: unknown;
    const starting = start(world.backend, other, kind).then(
      () => (answer = 'started'),
      (error: unknown) => (answer = error),
    );
    while (answer === undefined && attempts < 3) await pause();
    recorded.open();
    await Promise.all([retrying, starting]);
    expect(answer).toMatchObject({ code: 'conflict', detail: { current: { runId: retried } } });
  } finally {
    store.append = append;
    Reflect.deleteProperty(db, 'query');
    recorded.open();
    done.open();
  }
  const { runs } = (await alice.post<{ runs: RunView[] }>('run/list', { kind })).body;
  expect(runs.map(({ id }) => id)).toEqual([retried]);
  while ((await ended(retried)).state !== 'succeeded') await pause();
});

test('a run that meets the same fault after a retry fails again, any number of times', async () => {
  const { app, db } = world.backend;
  const [run, broken] = [uuidv7(), uuidv7()];
  const { patience } = app.get(RunDriver, { strict: false });
  const before = { ...patience };
  Object.assign(patience, { mostFaults: 1, longestPauseMs: 1 });
  // A secret that this process cannot decrypt, so it cannot know what to mask in output.
  await db.query(
    `insert into app.vault (workspace, ref, kind, key_id, wrapped_key, sealed)
     select $1, $2, 'token', id, check_value, check_value from app.vault_keys`,
    [workspace, broken],
  );
  const givenUp = async (times: number): Promise<void> => {
    const query = `select from log.events where stream = $1 and type = 'RunInterrupted'`;
    while ((await db.query(query, [`run-${run}`])).rowCount !== times) await pause();
  };
  try {
    await start(
      world.backend,
      run,
      kindWith({ changes: true, steps: [local(async () => ({}))] }, world.backend),
    );
    for (const times of [1, 2, 3]) {
      if (times > 1) await engineOf(world.backend).retry(run, ownMeta(person, workspace));
      await givenUp(times);
    }
  } finally {
    Object.assign(patience, before);
    await db.query('delete from app.vault where ref = $1', [broken]);
  }
});
