/** What the editor says before it knows, and what it keeps when something goes wrong. covers: WF-01, WF-02 */
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Reply } from '../../testing/network';
import { press } from '../../testing/presses';
import { ask, bodyOf, edit, id, instance, open, toPack, WORKFLOW } from '../../testing/workflows';
import { nameBetween } from './draft-values';

const instancesFrom = (from: number) =>
  Array.from({ length: from === 0 ? 25 : 5 }, (_, at) => ({
    ...instance,
    id: `01930000-0000-7000-8000-00000000${4000 + from + at}`,
  }));

/** A reply that comes when the test says so. */
const held = () => {
  let give: (reply: Reply) => void = () => undefined;
  const reply = new Promise<Reply>((resolve) => {
    give = resolve;
  });
  return { handler: () => reply, give };
};

test('nothing can be published, and no problem is denied, before versions and check have come', async () => {
  const [versions, check] = [held(), held()];
  open(`${edit}?tab=editor`, {
    'POST /api/workflow/version/list': versions.handler,
    'POST /api/workflow/check': check.handler,
  });
  expect(await screen.findByRole('button', { name: 'Publish' })).toBeDisabled();
  expect(screen.getByText('Checking the draft…')).toBeVisible();
  check.give({ body: { findings: [] } });
  expect(await screen.findByText('no problems')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Publish' })).toBeDisabled();
  versions.give({ body: [] });
  expect(await screen.findByRole('button', { name: 'Publish version 1' })).toBeEnabled();
});

test('the list says which version is published, and what is under way, waits or is stopped', async () => {
  const { calls } = open('/app/workflow', {
    'POST /api/workflow/counts': {
      body: { workflows: [{ id: WORKFLOW, version: 3, underWay: 10_000, asking: 2, stopped: 1 }] },
    },
  });
  const table = within(await screen.findByRole('table', { name: 'Workflows' }));
  expect(await table.findByText('version 3')).toBeVisible();
  expect(table.getByText('10,000 or more')).toBeVisible();
  expect(table.getByText('2 waiting')).toBeVisible();
  expect(table.getByText('1 stopped')).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/counts')).toEqual({ workflows: [WORKFLOW] });
});

test('a node whose transition was refused is not added twice', async () => {
  const added = { body: { id: id('c3'), uuid: id('c3') } };
  const { calls, on } = open(`${edit}?tab=editor&part=after-${ask.id}`, {
    'POST /api/workflow/node/insert': added,
    'POST /api/workflow/node/update': added,
    'POST /api/workflow/transition/insert': {
      status: 422,
      body: { msg: 'a workflow has at most 500 transitions' },
      headers: { 'x-correlation-id': 'c-1' },
    },
  });
  const form = within(await screen.findByRole('form', { name: 'Add after Check' }));
  await userEvent.type(form.getByLabelText('Name'), 'Reject');
  await press(() => form.getByRole('button', { name: 'Save node' }));
  expect(await form.findByText(/The node was added, but it is not connected yet\./)).toBeVisible();
  on('POST /api/workflow/transition/insert', { body: { id: id('d2'), uuid: id('d2') } });
  const sent = (path: string) => calls.filter((call) => call.path === path);
  await press(() => form.getByRole('button', { name: 'Save node' }));
  await waitFor(() => expect(sent('/api/workflow/transition/insert')).toHaveLength(2));
  expect(sent('/api/workflow/node/insert')).toHaveLength(1);
  expect(bodyOf(calls, '/api/workflow/node/update')).toMatchObject({
    id: id('c3'),
    data: { name: 'Reject' },
  });
});

test('what was typed for a new node is not lost without a question', async () => {
  open(`${edit}?tab=editor&part=add`);
  const form = within(await screen.findByRole('form', { name: 'Add node' }));
  await userEvent.type(form.getByLabelText('Name'), 'Half');
  await press(() => form.getByRole('button', { name: 'Cancel' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }));
  await press(() => dialog.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByRole('button', { name: 'Add node' })).toBeVisible();
});

test('the address of a deleted node says that it is gone', async () => {
  open(`${edit}?tab=editor&part=${id('99')}`);
  expect(await screen.findByText('This node or transition is not in the draft (any more).')).toBeVisible();
});

test('a transition between nodes with long names has a name that is accepted', () => {
  expect(nameBetween('Check', 'Pack')).toBe('Check to Pack');
  const name = nameBetween('a'.repeat(96) + '😀😀', 'b'.repeat(100));
  expect(name.length).toBeLessThanOrEqual(200);
  expect(name).toMatch(/^a+… to b+…$/u);
});

test('instances are loaded page by page, of the state that is chosen', async () => {
  const { calls } = open(edit, {
    'POST /api/workflow/instance/page': ({ body }) => {
      const { is, before } = body as { is?: string; before?: string };
      if (is === 'stopped') return { body: { instances: [] } };
      const from = before === undefined ? 0 : 25;
      return { body: { instances: instancesFrom(from), ...(before === undefined && { next: '77' }) } };
    },
  });
  const table = () => screen.getByRole('table', { name: 'Instances' });
  await screen.findByRole('table', { name: 'Instances' });
  await waitFor(() => expect(within(table()).getAllByRole('row')).toHaveLength(26));
  await press(() => screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect(within(table()).getAllByRole('row')).toHaveLength(6));
  expect(bodyOf(calls, '/api/workflow/instance/page')).toEqual({ id: WORKFLOW });
  expect(calls.map(({ body }) => body)).toContainEqual({ id: WORKFLOW, before: '77' });
  await userEvent.selectOptions(screen.getByLabelText('Instances in the state'), 'stopped');
  expect(await screen.findByText('No instance is stopped')).toBeVisible();
});

test.each([
  ['node', ask, { name: 'Check twice' }, 'does'],
  ['transition', toPack, { name: 'To the parcels' }, 'from'],
])('a conflict about a %s shows only what differs, as the form has it', async (kind, one, changed, kept) => {
  const { calls, on } = open(`${edit}?tab=editor&part=${one.id}`, {
    [`POST /api/workflow/${kind}/update`]: {
      status: 409,
      body: { msg: 'it was changed', current: { ...one, ...changed, revision: 9 } },
    },
  });
  const form = within(await screen.findByRole('form', { name: `Edit ${one.name}` }));
  const name = form.getByLabelText(/^Name/);
  await userEvent.clear(name);
  await userEvent.type(name, 'Mine');
  await press(() => form.getByRole('button', { name: `Save ${kind}` }));
  expect(await screen.findByRole('radio', { name: 'Theirs' })).toBeVisible();
  expect(screen.getByText(changed.name)).toBeVisible();
  on(`POST /api/workflow/${kind}/update`, { body: { id: one.id, uuid: one.id } });
  await press(() => screen.getByRole('button', { name: 'Save these choices' }));
  const sent = () => calls.filter(({ path }) => path === `/api/workflow/${kind}/update`);
  await waitFor(() => expect(sent()).toHaveLength(2));
  expect(sent()[1]?.body).toMatchObject({
    revision: 9,
    data: { name: 'Mine', [kept]: (one as Record<string, unknown>)[kept] },
  });
});
