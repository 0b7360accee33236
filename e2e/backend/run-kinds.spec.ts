/**
 * Optional parts of a kind of run besides its steps: arguments to look up, explanations of failures, events for the
 * subject.
 */
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import type { RunView } from '@quarterdeck/projections';
import { RefuseCertificate } from '../../apps/backend/src/domains';
import { DomainError } from '../../apps/backend/src/platform/errors';
import { Leases } from '../../apps/backend/src/platform/leases/leases';
import { ownMeta } from '../../apps/backend/src/platform/sessions/session';
import {
  RunEngine,
  StepFailed,
  type RemoteStep,
  type RunKind,
  type StepFailure,
} from '../../apps/backend/src/runs';
import { listRuns } from '../../apps/backend/src/superadmin/superadmin.queries';
import { until } from '../../testing/patience';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { openWorld, registerAt, type World } from './world';

let world: World;
let alice: Operator;
let sshd: Sshd;
let server: string;
let domain: string;

beforeAll(async () => {
  world = await openWorld();
  alice = await world.backend.signIn();
  sshd = await startSshd();
  server = await registerAt(alice, sshd);
  const { body } = await alice.post<{ id: string }>('domain/insert', {
    serverName: 'kinds.localhost',
    server: { id: server },
  });
  domain = body.id;
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
});

/** Runs on the server, with the domain as its subject. */
const done = async (kind: Omit<RunKind, 'kind' | 'changes'>, subject = domain): Promise<RunView> => {
  const engine = world.backend.app.get(RunEngine, { strict: false });
  const name = `test-${uuidv7()}`;
  engine.register({ kind: name, changes: true, ...kind });
  const run = uuidv7();
  const where = {
    subject: { kind: 'domain', id: subject, name: 'kinds.localhost' },
    server: { id: server, name: 'web' },
  };
  await engine.start(run, name, { ...where, input: {} }, await hers());
  return endOf(run);
};
const hers = async () => {
  const { body } = await alice.get<{ profile: { id: string }; instance: { uuid: string } }>('session');
  return ownMeta(body.profile.id, body.instance.uuid);
};
const endOf = async (run: string): Promise<RunView> => {
  for (;;) {
    const { status, body: view } = await alice.post<RunView>('run/detail', { id: run });
    if (status === 200 && view.endedAt !== undefined) return view;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
const remote = (more: Partial<RemoteStep>): RemoteStep => ({
  name: 'work',
  on: 'server',
  script: 'true',
  timeoutMs: 300_000,
  repeatable: true,
  ...more,
});
const refusals = async () =>
  (
    await world.backend.db.query<{ data: object; cause: string }>(
      `select data, meta->>'causationId' as cause from log.events
       where stream = $1 and type = 'CertificateRefused' order by revision`,
      [`domain-${domain}`],
    )
  ).rows;

test("arguments and scripts may be looked up; if that fails, the step fails with the look-up's message", async () => {
  const script = async (): Promise<string> => 'report said "$1 $2"';
  const args = async (
    { server: at }: { server?: { alias: string } },
    { workspace }: { workspace: string },
  ) => [workspace, at?.alias ?? 'nowhere'];
  const good = await done({ steps: [remote({ script, args })] });
  expect([good.state, good.steps[0]?.report]).toEqual([
    'succeeded',
    { said: expect.stringMatching(/^[0-9a-f-]{36} web-/) },
  ]);
  const refused = async (): Promise<never> => {
    throw new DomainError('upstream', 'there is no argument today');
  };
  const bad = await done({ steps: [remote({ args: refused })] });
  expect([bad.state, bad.code, bad.reason]).toEqual(['failed', 'upstream', 'there is no argument today']);
});

test('started work is followed to its end, even if it could no longer be started', async () => {
  const leases = world.backend.app.get(Leases, { strict: false });
  const go = join(sshd.folder, 'go');
  let asked = 0;
  const args = async (): Promise<string[]> => {
    if (++asked > 1) throw new StepFailed('rateBudget', 'Not again today.');
    return [go];
  };
  const script = 'echo begun; until [ -e "$1" ]; do sleep 0.05; done; report said done';
  const ended = done({ steps: [remote({ script, args, repeatable: false })] });
  while (asked < 2) {
    const { rows } = await world.backend.db.query<{ name: string }>(
      `select name from app.leases where name in (select 'run-' || run from app.run_output where text = $1)`,
      ['begun\n'],
    );
    // As if the lease had been lost: this process takes the run over.
    for (const { name } of rows) leases.lost(name);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  writeFileSync(go, '');
  const run = await ended;
  expect([run.state, run.reason, run.steps.map(({ report }) => report)]).toEqual([
    'succeeded',
    undefined,
    [{ said: 'done' }],
  ]);
});

test('a step that only reads is run again when its connection is lost, and its last output counts', async () => {
  const mark = join(sshd.folder, 'cut');
  // The shell's parent is the process of sshd that holds the connection.
  const script =
    'echo begun; [ -e "$1" ] || { : >"$1"; kill -9 $PPID; sleep 5; }; report said done; echo whole';
  const run = await done({
    steps: [remote({ script, args: () => [mark], attached: true, repeatable: true })],
  });
  expect([run.state, run.steps.map(({ state, attempt, report }) => [state, attempt, report])]).toEqual([
    'succeeded',
    [
      ['lost', 1, undefined],
      ['succeeded', 2, { said: 'done' }],
    ],
  ]);
  const engine = world.backend.app.get(RunEngine, { strict: false });
  expect(await engine.output(run.id, 2)).toBe('begun\nwhole\n');
});

test('a step that only reads is started again by the process that takes its run over', async () => {
  const leases = world.backend.app.get(Leases, { strict: false });
  const go = join(sshd.folder, 'read');
  const script = 'echo reading; until [ -e "$1" ]; do sleep 0.05; done; report said done';
  const ended = done({
    steps: [remote({ script, args: () => [go], attached: true, repeatable: true })],
  });
  const readingRun = async () =>
    (
      await world.backend.db.query<{ name: string }>(
        `select name from app.leases where name in (select 'run-' || run from app.run_output where text = $1)`,
        ['reading\n'],
      )
    ).rows[0]?.name;
  let name = await readingRun();
  for (; name === undefined; name = await readingRun())
    await new Promise((resolve) => setTimeout(resolve, 20));
  leases.lost(name);
  writeFileSync(go, '');
  const run = await ended;
  expect([run.state, run.steps.at(-1)?.report]).toEqual(['succeeded', { said: 'done' }]);
});

test('runs in line wait for their turn, even if runs before them fail, or another process takes over', async () => {
  const engine = world.backend.app.get(RunEngine, { strict: false });
  const kind = `test-${uuidv7()}`;
  const [first, cancelled, replaced, moved, last] = [uuidv7(), uuidv7(), uuidv7(), uuidv7(), uuidv7()];
  const gone: Record<string, string> = {};
  const begun: string[] = [];
  const told: string[] = [];
  let failFirst = (): void => undefined;
  engine.register({
    kind,
    changes: true,
    replaced: async (run) => gone[run],
    stillFits: async (_, __, run) => {
      if (run === moved) throw new DomainError('unprocessable', 'it was moved');
    },
    onFailure: ({ run }, { step, reason }) => void told.push(`${run} at ${step}: ${reason}`),
    steps: [
      {
        name: 'work',
        on: 'console',
        timeoutMs: 60_000,
        repeatable: true,
        perform: async ({ run }) => {
          begun.push(run);
          if (run === first)
            await new Promise((_, reject) => {
              failFirst = () => reject(new StepFailed('no', 'It cannot be done.'));
            });
          return {};
        },
      },
    ],
  });
  const subject = { kind: 'domain', id: uuidv7(), name: 'kinds.localhost' };
  const start = async (run: string) => engine.start(run, kind, { subject, input: {} }, await hers());
  for (const run of [first, cancelled, replaced, moved]) await start(run);

  await alice.post('run/cancel', { id: cancelled });
  expect(await endOf(cancelled)).toMatchObject({ state: 'cancelled', steps: [] });
  gone[replaced] = 'another one took its place';
  // The request of another one makes it look.
  await start(last);
  expect(await endOf(replaced)).toMatchObject({
    state: 'cancelled',
    steps: [],
    reason: 'another one took its place',
  });
  // As if its process had died: the process that takes over keeps waiting.
  world.backend.app.get(Leases, { strict: false }).lost(`run-${last}`);
  while (begun.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  failFirst();
  expect(await endOf(moved)).toMatchObject({ state: 'failed', reason: 'it was moved', steps: [] });
  expect(await endOf(last)).toMatchObject({ state: 'succeeded' });
  expect(begun).toEqual([first, last]);
  expect(told).toEqual([`${first} at work: It cannot be done.`, `${moved} at begin: it was moved`]);
});

test('a search finds a run by its words while it goes on, and by those of its end afterwards', async () => {
  const found = async (search: string) =>
    (await listRuns(world.backend.db, { search: `kinds.localhost ${search}` })).runs.map(({ id }) => id);
  let during = '';
  const { id } = await done({
    steps: [
      {
        name: 'work',
        on: 'console',
        timeoutMs: 300_000,
        repeatable: true,
        perform: async ({ run }) => {
          await until(async () => (await found('running')).includes(run));
          during = (await found('succeeded')).includes(run) ? 'ended' : 'running';
          return {};
        },
      },
    ],
  });
  expect(during).toBe('running');
  expect(await found('succeeded')).toContain(id);
  expect(await found('running')).not.toContain(id);
});

test('a failure on the server is explained by its kind, and both reports are kept', async () => {
  const explain: RemoteStep['explain'] = ({ server: at }, { exitCode, report }) => ({
    code: 'ill',
    reason: `${at?.username} saw ${exitCode} ${report['found']}`,
    report: { field: 'url' },
  });
  const run = await done({ steps: [remote({ script: 'report found it; exit 7', explain })] });
  expect([run.state, run.code, run.reason]).toEqual(['failed', 'ill', `${sshd.username} saw 7 it`]);
  expect(run.steps[0]).toMatchObject({ exitCode: 7, report: { found: 'it', field: 'url' } });
});

test('a step that ignores its signal is ended, and the run says that its work may go on', async () => {
  const run = await done({
    steps: [
      {
        name: 'work',
        on: 'console',
        timeoutMs: 60_000,
        repeatable: true,
        perform: async ({ run: id }, { print }) => {
          await alice.post('run/cancel', { id });
          return new Promise(() => print('waiting for nobody\n'));
        },
      },
      remote({ name: 'more' }),
    ],
  });
  expect([run.state, run.steps.map(({ step }) => step)]).toEqual(['cancelled', ['work']]);
  expect(run.reason).toContain('did not stop by itself, so its work may still be going on');
});

describe('the subject of a run that failed', () => {
  const failing = (seen: StepFailure[], subject?: string): Promise<RunView> =>
    done(
      {
        steps: [
          { name: 'before', on: 'console', timeoutMs: 300_000, repeatable: true, perform: async () => ({}) },
          {
            name: 'ask',
            on: 'console',
            timeoutMs: 300_000,
            repeatable: true,
            perform: async () => {
              throw new StepFailed('no', 'The authority said no.', { detail: 'never' });
            },
          },
        ],
        onFailure: ({ request }, failure, meta) => {
          seen.push(failure);
          return new RefuseCertificate(request.subject.id, { detail: failure.reason }, meta);
        },
      },
      subject,
    );

  test('gets an event once, with the run as its cause', async () => {
    const seen: StepFailure[] = [];
    const run = await failing(seen);
    expect([run.state, run.code, run.reason]).toEqual(['failed', 'no', 'The authority said no.']);
    expect(seen[0]).toEqual({
      step: 'ask',
      report: { detail: 'never' },
      code: 'no',
      reason: 'The authority said no.',
    });
    expect(await refusals()).toEqual([{ data: { detail: 'The authority said no.' }, cause: run.id }]);
  });

  test('may be removed by then: the run still reports why it failed', async () => {
    const run = await failing([], uuidv7());
    expect([run.state, run.code, run.reason]).toEqual(['failed', 'no', 'The authority said no.']);
  });

  test('gets no event if the kind does not provide one', async () => {
    const before = await refusals();
    const run = await done({ steps: [remote({ script: 'exit 3' })], onFailure: () => undefined });
    expect([run.state, run.code, await refusals()]).toEqual(['failed', 'exit', before]);
  });
});

describe('the result of a step for the subject', () => {
  const onSuccess: RemoteStep['onSuccess'] = ({ request }, { said = '' }, meta) =>
    new RefuseCertificate(request.subject.id, { detail: said }, meta);

  test('is recorded before the next step, whatever happens then', async () => {
    const before = await refusals();
    const run = await done({
      steps: [
        remote({ script: 'report said done', onSuccess }),
        remote({ name: 'more', script: 'exit 3', onSuccess }),
      ],
    });
    expect([run.state, run.code]).toEqual(['failed', 'exit']);
    expect(await refusals()).toEqual([...before, { data: { detail: 'done' }, cause: run.id }]);
  });

  test('is recorded even if the run is being cancelled', async () => {
    const before = await refusals();
    const run = await done({
      steps: [
        {
          name: 'work',
          on: 'console',
          timeoutMs: 300_000,
          repeatable: true,
          onSuccess,
          perform: async ({ run: id }, { end }) => {
            const cancelled = new Promise((resolve) => end.addEventListener('abort', resolve));
            await alice.post('run/cancel', { id });
            await cancelled;
            return { report: { said: 'all the same' } };
          },
        },
        remote({ name: 'more' }),
      ],
    });
    expect([run.state, run.steps.map(({ step }) => step)]).toEqual(['cancelled', ['work']]);
    expect(await refusals()).toEqual([...before, { data: { detail: 'all the same' }, cause: run.id }]);
  });

  test('may be refused: then the run reports the refusal, and no further step starts', async () => {
    const run = await done({ steps: [remote({ onSuccess }), remote({ name: 'more' })] }, uuidv7());
    expect([run.state, run.code, run.steps.length]).toEqual(['failed', 'notFound', 1]);
  });
});

test('a secret revoked during a run is masked in its later output and reports, and kept no longer', async () => {
  const { vault } = world.backend.resources;
  const { body } = await alice.get<{ instance: { uuid: string } }>('session');
  const secret = { workspace: body.instance.uuid, ref: uuidv7() };
  await vault.put(secret, 'swordfish-of-old', { kind: 'test' });
  const revoke = async () => {
    await vault.shred(secret);
    expect(await vault.get(secret)).toBeUndefined();
    // Keeps the secret for masking, since this run may still print it.
    await vault.forget();
    return {};
  };
  const run = await done({
    steps: [
      { name: 'revoke', on: 'console', timeoutMs: 300_000, repeatable: true, perform: revoke },
      remote({ script: 'echo it was swordfish-of-old; report was swordfish-of-old' }),
    ],
  });
  const { body: output } = await alice.post<{ chunks: { text: string }[] }>('run/output', { id: run.id });
  expect(output.chunks.map(({ text }) => text).join('')).toBe('it was *******\n');
  expect(run.steps.at(-1)?.report).toEqual({ was: '*******' });
  for (;;) {
    await vault.forget();
    const { rows } = await world.backend.db.query('select from app.vault where ref = $1', [secret.ref]);
    if (rows.length === 0) break;
    // The run releases its lease after its end.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

test('a secret that is stored while a step runs is masked in its output and report from then on', async () => {
  const { vault } = world.backend.resources;
  const { body } = await alice.get<{ instance: { uuid: string } }>('session');
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-stored-'));
  chmodSync(folder, 0o777);
  const [begun, isStored] = [join(folder, 'begun'), join(folder, 'stored')];
  const running = done({
    steps: [
      remote({
        script: `echo before; touch "$1"; until [ -e "$2" ]; do sleep 0.05; done
          echo it is swordfish-of-new; report was swordfish-of-new`,
        args: () => [begun, isStored],
      }),
    ],
  });
  await until(() => existsSync(begun));
  await vault.put({ workspace: body.instance.uuid, ref: uuidv7() }, 'swordfish-of-new', { kind: 'test' });
  writeFileSync(isStored, '');
  const run = await running;
  rmSync(folder, { recursive: true });
  const { body: output } = await alice.post<{ chunks: { text: string }[] }>('run/output', { id: run.id });
  expect(output.chunks.map(({ text }) => text).join('')).toBe('before\nit is *******\n');
  expect(run.steps.at(-1)?.report).toEqual({ was: '*******' });
});

test('a run of an unknown kind is interrupted with the time at which that was found', async () => {
  const { app, resources } = world.backend;
  const { body } = await alice.get<{ profile: { id: string }; instance: { uuid: string } }>('session');
  const run = uuidv7();
  const asked = new Date(Date.now() - 86_400_000).toISOString();
  const { actor, workspace, correlationId, causationId } = ownMeta(body.profile.id, body.instance.uuid);
  const requested = {
    type: 'RunRequested',
    data: { kind: 'ofTomorrow', subject: { kind: 'server', id: server, name: 'web' }, input: {} },
    meta: { id: uuidv7(), at: asked, actor, workspace, correlationId, causationId, v: '1' },
  };
  await resources.store.append(`run-${run}`, [requested], 'no_stream');
  const before = new Date().toISOString();
  await app.get(RunEngine, { strict: false }).takeUp(run);
  const [, ended] = await resources.store.readStream(`run-${run}`);
  expect(ended).toMatchObject({
    type: 'RunInterrupted',
    data: { reason: 'this version of the console does not know the kind ofTomorrow' },
    meta: { correlationId, causationId: run },
  });
  expect(ended && ended.meta.at >= before).toBe(true);
});
