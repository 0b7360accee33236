/** What starts instances of workflows by itself: webhooks, schedules and events of the log. covers: WF-02 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { WorkflowDoes } from '@quarterdeck/events';
import { ScheduleTriggers } from '../../apps/backend/src/workflow-triggers/schedule-triggers';
import { signatureOf } from '../../apps/backend/src/platform/webhook-signature';
import { until } from '../../testing/patience';
import { callsOf, openTriggerGround, type TriggerGround } from './trigger-ground';

let ground: TriggerGround;
let { world, alice, ask, workflow, trigger, switched, instances, instanceThat, firings, alertsAbout } =
  {} as TriggerGround;

beforeAll(async () => {
  ground = await openTriggerGround();
  ({ world, alice, ask, workflow, trigger, switched, instances, instanceThat, firings, alertsAbout } =
    ground);
});
afterAll(() => world?.end());

/** The alerts about a trigger. They are told after the firing is recorded. */
const toldOf = async (of: string) => {
  const told = async () => (await alertsAbout('workflowTrigger')).filter(({ subject }) => subject.id === of);
  await until(async () => (await told()).length > 0);
  return told();
};

const added = async (name: string): Promise<string> =>
  (await ask('product/insert', { data: { name, description: '' } })).id;

describe('a webhook', () => {
  interface Issued {
    id: string;
    token: string;
    secret: string;
  }
  let [flow, hook] = ['', ''];
  let issued: Issued;
  beforeAll(async () => {
    flow = await workflow({ is: 'none' });
    hook = await trigger(flow, { starts: 'webhook' });
    issued = await ask<Issued>('workflow/trigger/token/issue', { id: hook });
  });

  interface Call {
    token?: string;
    secret?: string | undefined;
    delivery?: string;
    signature?: string;
  }
  const call = async (body: string, more: Call = {}) => {
    const { token = issued.token, secret = issued.secret, delivery } = more;
    const signature = more.signature ?? (secret === '' ? '' : signatureOf(body, secret, new Date()));
    const answer = await fetch(`${world.backend.url}/api/public/workflow/start`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== '' && { authorization: `Bearer ${token}` }),
        ...(signature !== '' && { 'x-quarterdeck-signature': signature }),
        ...(delivery !== undefined && { 'x-quarterdeck-delivery': delivery }),
      },
      body,
    });
    return { status: answer.status, body: (await answer.json()) as { id: string; msg: string } };
  };

  it('starts an instance with its body as the data, and once for a delivery that is sent again', async () => {
    const body = JSON.stringify({ order: 42 });
    const first = await call(body, { delivery: 'd-1' });
    expect(first.status).toBe(200);
    expect(await call(body, { delivery: 'd-1' })).toMatchObject({ status: 200, body: { id: first.body.id } });
    const instance = await instanceThat(first.body.id, 'completed');
    expect(instance).toMatchObject({
      data: { order: 42 },
      cause: { is: 'webhook', id: hook },
    });
    expect(await instances(flow)).toHaveLength(1);
    expect(await firings(hook)).toMatchObject([{ id: first.body.id, is: 'started', source: 'delivery d-1' }]);
    expect(await ask('workflow/trigger/states', { id: flow })).toMatchObject([
      { id: hook, last: { is: 'started' } },
    ]);
    expect(await ask('workflow/trigger/token/list', { id: hook })).toMatchObject([{ uses: 1 }]);
  });

  it('is called by the example of the documentation, as it is written there', async () => {
    const [, example = ''] = /```sh\n(token=.*?)```/s.exec(readFileSync('docs/workflows.md', 'utf8')) ?? [];
    const filledIn = example
      .replace('qd_flow_…', issued.token)
      .replace('qd_sign_…', issued.secret)
      .replace('https://console.example.org', world.backend.url);
    expect(filledIn).not.toMatch(/…|example\.org/);
    const { stdout } = await promisify(execFile)('sh', ['-ec', filledIn]);
    const { id } = JSON.parse(stdout) as { id: string };
    expect(await instanceThat(id, 'completed')).toMatchObject({ data: { order: 42 } });
    const again = await promisify(execFile)('sh', ['-ec', filledIn]);
    expect(JSON.parse(again.stdout)).toMatchObject({ id });
  });

  it('refuses what is not signed with the secret of its token, without saying more', async () => {
    const before = (await instances(flow)).length;
    const body = '{"order":43}';
    const signature = signatureOf(body, issued.secret, new Date());
    const late = signatureOf(body, issued.secret, new Date(Date.now() - 3_600_000));
    for (const wrong of [
      { token: `qd_flow_${'x'.repeat(43)}` },
      { secret: '' },
      { secret: 'another' },
      { signature: late },
      { signature: signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')) },
    ])
      expect(await call(body, wrong)).toMatchObject({ status: 401 });
    expect(await call('{"order":44}', { signature })).toMatchObject({ status: 401 });
    expect(await call(body, { token: '' })).toMatchObject({ status: 403 });
    expect(await instances(flow)).toHaveLength(before);
  });

  it('a signature starts one instance, whatever the delivery is called', async () => {
    const body = '{"order":45}';
    const signature = signatureOf(body, issued.secret, new Date());
    const first = await call(body, { signature, delivery: 'd-2' });
    expect(first.status).toBe(200);
    expect(await call(body, { signature, delivery: 'd-3' })).toMatchObject({ status: 409 });
  });

  it.each([
    ['no JSON', '{"order":', 400],
    ['more than 64 kB', JSON.stringify('x'.repeat(70_000)), 400],
  ])('refuses a body that is %s', async (_, body, status) => {
    expect((await call(body)).status).toBe(status);
  });

  it('need not be signed if the trigger says so, and starts nothing while it is off', async () => {
    const open = await trigger(flow, { starts: 'webhook', isSigned: false });
    const { token } = await ask<Issued>('workflow/trigger/token/issue', { id: open });
    expect(await call('{}', { token, secret: '' })).toMatchObject({ status: 200 });
    await switched(open, false);
    expect(await call('{}', { token, secret: '' })).toMatchObject({ status: 409 });
    await ask('workflow/trigger/delete', { id: open });
    expect(await call('{}', { token, secret: '' })).toMatchObject({ status: 401 });
  });

  it('starts at most 60 instances a minute, of calls that come at once too', async () => {
    const open = await trigger(flow, { starts: 'webhook', isSigned: false });
    const { token } = await ask<Issued>('workflow/trigger/token/issue', { id: open });
    const calls = Array.from({ length: 100 }, () => call('{}', { token, secret: '' }));
    const answers = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(answers)).toEqual(new Set([200, 429]));
    const { rows } = await world.backend.db.query<{ ms: number }>(
      `select extract(epoch from at)::float8 * 1000 as ms from app.workflow_seals where trigger = $1 order by at`,
      [open],
    );
    expect(rows).toHaveLength(answers.filter((status) => status === 200).length);
    // On a slow machine they take more than a minute.
    const times = rows.map(({ ms }) => ms);
    const tooSoon = times.slice(60).filter((ms, at) => ms - (times[at] ?? ms) < 60_000);
    expect(tooSoon).toEqual([]);
    await ask('workflow/trigger/delete', { id: open });
  });

  it('tells why it started nothing', async () => {
    const { id: draft } = await ask('workflow/insert', { data: { name: `Draft ${randomUUID()}` } });
    const ofDraft = await trigger(draft, { starts: 'webhook', isSigned: false });
    const { token } = await ask<Issued>('workflow/trigger/token/issue', { id: ofDraft });
    expect(await call('{}', { token, secret: '' })).toMatchObject({ status: 422 });
    expect(await firings(ofDraft)).toMatchObject([
      { is: 'refused', reason: expect.stringMatching(/publish/) },
    ]);
    expect(await toldOf(ofDraft)).toMatchObject([{ state: 'open' }]);
  });

  it('does not know a revoked token', async () => {
    await ask('workflow/trigger/token/revoke', { id: issued.id });
    expect(await call('{}')).toMatchObject({ status: 401 });
  });
});

describe('a trigger', () => {
  it.each([
    ['schedule', { starts: 'schedule', schedule: 'now and then' }, /five fields/],
    ['event', { starts: 'event', event: 'CertificateExpired' }, /such as AlertRaised/],
    ['filter', { starts: 'event', event: 'RunFailed', filter: 'event.data.x ==' }, /column 16/],
    ['filter', { starts: 'event', event: 'RunFailed', filter: 'nothing' }, /column 1/],
  ])('with a wrong %s is refused', async (field, data, message) => {
    const flow = await workflow({ is: 'none' });
    const answer = await alice.post('workflow/trigger/insert', {
      data: { name: 'Wrong', isOn: true, isSigned: true, ...data },
      workflow: { id: flow },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { data: { [field]: expect.stringMatching(message) } },
    });
  });
});

describe('an event of the log', () => {
  it('starts an instance if it comes after the trigger and fits the filter', async () => {
    const mine = randomUUID();
    await added(`Before ${mine}`);
    const flow = await workflow({ is: 'none' });
    const filter = `event.data.name.endsWith("${mine}") && !event.data.name.startsWith("No")`;
    const at = await trigger(flow, { starts: 'event', event: 'ProductAdded', filter });
    await added(`No ${mine}`);
    const product = await added(`Yes ${mine}`);
    await until(async () => (await instances(flow)).length > 0);
    const [only] = await instances(flow);
    expect(await instanceThat(only?.id ?? '', 'completed')).toMatchObject({
      data: { event: { type: 'ProductAdded', data: { name: `Yes ${mine}` }, subject: { id: product } } },
      cause: { is: 'event', id: at },
    });
    await switched(at, false);
    await added(`Off ${mine}`);
    await switched(at, true);
    await added(`On ${mine}`);
    await until(async () => (await instances(flow)).length > 1);
    const names = (await firings(at)).map(({ is }) => is);
    expect(names).toEqual(['started', 'started']);
    expect(await instances(flow)).toHaveLength(2);
  });

  it('a filter that fails starts nothing and is told', async () => {
    const flow = await workflow({ is: 'none' });
    const at = await trigger(flow, {
      starts: 'event',
      event: 'ProductAdded',
      filter: 'event.data.lacks > 1',
    });
    await added(`Filtered ${randomUUID()}`);
    await until(async () => (await firings(at)).length > 0);
    expect(await firings(at)).toMatchObject([
      { is: 'refused', reason: expect.stringMatching(/could not be decided: .*No such key: lacks/) },
    ]);
    await ask('workflow/trigger/delete', { id: at });
  });

  it('a workflow that starts itself is bounded, and that is told', async () => {
    const flow = await workflow({ is: 'none' });
    const filter = `event.data.workflow.id == "${flow}"`;
    const at = await trigger(flow, { starts: 'event', event: 'WorkflowInstanceStarted', filter });
    await ask('workflow/instance/insert', { workflow: { id: flow }, data: {} });
    await until(async () => (await firings(at)).some(({ is }) => is === 'refused'));
    const all = await firings(at);
    expect(all.filter(({ is }) => is === 'started')).toHaveLength(10);
    expect(all.filter(({ is }) => is === 'refused')).toMatchObject([
      { reason: expect.stringMatching(/10 instances that led to each other/) },
    ]);
    expect(await instances(flow)).toHaveLength(11);
    expect(await toldOf(at)).toHaveLength(1);
  });
});

describe('an alert', () => {
  it.each([
    ['that somebody is asked', 'AlertRaised', { is: 'person', role: 'admin', choices: ['Yes'] }],
    [
      'that nobody is asked any more',
      'AlertResolved',
      { is: 'person', role: 'admin', choices: ['Yes'], dueSeconds: 1 },
    ],
  ] as const)('%s starts no endless chain of instances that ask', async (_, event, does) => {
    const { id: flow } = await ask('workflow/insert', { data: { name: `W ${randomUUID()}` } });
    const node = async (name: string, what: WorkflowDoes) =>
      (
        await ask('workflow/node/insert', {
          data: { name, does: what, isStart: name === 'Ask', keepAs: '' },
          workflow: { id: flow },
        })
      ).id;
    const [from, to] = [
      await node('Ask', { ...does, choices: [...does.choices] }),
      await node('End', { is: 'none' }),
    ];
    for (const on of ['done', 'late'])
      await ask('workflow/transition/insert', {
        data: { name: on, from: { id: from }, to: { id: to }, on, when: '', order: 1 },
        workflow: { id: flow },
      });
    await ask('workflow/publish', { id: flow });
    const at = await trigger(flow, { starts: 'event', event });
    const first = await ask('workflow/instance/insert', { workflow: { id: flow }, data: {} });
    await until(async () => (await firings(at)).some(({ is }) => is === 'refused'));
    expect((await firings(at)).filter(({ is }) => is === 'started')).toHaveLength(10);
    const all = await instances(flow);
    expect(all).toHaveLength(11);
    expect(all.at(-1)?.id).toBe(first.id);
    // The alert about the refusal belongs to the same chain, so it starts nothing, either.
    await toldOf(at);
    await added(`After ${randomUUID()}`);
    expect(await instances(flow)).toHaveLength(11);
    const { name } = await ask<{ name: string }>('workflow/detail', { id: flow });
    await ask('workflow/delete', { id: flow, name });
  });
});

describe('a schedule', () => {
  const HOUR = 3_600_000;

  it('starts each occurrence once, of two processes too, and tells of those that were missed', async () => {
    const flow = await workflow({ is: 'none' });
    // Hours ahead, so that the console itself does not come to it.
    const now = Date.now();
    const due = new Date(Math.ceil(now / HOUR) * HOUR + 5 * HOUR);
    const schedule = `0 ${due.getUTCHours()} * * *`;
    const at = await trigger(flow, { starts: 'schedule', schedule, data: { nightly: true } });
    expect(await ask('workflow/trigger/states', { id: flow })).toMatchObject([
      { id: at, next: due.toISOString() },
    ]);
    const other = await world.another();
    const lookers = [world.backend, other].map(({ app }) => app.get(ScheduleTriggers, { strict: false }));
    const look = async (then: number) => Promise.all(lookers.map((one) => one.look(new Date(then))));
    await look(due.getTime() - 1000);
    expect(await instances(flow)).toEqual([]);
    await look(due.getTime() + 1000);
    await look(due.getTime() + 2000);
    await world.backend.caughtUp();
    const [only, ...more] = await instances(flow);
    expect(more).toEqual([]);
    expect(await instanceThat(only?.id ?? '', 'completed')).toMatchObject({
      data: { nightly: true },
      cause: { is: 'schedule', id: at },
    });
    await look(due.getTime() + 60 * HOUR);
    await look(due.getTime() + 60 * HOUR + 1000);
    const all = await firings(at);
    expect(all.map(({ is, reason }) => ({ is, reason }))).toEqual([
      { is: 'missed', reason: expect.stringMatching(/^2 occurrences from .* to .* were missed$/) },
      { is: 'started', reason: undefined },
    ]);
    expect(await toldOf(at)).toMatchObject([{ state: 'open' }]);
  });
});

describe('after a restart', () => {
  it('each event has started one instance, although the process died before it recorded that', async () => {
    const mine = randomUUID();
    const flow = await workflow({ is: 'none' });
    const filter = `event.data.name.endsWith("${mine}")`;
    const at = await trigger(flow, { starts: 'event', event: 'ProductAdded', filter });
    for (let n = 0; n < 5; n++) await added(`P${n} ${mine}`);
    await until(async () => (await firings(at)).length === 5);
    const { db } = world.backend;
    // As after a kill between the start of an instance and the record of it: nothing is known but the log.
    await db.query('delete from app.workflow_firings');
    await db.query('delete from app.workflow_places');
    await world.backend.close();
    const again = await world.another();
    const calls = callsOf(await again.signIn());
    await calls.ask('product/insert', { data: { name: `P5 ${mine}`, description: '' } });
    await until(async () => (await calls.firings(at)).length === 6);
    // One more event that comes after all others, so that nothing is still under way.
    await calls.ask('product/insert', { data: { name: `P6 ${mine}`, description: '' } });
    await until(async () => (await calls.firings(at)).length >= 7);
    // The list shows an instance a moment after it was started.
    await until(async () => (await calls.instances(flow)).length >= 7);
    expect(await calls.instances(flow)).toHaveLength(7);
    expect(new Set((await calls.firings(at)).map(({ source }) => source)).size).toBe(7);
  });
});
