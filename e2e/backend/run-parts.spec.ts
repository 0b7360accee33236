/** A run that starts other runs never ends before they have, whatever its kind does. covers: SRV-15, DOM-11 */
import { setTimeout as sleep } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { ownMeta, type CommandMeta } from '../../apps/backend/src/platform/sessions/session';
import { RunEngine, type LocalStep, type RunKind } from '../../apps/backend/src/runs';
import { openWorld, type World } from './world';

let world: World;
let engine: RunEngine;
let meta: CommandMeta;

beforeAll(async () => {
  world = await openWorld();
  engine = world.backend.app.get(RunEngine, { strict: false });
  const alice = await world.backend.signIn();
  const { body } = await alice.get<{ profile: { id: string }; instance: { uuid: string } }>('session');
  meta = ownMeta(body.profile.id, body.instance.uuid);
  engine.register({ kind: 'waiting', changes: false, steps: [local({ perform: waits })] });
});
afterAll(() => world?.end());

const local = (more: Partial<LocalStep>): LocalStep => ({
  name: 'work',
  on: 'console',
  timeoutMs: 60_000,
  repeatable: true,
  perform: async () => ({}),
  ...more,
});

/** Waits until it is cancelled, and then a little longer. */
const waits: LocalStep['perform'] = async (_context, { signal }) => {
  await sleep(60_000, undefined, { signal, ref: false }).catch(() => sleep(300));
  signal.throwIfAborted();
  return {};
};
const subject = { kind: 'workspace', id: uuidv7(), name: 'main' };
const startPart = async (parent: string): Promise<string> => {
  const part = uuidv7();
  await engine.start(part, 'waiting', { subject, input: {}, parent }, ownMeta(meta.actor, meta.workspace));
  return part;
};
const eventsOf = (run: string) => world.backend.resources.store.readStream(`run-${run}`);
const ends = ['RunSucceeded', 'RunFailed', 'RunInterrupted', 'RunCancelled'];
const endOf = async (run: string) => (await eventsOf(run)).find(({ type }) => ends.includes(type));

/** A run as a dead process left it. */
const leftBehind = async (kind: string, types: readonly string[], parent?: string): Promise<string> => {
  const run = uuidv7();
  const dataOf: Record<string, object> = {
    RunRequested: { kind, subject, input: {}, ...(parent !== undefined && { parent }) },
    RunStepStarted: { step: 'work', attempt: 1 },
  };
  const { actor, workspace, correlationId, causationId, at } = meta;
  const events = types.map((type) => ({
    type,
    data: type === 'RunInterrupted' ? { reason: 'lost' } : (dataOf[type] ?? {}),
    meta: { id: uuidv7(), at, actor, workspace, correlationId, causationId, v: '1' },
  }));
  await world.backend.resources.store.append(`run-${run}`, events as never, 'no_stream');
  return run;
};
const begun = ['RunRequested', 'RunStepStarted'];

/** @returns the ends of the run and of its part, which came first */
const expectPartFirst = async (run: string, part: string): Promise<(string | undefined)[]> => {
  await engine.ended(run, meta.workspace);
  const [whole, of] = [await endOf(run), await endOf(part)];
  expect(Number(of?.position)).toBeLessThan(Number(whole?.position));
  return [whole?.type, of?.type];
};
const register = (more: Partial<LocalStep>): string => {
  const kind: RunKind = { kind: `test-${uuidv7()}`, changes: false, steps: [local(more)] };
  engine.register(kind);
  return kind.kind;
};

test('a step that fails while its part is running: the part is ended, and then the run', async () => {
  let started = (_part: string): void => undefined;
  const part = new Promise<string>((resolve) => (started = resolve));
  const perform: LocalStep['perform'] = async ({ run }) => {
    started(await startPart(run));
    throw new Error('nobody foresaw this');
  };
  const run = uuidv7();
  await engine.start(run, register({ perform, startsRuns: true }), { subject, input: {} }, meta);
  expect(await expectPartFirst(run, await part)).toEqual(['RunFailed', 'RunCancelled']);
});

test('a cancelled run that has lost its process: its remaining part is ended first', async () => {
  const kind = register({
    perform: async (_context, { end }) => end.throwIfAborted() ?? {},
    startsRuns: true,
  });
  const run = await leftBehind(kind, [...begun, 'RunCancelRequested']);
  const part = await leftBehind('waiting', begun, run);
  await engine.takeUp(part);
  await engine.takeUp(run);
  expect(await expectPartFirst(run, part)).toEqual(['RunCancelled', 'RunCancelled']);
});

test('a run of an unknown kind is interrupted after its part has ended', async () => {
  const run = await leftBehind('ofTomorrow', begun);
  const part = await leftBehind('waiting', begun, run);
  await engine.takeUp(part);
  await engine.takeUp(run);
  expect(await expectPartFirst(run, part)).toEqual(['RunInterrupted', 'RunCancelled']);
});

test('a part that reaches the log after its run has ended, or during a cancel, does not begin', async () => {
  const kind = register({ startsRuns: true });
  const ended = await leftBehind(kind, [...begun, 'RunInterrupted']);
  const cancelled = await leftBehind(kind, [...begun, 'RunCancelRequested']);
  for (const parent of [ended, cancelled]) {
    const part = await leftBehind('waiting', ['RunRequested'], parent);
    await engine.takeUp(part);
    await engine.ended(part, meta.workspace);
    expect((await eventsOf(part)).map(({ type }) => type)).toEqual(['RunRequested', 'RunCancelled']);
  }
});

test('only the process that drives a run starts parts, and only if its kind declares them', async () => {
  await expect(startPart(await leftBehind('waiting', begun))).rejects.toMatchObject({ code: 'unavailable' });
  let refused: unknown;
  const perform: LocalStep['perform'] = async ({ run }) => {
    refused = await startPart(run).catch((error: unknown) => error);
    return {};
  };
  const run = uuidv7();
  await engine.start(run, register({ perform }), { subject, input: {} }, meta);
  await engine.ended(run, meta.workspace);
  expect(String(refused)).toMatch(/does not say that it starts runs/);
});
