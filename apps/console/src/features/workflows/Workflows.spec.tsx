// covers: WF-01, WF-02
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { press } from '../../testing/presses';
import {
  INSTANCE,
  WORKFLOW,
  ask,
  bodyOf,
  at,
  edit,
  ended,
  id,
  open,
  packed,
  toPack,
} from '../../testing/workflows';

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

test('data that are refused are named at their field, with the place where JSON is wrong', async () => {
  open(edit, {
    'POST /api/workflow/instance/insert': {
      status: 400,
      body: { msg: 'Not accepted', data: { data: 'at most 65536 bytes of JSON are accepted' } },
    },
  });
  const form = within(await screen.findByRole('form', { name: 'Execute query' }));
  const data = form.getByLabelText('Data');
  fireEvent.change(data, { target: { value: '{\n"order" 41}' } });
  await press(() => form.getByRole('button', { name: 'Start instance' }));
  await waitFor(() => expect(data).toHaveAccessibleDescription(/JSON is expected.*line 2, column 9/));
  expect(data).toHaveFocus();
  fireEvent.change(data, { target: { value: '{"order": 41}' } });
  await press(() => form.getByRole('button', { name: 'Start instance' }));
  await waitFor(() => expect(data).toHaveAccessibleDescription(/at most 65536 bytes/));
});

test('a finding keeps the draft from being published, and opens what it is about', async () => {
  const finding = { severity: 'problem', transition: toPack.id, field: 'when', says: 'it does not compile' };
  open(`${edit}?tab=editor`, { 'POST /api/workflow/check': { body: { findings: [finding] } } });
  expect(await screen.findByText('1 problem keeps it from being published')).toBeVisible();
  expect(await screen.findByRole('button', { name: 'Version 1 is published' })).toBeDisabled();
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
