/** Workflows are published, and their instances advance. covers: WF-01, WF-02 */
import type { WorkflowInstancePage, WorkflowsWaiting } from '@quarterdeck/contract';
import { randomUUID } from 'node:crypto';
import { Decisions } from '../../apps/backend/src/platform/decisions';
import { ownMeta } from '../../apps/backend/src/platform/sessions';
import { instanceDecider, StartInstance } from '../../apps/backend/src/workflows/instances.decider';
import { withStatus } from '../../testing/told-server';
import { openRequestGround, type RequestGround } from '../requests/requests-ground';
import { detail, drawn, instanceThat, published, started, wayOf } from './workflows-ground';

let ground: RequestGround;
let { world, alice, peer, ask, save } = {} as RequestGround;

beforeAll(async () => {
  ground = await openRequestGround();
  ({ world, alice, peer, ask, save } = ground);
});
afterAll(() => ground?.end());

const soon = { is: 'wait', seconds: 1 } as const;
const approval = { is: 'person' as const, role: 'member' as const, choices: ['Approve', 'Refuse'] };

const refusalOf = async (path: string, body: object) => {
  const { status, body: answer } = await alice.post<{ msg: string; data?: object }>(path, body);
  return { status, msg: answer.msg, ...(answer.data && { data: answer.data }) };
};

describe('an instance', () => {
  it('waits, asks, goes the way of the answer, and ends', async () => {
    const workflow = await published(
      ask,
      { Begin: {}, Pause: { does: soon }, Ask: { does: approval, keepAs: 'answer' }, Good: {}, Bad: {} },
      [
        'Begin -> Pause',
        'Pause -> Ask',
        'Ask -> Good if choice == "Approve" && data.total > 100',
        'Ask -> Bad',
      ],
    );
    const id = await started(ask, workflow, { total: 120 });
    const asking = await instanceThat(ask, id, 'asking');
    expect(wayOf(asking)).toEqual(['Begin', 'Pause', 'Ask']);
    const waiting = await ask<WorkflowsWaiting>('workflow/waiting', {});
    expect(waiting.instances).toMatchObject([{ id, node: { name: 'Ask' }, choices: ['Approve', 'Refuse'] }]);
    await ask('workflow/instance/answer', { id, visit: asking.visit, choice: 'Approve', note: 'as agreed' });
    const done = await instanceThat(ask, id, 'completed');
    expect(wayOf(done)).toEqual(['Begin', 'Pause', 'Ask', 'Good']);
    expect(done.data).toMatchObject({ total: 120, answer: { choice: 'Approve', note: 'as agreed' } });
    expect(done.states[3]?.transition).toBe(
      workflow.transitions['Ask -> Good if choice == "Approve" && data.total > 100'],
    );
    const [state] = await ask<{ id: string }[]>('workflow/state/list', { id });
    expect(await ask('workflow/state/detail', { id: state?.id })).toEqual(done.states[0]);
  });

  it('is counted in the list of workflows by what it is', async () => {
    const approving = await published(ask, { Ask: { does: approval } });
    const stopping = await published(ask, { Begin: {}, End: {} }, ['Begin -> End if data.missing > 1']);
    const { id: draft } = await drawn(ask, { Begin: {} });
    const answered = await started(ask, approving);
    const { visit } = await instanceThat(ask, answered, 'asking');
    await ask('workflow/instance/answer', { id: answered, visit, choice: 'Approve' });
    await instanceThat(ask, answered, 'completed');
    await instanceThat(ask, await started(ask, approving), 'asking');
    await instanceThat(ask, await started(ask, stopping), 'stopped');
    const ids = [approving.id, stopping.id, draft];
    const { workflows } = await ask<{ workflows: { id: string }[] }>('workflow/counts', { workflows: ids });
    expect(ids.map((id) => workflows.find((one) => one.id === id))).toEqual([
      { id: approving.id, version: 1, underWay: 1, asking: 1, stopped: 0 },
      { id: stopping.id, version: 1, underWay: 1, asking: 0, stopped: 1 },
      { id: draft, version: 0, underWay: 0, asking: 0, stopped: 0 },
    ]);
  });

  it('sends a saved request, keeps its answer, and goes on by its status', async () => {
    peer.answer(withStatus(200, '{"stock": 4}'));
    const request = await save({ name: 'Stock', url: '/stock' });
    const workflow = await published(
      ask,
      {
        Ask: { does: { is: 'savedRequest', request: { id: request } }, keepAs: 'stock' },
        Enough: {},
        Empty: {},
      },
      ['Ask -> Enough if result.status == 200 && result.body.stock > 3', 'Ask -> Empty'],
    );
    const before = peer.asked.length;
    const done = await instanceThat(ask, await started(ask, workflow), 'completed');
    expect(wayOf(done)).toEqual(['Ask', 'Enough']);
    expect(done.data).toMatchObject({ stock: { status: 200, body: { stock: 4 } } });
    expect(peer.asked.length).toBe(before + 1);
  });

  it('stops at a request that was removed, and goes on when there is another way', async () => {
    const request = await save({ name: 'Gone' });
    const workflow = await published(
      ask,
      { Begin: {}, Ask: { does: { is: 'savedRequest', request: { id: request } } }, End: {} },
      ['Begin -> Ask', 'Ask -> End'],
    );
    await ask('request/delete', { id: request, name: 'Gone' });
    const id = await started(ask, workflow);
    const stopped = await instanceThat(ask, id, 'stopped');
    expect(stopped).toMatchObject({
      node: { name: 'Ask' },
      reason: 'Ask could not be started: request could not be found',
    });
    await ask('workflow/instance/retry', { id, visit: stopped.visit });
    const again = await instanceThat(ask, id, 'stopped', stopped.visit + 1);
    const transition = workflow.transitions['Ask -> End'];
    await ask('workflow/instance/skip', { id, visit: again.visit, transition });
    expect(wayOf(await instanceThat(ask, id, 'completed'))).toEqual(['Begin', 'Ask', 'Ask', 'End']);
  });

  it('stops where a condition cannot be decided, and goes on with revised data', async () => {
    const workflow = await published(ask, { Begin: {}, End: {} }, ['Begin -> End if data.order.total > 5']);
    const id = await started(ask, workflow, {});
    const stopped = await instanceThat(ask, id, 'stopped');
    expect(stopped.reason).toMatch(/^the condition of Begin to End could not be decided: .*order/);
    await ask('workflow/instance/update', { id, data: { order: { total: 9 } } });
    await ask('workflow/instance/retry', { id, visit: stopped.visit });
    expect(wayOf(await instanceThat(ask, id, 'completed'))).toEqual(['Begin', 'End']);
  });

  it('keeps the graph that it was started with, whatever is published later', async () => {
    const workflow = await published(ask, { Ask: { does: approval }, Old: {} }, ['Ask -> Old']);
    const id = await started(ask, workflow);
    const { visit } = await instanceThat(ask, id, 'asking');
    await ask('workflow/node/update', {
      id: workflow.nodes['Old'],
      data: { name: 'New', does: { is: 'none' }, isStart: false, keepAs: '', place: null },
    });
    expect(await ask('workflow/publish', { id: workflow.id })).toMatchObject({ version: 2 });
    expect(await ask('workflow/publish', { id: workflow.id })).toMatchObject({ version: 2 });
    await ask('workflow/instance/answer', { id, visit, choice: 'Refuse' });
    expect(wayOf(await instanceThat(ask, id, 'completed'))).toEqual(['Ask', 'Old']);
    const { changes } = await ask<{ changes: object[] }>('workflow/version/compare', {
      id: workflow.id,
      from: 1,
      to: 2,
    });
    expect(changes).toEqual([
      {
        is: 'changed',
        what: 'node',
        id: workflow.nodes['Old'],
        name: 'New',
        fields: [{ field: 'name', before: 'Old', after: 'New' }],
      },
    ]);
    await ask('workflow/version/restore', { id: workflow.id, version: 1 });
    expect(await ask('workflow/version/compare', { id: workflow.id, from: 1 })).toEqual({ changes: [] });
  });

  it('becomes a version again in which names are exchanged, and others are taken by now', async () => {
    const workflow = await published(ask, { One: {}, Two: {}, Three: {} }, ['One -> Two', 'Two -> Three']);
    const { One = '', Two = '', Three = '' } = workflow.nodes;
    const rename = (id: string, name: string) =>
      ask('workflow/node/update', { id, data: { name, does: { is: 'none' }, isStart: id === One } });
    await rename(One, 'Other');
    await rename(Two, 'one');
    await rename(Three, 'TWO');
    await rename(One, 'Three');
    await ask('workflow/version/restore', { id: workflow.id, version: 1 });
    expect(await ask('workflow/version/compare', { id: workflow.id, from: 1 })).toEqual({ changes: [] });
    // One that comes back had last a name that a node has which keeps it.
    await rename(Two, 'Away');
    await rename(Three, 'Two');
    await ask('workflow/node/delete', { id: Three, name: 'Two' });
    await rename(Two, 'Two');
    await ask('workflow/version/restore', { id: workflow.id, version: 1 });
    expect(await ask('workflow/version/compare', { id: workflow.id, from: 1 })).toEqual({ changes: [] });
  });

  it('is forked dry: nothing is sent, and results are those of the first one', async () => {
    peer.answer(withStatus(200, '{"stock": 4}'));
    const request = await save({ name: 'Stock', url: '/stock' });
    const workflow = await published(
      ask,
      {
        Ask: { does: { is: 'savedRequest', request: { id: request } } },
        Pause: { does: { is: 'wait', seconds: 3600 } },
        Cheap: {},
        Dear: { does: { is: 'savedRequest', request: { id: request } } },
      },
      ['Ask -> Pause', 'Pause -> Cheap if data.total < 10', 'Pause -> Dear'],
    );
    const first = await started(ask, workflow, { total: 5 });
    await instanceThat(ask, first, 'waiting');
    const before = peer.asked.length;
    const { id } = await ask<{ id: string }>('workflow/instance/fork', {
      id: first,
      visit: 1,
      data: { total: 50 },
      dry: true,
    });
    const asking = await instanceThat(ask, id, 'asking');
    expect(wayOf(asking)).toEqual(['Ask', 'Pause', 'Dear']);
    expect(asking.states[0]).toMatchObject({ recalled: 1, result: { status: 200 } });
    await ask('workflow/instance/answer', { id, visit: 3, end: 'done', result: { status: 500 } });
    const done = await instanceThat(ask, id, 'completed');
    expect(done.states[2]?.result).toEqual({ status: 500 });
    expect(peer.asked.length).toBe(before);
    await ask('workflow/instance/cancel', { id: first });
    expect((await detail(ask, first)).is).toBe('cancelled');
  });

  it('is answered by the role that is asked, and only once', async () => {
    const workflow = await published(ask, { Ask: { does: { ...approval, role: 'admin' as const } } });
    const id = await started(ask, workflow);
    const { visit } = await instanceThat(ask, id, 'asking');
    const mia = await world.backend.signIn({ role: 'member', email: 'mia@example.org' });
    expect((await mia.post('workflow/instance/answer', { id, visit, choice: 'Approve' })).status).toBe(403);
    const { body: mias } = await mia.post<WorkflowsWaiting>('workflow/waiting', {});
    expect(mias.instances.filter((one) => one.id === id)).toEqual([]);
    const answer = { id, visit, choice: 'Approve' };
    expect(await refusalOf('workflow/instance/answer', { ...answer, choice: 'Maybe' })).toMatchObject({
      status: 400,
    });
    await ask('workflow/instance/answer', answer);
    expect(await refusalOf('workflow/instance/answer', { ...answer, choice: 'Refuse' })).toMatchObject({
      status: 409,
    });
  });
});

describe('skipping a question', () => {
  it('needs the role that the question asks for, also where it could not be asked', async () => {
    const above = { ...approval, role: 'superadmin' as const };
    const workflow = await published(
      ask,
      { Ask: { does: { ...above, question: 'Ship {{data.order}}?' } }, Shipped: {} },
      ['Ask -> Shipped'],
    );
    const root = await world.backend.signIn({ role: 'superadmin', email: 'root@example.org' });
    const transition = workflow.transitions['Ask -> Shipped'];
    const asking = await started(ask, workflow, { order: 7 });
    await instanceThat(ask, asking, 'asking');
    const stopped = await started(ask, workflow, {});
    await instanceThat(ask, stopped, 'stopped');
    for (const id of [asking, stopped]) {
      const skip = { id, visit: 1, transition };
      expect(await refusalOf('workflow/instance/skip', skip)).toMatchObject({
        status: 403,
        msg: 'this is for somebody with the role superadmin',
      });
      // The next question is of the same role, and is not skipped before it is asked.
      expect(await refusalOf('workflow/instance/skip', { ...skip, visit: 2 })).toMatchObject({
        status: 400,
        data: { visit: 'this instance has 1 states' },
      });
      expect((await root.post('workflow/instance/skip', skip)).status).toBe(200);
      expect(wayOf(await instanceThat(ask, id, 'completed'))).toEqual(['Ask', 'Shipped']);
    }
  });
});

describe('an instance that would take too much', () => {
  it('is stopped where its condition runs away, and goes on by another transition', async () => {
    const runsAway = 'data.list.all(a, data.list.exists(b, b == -1 || a >= 0 && b < 0) == false)';
    const workflow = await published(ask, { Begin: {}, Never: {}, End: {} }, [
      `Begin -> Never if ${runsAway}`,
      'Begin -> End',
    ]);
    const id = await started(ask, workflow, { list: Array.from({ length: 8000 }, (_, at) => at) });
    const stopped = await instanceThat(ask, id, 'stopped');
    expect(stopped.reason).toMatch(
      /^the condition of Begin to Never could not be decided: .*not decided within 250 ms/,
    );
    await ask('workflow/instance/skip', { id, visit: 1, transition: workflow.transitions['Begin -> End'] });
    expect(wayOf(await instanceThat(ask, id, 'completed'))).toEqual(['Begin', 'End']);
  });

  it('is refused more than 64 kB of data, at its start and when they are revised', async () => {
    const workflow = await published(ask, { Ask: { does: approval } });
    const most = 'x'.repeat(64 * 1024 - 2);
    const says = 'at most 65536 bytes of JSON are accepted';
    const id = await started(ask, workflow, most);
    await instanceThat(ask, id, 'asking');
    const data = `${most}x`;
    expect(
      await refusalOf('workflow/instance/insert', { workflow: { id: workflow.id }, data }),
    ).toMatchObject({ status: 400, data: { data: says } });
    expect(await refusalOf('workflow/instance/update', { id, data })).toMatchObject({
      status: 400,
      data: { data: says },
    });
    expect(await refusalOf('workflow/instance/fork', { id, visit: 1, data, dry: true })).toMatchObject({
      status: 400,
      data: { data: says },
    });
  });

  it('keeps no answer that is larger, and fills no more into what a node does', async () => {
    peer.answer(withStatus(200, JSON.stringify({ text: 'y'.repeat(70_000) })));
    const request = await save({ name: 'Large', url: '/large' });
    const workflow = await published(ask, {
      Ask: { does: { is: 'savedRequest', request: { id: request } }, keepAs: 'answer' },
    });
    const kept = await instanceThat(ask, await started(ask, workflow), 'completed');
    expect(JSON.stringify(kept.data).length).toBeLessThan(64 * 1024);
    const repeats = await published(ask, {
      Tell: { does: { is: 'notification', title: 'Told', text: '{{data.t}}'.repeat(200) } },
    });
    const stopped = await instanceThat(
      ask,
      await started(ask, repeats, { t: 'z'.repeat(60_000) }),
      'stopped',
    );
    expect(stopped.reason).toBe('Tell takes more than 64 kB from the data, and at most 64 kB are filled in');
  });
});

describe('an instance that starts in the moment in which its workflow is removed', () => {
  it('is cancelled before it enters a node', async () => {
    const workflow = await published(ask, { Ask: { does: approval } });
    const { graph, workspace } = await detail(ask, await started(ask, workflow));
    const { name } = await ask<{ name: string }>('workflow/detail', { id: workflow.id });
    await ask('workflow/delete', { id: workflow.id, name });
    // As by a process that had read the workflow before, and records the start only now.
    const decisions = world.backend.app.get(Decisions, { strict: false });
    const id = randomUUID();
    const data = {
      workflow: { id: workflow.id, name },
      version: 1,
      graph,
      data: {},
      cause: { is: 'person' as const },
    };
    await decisions.execute(instanceDecider, new StartInstance(id, data, ownMeta('system', workspace)));
    await world.backend.caughtUp();
    const ended = await instanceThat(ask, id, 'cancelled');
    expect(ended).toMatchObject({ reason: 'its workflow was removed', states: [] });
  });
});

describe('the list of instances', () => {
  it('is read by pages, of one state if asked, and none comes twice', async () => {
    const workflow = await published(ask, { Ask: { does: approval } });
    const all: string[] = [];
    for (let at = 0; at < 7; at++) all.unshift(await started(ask, workflow));
    for (const id of all) await instanceThat(ask, id, 'asking');
    const ended = all.filter((_, at) => at % 2 === 0);
    for (const id of ended) await ask('workflow/instance/cancel', { id });
    for (const id of ended) await instanceThat(ask, id, 'cancelled');
    const pages = async (more: object): Promise<string[][]> => {
      const found: string[][] = [];
      for (let before: string | undefined, first = true; first || before !== undefined; first = false) {
        const asked = { id: workflow.id, limit: 3, ...more, ...(before !== undefined && { before }) };
        const page = await ask<WorkflowInstancePage>('workflow/instance/page', asked);
        found.push(page.instances.map(({ id }) => id));
        before = page.next;
      }
      return found;
    };
    expect(await pages({})).toEqual([all.slice(0, 3), all.slice(3, 6), all.slice(6)]);
    expect(await pages({ is: 'cancelled' })).toEqual([ended.slice(0, 3), ended.slice(3)]);
    expect(await pages({ is: 'asking' })).toEqual([all.filter((_, at) => at % 2 === 1)]);
    expect(await pages({ is: 'stopped' })).toEqual([[]]);
    const list = await ask<{ id: string }[]>('workflow/instance/list', { id: workflow.id });
    expect(list.map(({ id }) => id)).toEqual(all);
    const refusals = [
      [{ is: 'gone' }, 'is'],
      [{ before: 'x' }, 'before'],
      [{ limit: 0 }, 'limit'],
      [{ limit: 201 }, 'limit'],
    ] as const;
    for (const [wrong, field] of refusals)
      expect(await refusalOf('workflow/instance/page', { id: workflow.id, ...wrong })).toMatchObject({
        status: 400,
        data: { [field]: expect.any(String) },
      });
  });
});

describe('a condition', () => {
  const judged = (when: string) => ask<{ problem?: string }>('workflow/judge', { when });

  it('is judged by itself, before a transition has it', async () => {
    expect(await judged('data.total > 100 && choice == "Approve"')).toEqual({});
    expect(await judged(' ')).toEqual({});
    expect(await judged('data.total >')).toEqual({ problem: expect.stringMatching(/^column \d+: /) });
    expect(await judged('nothing == 1')).toEqual({ problem: expect.stringMatching(/nothing/) });
    expect(await judged('"a".matches("(a+)+$")')).toEqual({
      problem: expect.stringMatching(/matches is not available/),
    });
    expect(await refusalOf('workflow/judge', { when: 'a'.repeat(2001) })).toMatchObject({
      status: 400,
      data: { when: expect.any(String) },
    });
  });
});

describe('publishing', () => {
  it('names each problem with its node or transition and its field', async () => {
    const { id, nodes, transitions } = await drawn(
      ask,
      { Begin: {}, Lonely: {}, Ask: { does: { ...approval, dueSeconds: 60 } } },
      ['Begin -> Ask if data.total >', 'Ask -> Begin if "a".matches("(a+)+$")'],
    );
    const { findings } = await ask<{ findings: { field: string; says: string }[] }>('workflow/check', { id });
    const [broken, slow] = Object.values(transitions);
    expect(findings).toMatchObject([
      { node: nodes['Ask'], field: 'transitions', says: expect.stringMatching(/time limit/) },
      { node: nodes['Ask'], severity: 'notice' },
      { node: nodes['Begin'], severity: 'notice' },
      { node: nodes['Lonely'], says: 'no way from the start leads to Lonely' },
      { transition: broken, field: 'when', says: expect.stringMatching(/does not compile/) },
      { transition: slow, field: 'when', says: expect.stringMatching(/matches is not available/) },
    ]);
    expect(await refusalOf('workflow/publish', { id })).toMatchObject({
      status: 422,
      msg: expect.stringMatching(/^Ask has a time limit.*\(and 3 more\)$/),
    });
    expect(await refusalOf('workflow/instance/insert', { workflow: { id } })).toMatchObject({ status: 422 });
  });
});

describe('a row of the database that was altered', () => {
  const altered = (text: string, values: unknown[]) => world.backend.db.query(text, values);

  it('changes nothing that an instance does: that comes from the log', async () => {
    const request = await save({ name: 'Forged', url: '/forged' });
    const workflow = await published(ask, { Begin: {} });
    const forged = { is: 'savedRequest', request: { id: request } };
    await altered(
      `update read.workflow_versions set view = jsonb_set(view, '{graph,nodes,0,does}', $2::jsonb)
       where view->>'workflowId' = $1`,
      [workflow.id, JSON.stringify(forged)],
    );
    const done = await instanceThat(ask, await started(ask, workflow), 'completed');
    expect(done.graph.nodes.map(({ does }) => does)).toEqual([{ is: 'none' }]);
    expect(peer.asked.filter(({ path }) => path === '/forged')).toEqual([]);
  });

  it('gives nobody an answer that is for others, and an instance without events is none', async () => {
    const workflow = await published(ask, { Ask: { does: { ...approval, role: 'admin' as const } } });
    const id = await started(ask, workflow);
    const { visit } = await instanceThat(ask, id, 'asking');
    const none = randomUUID();
    await altered(
      `update read.workflow_instances
       set role = 'member', view = jsonb_set(jsonb_set(view, '{role}', '"member"'), '{asks,role}', '"member"')
       where id = $1`,
      [id],
    );
    const { rows } = await altered('select * from read.workflow_instances where id = $1', [id]);
    const row = { ...rows[0], id: none, wakeAt: '2026-01-01T00:00:00Z' } as Record<string, unknown>;
    row['view'] = { ...(row['view'] as object), id: none, uuid: none };
    const columns = Object.keys(row);
    await altered(
      `insert into read.workflow_instances (${columns.map((name) => `"${name}"`).join(', ')})
       values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      columns.map((name) => (name === 'view' ? JSON.stringify(row[name]) : row[name])),
    );
    const max = await world.backend.signIn({ role: 'member', email: 'max@example.org' });
    const answer = { visit, choice: 'Approve' };
    expect((await max.post('workflow/instance/answer', { id, ...answer })).status).toBe(403);
    for (const call of ['detail', 'answer', 'cancel'])
      expect(
        (await alice.post(`workflow/instance/${call}`, { id: none, ...(call === 'answer' && answer) }))
          .status,
      ).toBe(404);
    // The one that is due and cannot be read keeps no other from going on.
    await instanceThat(ask, await started(ask, await published(ask, { Begin: {} })), 'completed');
    await ask('workflow/instance/answer', { id, ...answer });
    await instanceThat(ask, id, 'completed');
    await altered('delete from read.workflow_instances where id = $1', [none]);
  });
});
