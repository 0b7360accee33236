// covers: AUD-02
import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunView } from '@quarterdeck/projections';
import type { Operator } from '../../testing/backend';
import { startSshd, type Sshd } from '../../testing/sshd';
import { openWorld, registerAt, type World } from './world';

let world: World;
let alice: Operator;
let folder: string;
let sshd: Sshd;
let id: string;

/** Prints text that is hard to record, slowly enough to have a timing, and fails until it is fixed. */
const DOCKER = (at: string): string => `#!/bin/sh
case "$*" in version*) echo 28; exit 0 ;; esac
printf 'plain\\n\\033[1;31mred\\033[0m and \\342\\202\\254 '; sleep 0.2
printf 'na\\303\\257ve \\360\\237\\230\\200\\n'; sleep 0.2
for done in 10 50 100; do printf '%s %%\\r' $done; sleep 0.1; done
printf '\\nended as on Windows\\r\\n\\n'
echo 'a warning' >&2
[ -e ${at}/mended ] || exit 5
i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); echo "line $i of twenty thousand"; done
printf 'no line end'
`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-replay-'));
  chmodSync(folder, 0o777);
  writeFileSync(join(folder, 'docker'), DOCKER(folder), { mode: 0o755 });
  [world, sshd] = await Promise.all([openWorld(), startSshd({ path: `${folder}:/usr/bin:/bin` })]);
  alice = await world.backend.signIn({ email: 'alice@example.org' });
  id = await registerAt(alice, sshd, 'web-1');
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const runOf = async (run: string): Promise<RunView> =>
  (await alice.post<RunView>('run/detail', { id: run })).body;

/** Fails once, and succeeds after a retry. */
const retriedRun = async (): Promise<RunView> => {
  const run = randomUUID();
  rmSync(join(folder, 'mended'), { force: true });
  await alice.post('server/execCmd', { id, cmdType: 2, runId: run });
  expect(await runOf(run)).toMatchObject({ state: 'failed' });
  writeFileSync(join(folder, 'mended'), '');
  expect((await alice.post('run/retry', { id: run })).status).toBe(200);
  for (;;) {
    const view = await runOf(run);
    if (view.state === 'succeeded') return view;
    await new Promise((done) => setTimeout(done, 50));
  }
};

interface Chunk {
  seq: number;
  text: string;
}

const recordedText = async (run: string): Promise<string> => {
  let text = '';
  for (let [after, more] = [0, true]; more;) {
    const { body } = await alice.post<{ chunks: Chunk[]; more: boolean }>('run/output', { id: run, after });
    text += body.chunks.map((chunk) => chunk.text).join('');
    after = body.chunks.at(-1)?.seq ?? after;
    more = body.more;
  }
  return text;
};

/** Converts piped text to what a terminal shows. */
const onTerminal = (text: string): string => text.replace(/(?<!\r)\n/g, '\r\n');

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test('a run is exported as an asciicast v2 in the exact format, including markers', async () => {
  const run = await retriedRun();
  const answer = await alice.get<string>(`run/cast?id=${run.id}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/x-asciicast');
  expect(answer.headers.get('content-disposition')).toMatch(
    /^attachment; filename="docker-containers-web-1-[-0-9T]+\.cast"$/,
  );
  const [first = '', ...rest] = String(answer.body).split('\n');
  expect(rest.pop()).toBe('');
  expect(JSON.parse(first)).toEqual({
    version: 2,
    width: 120,
    height: 32,
    idle_time_limit: 2,
    title: 'Docker containers on web-1',
    timestamp: Math.floor(Date.parse(run.startedAt ?? '') / 1000),
    env: { TERM: 'xterm-256color' },
  });
  const events = rest.map((line) => JSON.parse(line) as [number, string, string]);
  const times = events.map(([at]) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.at(-1)).toBeGreaterThan(0.3);
  expect(events.filter(([, code]) => code === 'm').map(([, , name]) => name)).toEqual([
    'Docker containers',
    'Docker containers, attempt 2',
  ]);
  const printed = events.filter(([, code]) => code === 'o').map(([, , data]) => data);
  expect(printed.length).toBeGreaterThan(3);
  expect(printed.join('')).toBe(onTerminal(await recordedText(run.id)));
});

test('Debian’s asciinema plays it, and the terminal shows what was recorded', async () => {
  const run = await retriedRun();
  const { body } = await alice.get<string>(`run/cast?id=${run.id}`);
  const file = join(folder, 'run.cast');
  writeFileSync(file, body);
  // asciinema needs a terminal, which `script` provides.
  const played = execFileSync(
    'script',
    ['--quiet', '--return', '--command', `asciinema cat ${file}`, '/dev/null'],
    {
      env: { ...process.env, LC_ALL: 'C.UTF-8', ASCIINEMA_CONFIG_HOME: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 64 * 1024 * 1024,
      encoding: 'utf8',
    },
  );
  const recorded = await recordedText(run.id);
  expect(recorded).toContain('line 20000 of twenty thousand\nno line end');
  expect(recorded).toContain('naïve 😀');
  expect(played.length).toBe(onTerminal(recorded).length);
  expect(played === onTerminal(recorded)).toBe(true);
});

describe('the output of a run', () => {
  type Answer = { steps: { step: string; attempt: number; matches?: boolean; actual: { sha256: string } }[] };
  const check = async (run: string) => (await alice.post<Answer>('run/check', { id: run })).body.steps;

  test('is what its events recorded, each attempt separately', async () => {
    const run = await retriedRun();
    const steps = await check(run.id);
    expect(steps).toMatchObject(
      run.steps.map(({ step, attempt, output }) => ({
        step,
        attempt,
        recorded: output,
        actual: output,
        matches: true,
      })),
    );
    expect(steps).toHaveLength(2);
    expect(new Set(steps.map(({ actual }) => actual.sha256)).size).toBe(2);
  });

  test('is reported as changed if one letter differs in the database, and only there', async () => {
    const run = await retriedRun();
    const { db } = world.backend;
    const changed = await db.query(
      `update app.run_output set text = replace(text, 'line 7 of', 'line 8 of')
       where run = $1 and text like '%line 7 of%'`,
      [run.id],
    );
    expect(changed.rowCount).toBe(1);
    expect((await check(run.id)).map(({ attempt, matches }) => [attempt, matches])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  test('of an old run without step names belongs to its only step', async () => {
    const run = randomUUID();
    await alice.post('server/execCmd', { id, cmdType: 2, runId: run });
    await world.backend.db.query('update app.run_output set step = null, attempt = null where run = $1', [
      run,
    ]);
    expect(await check(run)).toMatchObject([{ step: 'dockerPs', attempt: 1, matches: true }]);
    const [{ actual }] = (await check(run)) as [Answer['steps'][number]];
    expect(actual.sha256).toBe(hashOf(await recordedText(run)));
  });
});

test('a run that does not exist, or of another workspace, is neither exported nor checked', async () => {
  const run = randomUUID();
  await alice.post('server/execCmd', { id, cmdType: 2, runId: run });
  const stranger = await world.backend.signIn({ workspace: 'elsewhere', email: 'eve@example.org' });
  for (const [who, which] of [
    [stranger, run],
    [alice, randomUUID()],
  ] as const) {
    expect((await who.get(`run/cast?id=${which}`)).status).toBe(404);
    expect((await who.post('run/check', { id: which })).status).toBe(404);
  }
  expect((await alice.get('run/cast?id=1')).status).toBe(400);
});

describe('the list of runs', () => {
  const list = async (query: object) => {
    const { body } = await alice.post<{ runs: RunView[] }>('run/list', query);
    return body.runs;
  };

  test('shows those of one person', async () => {
    const bob = await world.backend.signIn({ email: 'bob@example.org' });
    const run = randomUUID();
    await bob.post('server/execCmd', { id, cmdType: 1, runId: run });
    const { requestedBy } = await runOf(run);
    const runs = await list({ requestedBy });
    expect(runs.map((one) => one.id)).toEqual([run]);
    expect((await list({})).length).toBeGreaterThan(1);
  });

  test('omits the parts of a run, unless they or the runs of their server are requested', async () => {
    const [parent, part] = [randomUUID(), randomUUID()];
    const whole = await retriedRun();
    const subject = { kind: 'server', id, name: 'web-1' };
    const meta = () => ({
      id: randomUUID(),
      at: new Date().toISOString(),
      actor: 'system',
      workspace: whole.workspace,
      correlationId: parent,
      causationId: parent,
      v: '1',
    });
    const { store } = world.backend.resources;
    const request = (of?: string) => ({
      type: 'RunRequested' as const,
      data: { kind: 'command', subject, input: { cmdType: 1 }, ...(of && { parent: of }) },
      meta: meta(),
    });
    const ended = { type: 'RunSucceeded' as const, data: { durationMs: 1 }, meta: meta() };
    await store.append(`run-${parent}`, [request(), { ...ended, meta: meta() }], 'no_stream');
    await store.append(`run-${part}`, [request(parent), ended], 'no_stream');
    while ((await alice.post('run/detail', { id: part })).status !== 200)
      await new Promise((done) => setTimeout(done, 20));
    const ids = async (query: object) => (await list(query)).map((run) => run.id);
    const [top, ofServer, parts] = [
      await ids({}),
      await ids({ subject: { kind: 'server', id } }),
      await ids({ parent }),
    ];
    expect([top.includes(parent), top.includes(part)]).toEqual([true, false]);
    expect([ofServer.includes(parent), ofServer.includes(part)]).toEqual([true, true]);
    expect(parts).toEqual([part]);
  });
});
