/** What nodes of workflows do on servers, with alerts and with other workflows. covers: WF-02 */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Answer, home, WorkflowInstanceDetail, WorkflowsWaiting } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { startSshd, type Sshd } from '../../testing/sshd';
import { until } from '../../testing/patience';
import { registerAt } from '../backend/world';
import { openTriggerGround, type TriggerGround } from './trigger-ground';

let ground: TriggerGround;
let sshd: Sshd;
let { world, alice, ask, workflow, start, instanceThat, instances, alertsAbout } = {} as TriggerGround;
let [server, folder] = ['', ''];

beforeAll(async () => {
  [ground, sshd] = await Promise.all([openTriggerGround(), startSshd()]);
  ({ world, alice, ask, workflow, start, instanceThat, instances, alertsAbout } = ground);
  server = await registerAt(alice, sshd);
  folder = mkdtempSync(join(tmpdir(), 'quarterdeck-workflow-'));
  chmodSync(folder, 0o777);
});
afterAll(async () => {
  await world?.end();
  await sshd?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const detailOf = (id: string) => ask<WorkflowInstanceDetail>('workflow/instance/detail', { id });

const script = async (body: string, more: object = {}): Promise<string> =>
  (
    await ask('script/insert', {
      name: `S ${randomUUID()}`,
      body,
      changes: true,
      timeoutSeconds: 60,
      ...more,
    })
  ).id;

describe('a script on a server', () => {
  it('reads its arguments from the data as they are, and its outcome is the result', async () => {
    const file = join(folder, 'args');
    const body = `printf '%s\\n' "$#" "$1" "$2" | tee -a ${file}\nexit 3\n`;
    const id = await script(body);
    const hostile = `it's "$(touch ${folder}/bad)"; \`id\``;
    const flow = await workflow(
      {
        is: 'script',
        server: { id: server },
        script: { id },
        args: ['{{data.name}}', '--n={{data.n}}'],
      },
      { is: 'none' },
    );
    // The first node fails, and no transition is for that.
    const instance = await start(flow, { name: hostile, n: 7 });
    const stopped = await instanceThat(instance, 'stopped');
    expect(stopped.states[0]).toMatchObject({
      end: 'failed',
      result: { is: 'failed', exitCode: 3, output: `2\n${hostile}\n--n=7\n` },
    });
    expect(readFileSync(file, 'utf8')).toBe(`2\n${hostile}\n--n=7\n`);
  });

  it('keeps the exit code, the report and the end of the output in the data', async () => {
    const id = await script('i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done\n');
    const flow = await workflow({ is: 'script', server: { id: server }, script: { id } });
    const done = await instanceThat(await start(flow), 'completed');
    const { node1 } = done.data as { node1: { exitCode: number; output: string } };
    expect(node1.exitCode).toBe(0);
    expect(node1.output).toHaveLength(8000);
    expect(node1.output.endsWith('line 2999\n')).toBe(true);
  });

  it('runs once, although the process ends between the start and the record', async () => {
    const file = join(folder, 'once');
    const id = await script(`echo once >> ${file}\n`);
    const flow = await workflow({ is: 'script', server: { id: server }, script: { id } });
    const instance = await start(flow);
    const done = await instanceThat(instance, 'completed');
    const action = done.states[0]?.action ?? '';
    // The pump of a process that died asks again under the same id, with a script that is another by now.
    await ask('script/update', {
      id,
      data: { name: `S ${randomUUID()}`, body: `echo twice >> ${file}\n`, changes: true, timeoutSeconds: 60 },
    });
    const { ScriptAction } = await import('../../apps/backend/src/scripts/script-action');
    const { ownMeta } = await import('../../apps/backend/src/platform/sessions');
    const { workspace } = done;
    const asked = {
      id: action,
      does: { is: 'script', server: { id: server }, script: { id } } as const,
      data: {},
      workflow: { id: flow, name: 'W' },
      instance,
      visit: 1,
      meta: { ...ownMeta('system', workspace), waits: true as const },
    };
    const scripts = world.backend.app.get(ScriptAction, { strict: false });
    await scripts.start(asked);
    expect(await scripts.outcome(asked)).toMatchObject({ end: 'done' });
    expect(readFileSync(file, 'utf8')).toBe('once\n');
  });

  it('on a server that was removed stops the instance with the reason', async () => {
    const gone = await registerAt(alice, sshd);
    const id = await script('echo here\n');
    const flow = await workflow({ is: 'script', server: { id: gone }, script: { id } });
    const { alias } = await ask<{ alias: string }>('server/detail', { id: gone });
    await ask('server/delete', { id: gone, alias });
    const stopped = await instanceThat(await start(flow), 'stopped');
    expect(stopped.reason).toMatch(/Node 1 could not be started: server could not be found/);
  });

  it('on a server that is removed while an instance waits stops it there, and it goes on by a transition', async () => {
    const gone = await registerAt(alice, sshd);
    const file = join(folder, `after ${randomUUID()}`);
    const ids = [await script('echo never\n'), await script(`touch '${file}'\n`)] as const;
    const flow = await workflow(
      { is: 'person', role: 'admin', choices: ['Yes'] },
      { is: 'script', server: { id: gone }, script: { id: ids[0] } },
      { is: 'script', server: { id: server }, script: { id: ids[1] } },
    );
    const id = await start(flow);
    await instanceThat(id, 'asking');
    const { alias } = await ask<{ alias: string }>('server/detail', { id: gone });
    await ask('server/delete', { id: gone, alias });
    await ask('workflow/instance/answer', { id, visit: 1, choice: 'Yes' });
    const stopped = await instanceThat(id, 'stopped');
    expect(stopped).toMatchObject({
      visit: 2,
      reason: 'Node 2 could not be started: server could not be found',
    });
    expect(existsSync(file)).toBe(false);
    const transition = stopped.graph.transitions.find(({ from }) => from === stopped.node?.id)?.id;
    await ask('workflow/instance/skip', { id, visit: 2, transition });
    await instanceThat(id, 'completed');
    expect(existsSync(file)).toBe(true);
  });

  it('that was removed stops the instance, and it can be gone on with when the script is back', async () => {
    const id = await script('echo here\n');
    const flow = await workflow({ is: 'script', server: { id: server }, script: { id } });
    const removed = await alice.post('script/delete', { id });
    const instance = await start(flow);
    const stopped = await instanceThat(instance, 'stopped');
    expect(stopped.reason).toMatch(/Node 1 could not be started: script could not be found/);
    const position = removed.headers.get('x-position') ?? '';
    const { seen } = await ask<{ seen: string }>('history/undo/preview', { position });
    await ask('history/undo', { position, seen });
    await ask('workflow/instance/retry', { id: instance, visit: stopped.visit });
    expect(await instanceThat(instance, 'completed')).toMatchObject({
      data: { node1: { output: 'here\n' } },
    });
  });

  it('that does not exist keeps a workflow from being published', async () => {
    const { id } = await ask('workflow/insert', { data: { name: `W ${randomUUID()}` } });
    const data = {
      name: 'Gone',
      does: { is: 'script', server: { id: randomUUID() }, script: { id: randomUUID() } },
      isStart: true,
    };
    await ask('workflow/node/insert', { data, workflow: { id } });
    const { findings } = await ask<{ findings: object[] }>('workflow/check', { id });
    expect(findings).toMatchObject([
      { severity: 'problem', says: expect.stringContaining('this server does not exist') },
      { severity: 'problem', says: expect.stringContaining('this script does not exist') },
    ]);
  });
});

it('a fixed command runs on its server', async () => {
  const flow = await workflow({ is: 'command', server: { id: server }, cmdType: 1 });
  const done = await instanceThat(await start(flow), 'completed');
  expect(done.data).toMatchObject({
    node1: { is: 'succeeded', exitCode: 0, output: expect.stringMatching(/memory/) },
  });
});

describe('people are told', () => {
  it('by a notification: one alert, to the banner and to the webhook', async () => {
    const flow = await workflow({ is: 'notification', title: 'Order {{data.order}}', text: 'Look at it.' });
    const instance = await start(flow, { order: 42 });
    await instanceThat(instance, 'completed');
    const told = (await alertsAbout('workflowTells')).filter(({ subject }) => subject.id === instance);
    expect(told).toMatchObject([{ says: 'Order 42: Look at it.', state: 'open' }]);
  });

  it('when an instance waits for them, until it goes on', async () => {
    const flow = await workflow({
      is: 'person',
      role: 'admin',
      choices: ['Yes', 'No'],
      question: 'Deploy it?',
    });
    const instance = await start(flow);
    const { visit } = await instanceThat(instance, 'asking');
    const about = async () =>
      (await alertsAbout('workflowAsks')).filter(({ subject }) => subject.id === instance);
    await until(async () => (await about()).length === 1);
    expect(await about()).toMatchObject([
      { state: 'open', says: expect.stringMatching(/admin: Deploy it\?$/) },
    ]);
    // On Home it is among what waits for somebody, and only there.
    const { attention } = await ask<Answer<typeof home.overview>>('home/overview', {});
    expect(attention.filter(({ label }) => label.includes('Deploy it?'))).toEqual([]);
    await ask('workflow/instance/answer', { id: instance, visit, choice: 'Yes' });
    await until(async () => (await about())[0]?.state === 'resolved');
  });
});

describe('a workflow that is removed', () => {
  it('cancels its instances and what they do, and nothing more is done or asked', async () => {
    const [begun, released, file] = ['begun', 'released', 'done'].map((name) =>
      join(folder, `${name} ${randomUUID()}`),
    ) as [string, string, string];
    const waits = `touch '${begun}'; until [ -e '${released}' ]; do sleep 0.1; done\n`;
    const [first, second] = [await script(waits, { timeoutSeconds: 600 }), await script(`touch '${file}'\n`)];
    const flow = await workflow(
      { is: 'script', server: { id: server }, script: { id: first } },
      { is: 'script', server: { id: server }, script: { id: second } },
    );
    const acting = await start(flow);
    await until(() => existsSync(begun));
    const asks = await workflow({ is: 'person', role: 'admin', choices: ['Yes'] }, { is: 'none' });
    const asking = await start(asks);
    const { visit } = await instanceThat(asking, 'asking');
    for (const id of [flow, asks]) {
      const { name } = await ask<{ name: string }>('workflow/detail', { id });
      await ask('workflow/delete', { id, name });
    }
    const ended = await instanceThat(acting, 'cancelled');
    expect(ended).toMatchObject({ reason: 'its workflow was removed', visit: 1 });
    const run = ended.states[0]?.action;
    await until(async () => (await ask<RunView>('run/detail', { id: run })).state === 'cancelled');
    writeFileSync(released, '');
    await instanceThat(asking, 'cancelled');
    expect((await alice.post('workflow/instance/answer', { id: asking, visit, choice: 'Yes' })).status).toBe(
      409,
    );
    const { instances: waiting } = await ask<WorkflowsWaiting>('workflow/waiting', {});
    expect(waiting.filter(({ id }) => id === asking)).toEqual([]);
    // It could have been entered only by the same pump that has ended the instance.
    expect((await detailOf(acting)).states).toHaveLength(1);
    expect(existsSync(file)).toBe(false);
  });
});

describe('another workflow', () => {
  it('gets the data, and its last data are the result', async () => {
    const inner = await workflow({ is: 'notification', title: 'Inner {{data.n}}' });
    const outer = await workflow({ is: 'workflow', workflow: { id: inner } });
    const done = await instanceThat(await start(outer, { n: 5 }), 'completed');
    expect(done.data).toMatchObject({ n: 5, node1: { n: 5, node1: { alert: expect.any(String) } } });
    const [started, ...more] = await instances(inner);
    expect(more).toEqual([]);
    expect(started).toMatchObject({ id: done.states[0]?.action, cause: { is: 'workflow', id: done.id } });
  });

  it('that starts itself is bounded: the instance that is too deep stops with the reason', async () => {
    const { id } = await ask('workflow/insert', { data: { name: `Self ${randomUUID()}` } });
    const data = { name: 'Again', does: { is: 'workflow', workflow: { id } }, isStart: true };
    await ask('workflow/node/insert', { data, workflow: { id } });
    await ask('workflow/publish', { id });
    const first = await start(id);
    await until(async () => (await instances(id)).some(({ is }) => is === 'stopped'));
    const all = await instances(id);
    expect(all).toHaveLength(10);
    expect(all.filter(({ is }) => is === 'stopped')).toMatchObject([
      { reason: expect.stringMatching(/started each other 10 deep/) },
    ]);
    const deepest = all.find(({ is }) => is === 'stopped');
    // The end of one is the end of the node that started it.
    await ask('workflow/instance/cancel', { id: deepest?.id });
    await until(async () => (await instances(id)).filter(({ is }) => is === 'stopped').length === 1);
    expect((await instanceThat(first, 'acting')).is).toBe('acting');
  });

  it('that was removed stops the instance at its node', async () => {
    const inner = await workflow({ is: 'none' });
    const outer = await workflow({ is: 'workflow', workflow: { id: inner } });
    const { name } = await ask<{ name: string }>('workflow/detail', { id: inner });
    await ask('workflow/delete', { id: inner, name });
    const stopped = await instanceThat(await start(outer), 'stopped');
    expect(stopped.reason).toMatch(/workflow could not be found/);
  });
});
