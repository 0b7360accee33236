// covers: WF-01, WF-02
import { workflow } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';
import { withTestWorkers } from '../../testing/workers';

const id = (last: string): string => `01930000-0000-7000-8000-0000000000${last}`;
const WORKFLOW = id('a1');
const INSTANCE = id('b1');
const at = '2026-11-20T12:00:00.000Z';
const by = sessionOf().profile.id;
const kept = {
  addedAt: at,
  addedBy: by,
  changedAt: at,
  changedBy: by,
  revision: 3,
  position: '5',
  workspace: 'main',
};
const order = { id: WORKFLOW, name: 'Order', description: '', product: null, ...kept };
const node = (last: string, name: string, does: object, more: object = {}) => ({
  id: id(last),
  workflow: WORKFLOW,
  name,
  does,
  isStart: false,
  keepAs: '',
  place: null,
  ...kept,
  ...more,
});
const ask = node(
  'c1',
  'Check',
  { is: 'person', role: 'admin', choices: ['Approve', 'Reject'] },
  { isStart: true },
);
const pack = node('c2', 'Pack', { is: 'none' });
const toPack = {
  id: id('d1'),
  workflow: WORKFLOW,
  name: 'Check to Pack',
  from: { id: ask.id },
  to: { id: pack.id },
  on: 'done',
  when: 'choice == "Approve"',
  order: 1,
  ...kept,
};
const graph = {
  start: ask.id,
  nodes: [ask, pack].map(({ id: of, name, does, keepAs, place }) => ({ id: of, name, does, keepAs, place })),
  transitions: [{ ...toPack, from: ask.id, to: pack.id }],
};
const instance = {
  id: INSTANCE,
  uuid: INSTANCE,
  workspace: 'main',
  workflow: { id: WORKFLOW, name: 'Order' },
  version: 1,
  logDateAdded: at,
  by,
  cause: { is: 'person' },
  dry: false,
  is: 'asking',
  node: { id: ask.id, name: 'Check' },
  visit: 1,
  since: at,
  asks: { role: 'admin', choices: ['Approve', 'Reject'], question: 'Ship it?' },
  revision: 4,
  position: '9',
};
const state = {
  id: id('e1'),
  uuid: id('e1'),
  instance: INSTANCE,
  visit: 1,
  node: { id: ask.id, uuid: ask.id, name: 'Check' },
  logDateAdded: at,
  position: '8',
  data: { order: 41 },
  stops: [],
  revisions: [],
};
const packed = {
  ...state,
  id: id('e2'),
  visit: 2,
  node: { id: pack.id, uuid: pack.id, name: 'Pack' },
  transition: toPack.id,
  end: 'done',
  data: { order: 41, packed: true },
};
const detail = { ...instance, graph, data: { order: 41 }, states: [state], whole: true };
const ended = {
  ...detail,
  is: 'completed',
  asks: undefined,
  states: [{ ...state, end: 'done', choice: 'Approve', by }, packed],
  data: { order: 41, packed: true },
};
const version = {
  id: id('f1'),
  uuid: id('f1'),
  workspace: 'main',
  workflow: { id: WORKFLOW, name: 'Order' },
  version: 1,
  logDateAdded: at,
  by,
  nodes: 2,
  transitions: 1,
  revision: 0,
  position: '6',
};

type Handlers = Parameters<typeof answerWith>[0];
const open = (address: string, handlers: Handlers = {}, role = 'admin') => {
  withTestWorkers();
  const session = sessionOf(role);
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/workflow/page': pagesOf(plainColumns(workflow), [order]),
    'POST /api/workflow/detail': { body: order },
    'POST /api/workflow/node/list': { body: [ask, pack] },
    'POST /api/workflow/transition/list': { body: [toPack] },
    'POST /api/workflow/check': { body: { findings: [] } },
    'POST /api/workflow/version/list': { body: [version] },
    'POST /api/workflow/version/compare': { body: { changes: [] } },
    'POST /api/workflow/instance/list': { body: [instance] },
    'POST /api/workflow/instance/detail': { body: detail },
    'POST /api/workflow/instance/insert': { body: { id: INSTANCE, uuid: INSTANCE } },
    'POST /api/workflow/instance/answer': { body: { id: INSTANCE, uuid: INSTANCE } },
    'POST /api/workflow/instance/fork': { body: { id: INSTANCE, uuid: INSTANCE } },
    'POST /api/workflow/state/list': { body: [state] },
    'POST /api/product/listWServices': { body: [] },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;
const edit = `/app/workflow/${WORKFLOW}/edit`;

test('the list links each workflow', async () => {
  open('/app/workflow');
  expect(await screen.findByRole('link', { name: 'Order' })).toHaveAttribute('href', edit);
});

test('the page has the tables of the specification, and an instance expands to its states', async () => {
  open(edit);
  for (const name of ['Nodes', 'Transitions', 'Instances'])
    expect(await screen.findByRole('table', { name })).toBeVisible();
  await press(() => screen.getByRole('button', { name: /^States of the instance/ }));
  const states = await screen.findByRole('table', { name: 'States' });
  expect(within(states).getByText('Log Date Added')).toBeVisible();
  expect(within(states).getByText('{"order":41}')).toBeVisible();
  expect(within(states).getByRole('link', { name: 'Check' })).toHaveAttribute(
    'href',
    `${edit}/${ask.id}/edit`,
  );
});

test('an instance is started with data, and text that is no JSON is not sent', async () => {
  const { calls } = open(edit);
  const form = within(await screen.findByRole('form', { name: 'Execute query' }));
  fireEvent.change(form.getByLabelText('Data'), { target: { value: '{order' } });
  await press(() => form.getByRole('button', { name: 'Start instance' }));
  expect(await form.findByText(/JSON is expected/)).toBeVisible();
  fireEvent.change(form.getByLabelText('Data'), { target: { value: '{"order": 41}' } });
  await press(() => form.getByRole('button', { name: 'Start instance' }));
  expect(await screen.findByRole('link', { name: 'Open instance' })).toHaveAttribute(
    'href',
    `${edit}/${INSTANCE}/edit`,
  );
  expect(bodyOf(calls, '/api/workflow/instance/insert')).toEqual({
    workflow: { id: WORKFLOW },
    data: { order: 41 },
  });
});

test('a finding keeps the draft from being published, and opens what it is about', async () => {
  const finding = { severity: 'problem', transition: toPack.id, field: 'when', says: 'it does not compile' };
  open(`${edit}?tab=editor`, { 'POST /api/workflow/check': { body: { findings: [finding] } } });
  expect(await screen.findByText('1 problem keeps it from being published')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Version 1 is published' })).toBeDisabled();
  await press(() => screen.getByRole('button', { name: 'Open transition: it does not compile' }));
  const form = within(await screen.findByRole('form', { name: 'Edit Check to Pack' }));
  expect(form.getByLabelText(/^Condition/)).toHaveAccessibleDescription(/it does not compile/);
});

test('a node added after another is connected to it with its condition', async () => {
  const { calls } = open(`${edit}?tab=editor&part=after-${ask.id}`, {
    'POST /api/workflow/node/insert': { body: { id: id('c3'), uuid: id('c3') } },
    'POST /api/workflow/transition/insert': { body: { id: id('d2'), uuid: id('d2') } },
  });
  const form = within(await screen.findByRole('form', { name: 'Add after Check' }));
  await userEvent.type(form.getByLabelText('Name'), 'Reject');
  await userEvent.type(form.getByLabelText(/^Condition/), 'choice == "Reject"');
  await press(() => form.getByRole('button', { name: 'Save node' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/transition/insert')).toEqual({
      workflow: { id: WORKFLOW },
      data: {
        name: 'Check to Reject',
        from: { id: ask.id },
        to: { id: id('c3') },
        on: 'done',
        when: 'choice == "Reject"',
        order: 2,
      },
    }),
  );
});

test('a condition is judged while it is typed, and the message about the saved one goes', async () => {
  const finding = { severity: 'problem', transition: toPack.id, field: 'when', says: 'it does not compile' };
  open(`${edit}?tab=editor&part=${toPack.id}`, {
    'POST /api/workflow/check': { body: { findings: [finding] } },
    'POST /api/workflow/judge': ({ body }) => ({
      body: (body as { when: string }).when === 'data.total >' ? { problem: 'column 13: no value' } : {},
    }),
  });
  const form = within(await screen.findByRole('form', { name: 'Edit Check to Pack' }));
  const condition = form.getByLabelText(/^Condition/);
  await waitFor(() => expect(condition).toHaveAccessibleDescription(/it does not compile/));
  fireEvent.change(condition, { target: { value: 'data.total >' } });
  await waitFor(() => expect(condition).toHaveAccessibleDescription(/column 13: no value/));
  expect(condition).not.toHaveAccessibleDescription(/it does not compile/);
  fireEvent.change(condition, { target: { value: 'data.total > 1' } });
  await waitFor(() => expect(condition).not.toHaveAccessibleDescription(/column 13/));
});

test('the condition of a new node is judged while it is typed', async () => {
  open(`${edit}?tab=editor&part=after-${ask.id}`, {
    'POST /api/workflow/judge': { body: { problem: 'column 1: unknown' } },
  });
  const form = within(await screen.findByRole('form', { name: 'Add after Check' }));
  const condition = form.getByLabelText(/^Condition/);
  fireEvent.change(condition, { target: { value: 'nothing' } });
  await waitFor(() => expect(condition).toHaveAccessibleDescription(/column 1: unknown/));
});

test('a person answers, and is told if somebody else was faster', async () => {
  const { calls } = open(`${edit}/${INSTANCE}/edit`, {
    'POST /api/workflow/instance/answer': { status: 409, body: { msg: 'Grace has answered: Reject' } },
  });
  await press(() => screen.getByRole('button', { name: 'Approve: Ship it?' }));
  expect(await screen.findByText('Grace has answered: Reject')).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/instance/answer')).toEqual({
    id: INSTANCE,
    visit: 1,
    choice: 'Approve',
  });
});

test('the slider shows an earlier step with its data, and a fork begins there, dry at first', async () => {
  const { calls } = open(`${edit}/${INSTANCE}/edit`, {
    'POST /api/workflow/instance/detail': { body: ended },
  });
  const slider = await screen.findByRole('slider', { name: 'Step' });
  expect(slider).toHaveAttribute('aria-valuetext', '2 of 2: Pack');
  act(() => void fireEvent.change(slider, { target: { value: '1' } }));
  const step = within(await screen.findByRole('region', { name: 'Step 1 of 2: Check' }));
  expect(step.getByText('Approve')).toBeVisible();
  await press(() => step.getByRole('button', { name: 'Fork from here' }));
  fireEvent.change(step.getByLabelText('Data of the fork'), { target: { value: '{"order": 42}' } });
  await press(() => step.getByRole('button', { name: 'Fork dry' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/fork')).toEqual({
      id: INSTANCE,
      visit: 1,
      data: { order: 42 },
      dry: true,
    }),
  );
});

test('presses that follow each other at once all count', async () => {
  const third = { ...packed, id: id('e3'), visit: 3 };
  open(`${edit}/${INSTANCE}/edit`, {
    'POST /api/workflow/instance/detail': { body: { ...ended, states: [...ended.states, third] } },
  });
  const slider = await screen.findByRole('slider', { name: 'Step' });
  const before = screen.getByRole('button', { name: 'Step before' });
  // The address follows after this, as in a browser that is busy with the graph.
  await act(async () => {
    before.click();
    await Promise.resolve();
    before.click();
    await Promise.resolve();
  });
  expect(slider).toHaveAttribute('aria-valuetext', '1 of 3: Check');
  fireEvent.change(slider, { target: { value: '2' } });
  expect(slider).toHaveValue('2');
  expect(await screen.findByRole('region', { name: 'Step 2 of 3: Pack' })).toBeVisible();
});

const waiting = {
  total: 1,
  instances: [
    {
      id: INSTANCE,
      workflow: { id: WORKFLOW, name: 'Order' },
      node: { id: ask.id, name: 'Check' },
      visit: 1,
      since: at,
      dry: false,
      role: 'member',
      question: 'Ship it?',
      choices: ['Approve', 'Reject'],
    },
  ],
};

test('a member sees on Home what waits for them, and answers there', async () => {
  const { calls } = open('/app', { 'POST /api/workflow/waiting': { body: waiting } }, 'member');
  expect(await screen.findByRole('heading', { name: 'Waits for me 1' })).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Reject: Ship it?' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/answer')).toEqual({
      id: INSTANCE,
      visit: 1,
      choice: 'Reject',
    }),
  );
});
