// covers: WF-02
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { press } from '../../testing/presses';
import { at, bodyOf, edit, id, INSTANCE, kept, open, WORKFLOW } from '../../testing/workflows';

const trigger = (last: string, name: string, more: object) => ({
  id: id(last),
  workflow: WORKFLOW,
  name,
  isOn: true,
  starts: 'schedule',
  schedule: '',
  data: null,
  isSigned: true,
  event: '',
  filter: '',
  ...kept,
  ...more,
});
const morning = trigger('11', 'Morning', { schedule: '0 6 * * 1-5', data: { order: 41 } });
const hook = trigger('12', 'Shop', { starts: 'webhook' });
const alert = trigger('13', 'Alert', { starts: 'event', event: 'AlertRaised', isOn: false });
const started = { id: INSTANCE, at, is: 'started', source: 'delivery 7' };
const refused = { id: id('b2'), at, is: 'refused', source: 'delivery 8', reason: 'no version is published' };
const token = {
  id: id('21'),
  trigger: { id: hook.id, name: 'Shop' },
  fingerprint: 'qd_1a2b',
  issuedAt: at,
  issuedBy: kept.addedBy,
  uses: 0,
};
const address = `${edit}?tab=triggers`;

const show = (part?: string, handlers: Parameters<typeof open>[1] = {}) =>
  open(part === undefined ? address : `${address}&part=${part}`, {
    'POST /api/workflow/trigger/list': { body: [morning, hook, alert] },
    'POST /api/workflow/trigger/states': {
      body: [{ id: morning.id, next: at }, { id: hook.id, last: started }, { id: alert.id }],
    },
    'POST /api/workflow/trigger/firings': { body: [started, refused] },
    'POST /api/workflow/trigger/token/list': { body: [] },
    'POST /api/workflow/trigger/insert': { body: { id: hook.id, uuid: hook.id } },
    'POST /api/workflow/trigger/update': { body: { id: alert.id, uuid: alert.id } },
    'POST /api/workflow/trigger/delete': { body: { id: alert.id, uuid: alert.id } },
    ...handlers,
  });

const change = (form: ReturnType<typeof within>, label: string | RegExp, value: string): void =>
  void fireEvent.change(form.getByLabelText(label), { target: { value } });

test('the list says what starts instances, whether it is on, and what came of it last', async () => {
  show();
  const table = within(await screen.findByRole('table', { name: 'Triggers' }));
  expect(await table.findByText('Schedule 0 6 * * 1-5 (UTC)')).toBeVisible();
  expect(table.getByText('Webhook')).toBeVisible();
  expect(table.getByText('Event AlertRaised')).toBeVisible();
  expect(table.getByText('off')).toBeVisible();
  expect(await table.findByText(/^started/)).toBeVisible();
  await press(() => table.getByRole('button', { name: 'Open Shop' }));
  expect(await screen.findByRole('form', { name: 'Edit Shop' })).toBeVisible();
});

test('a schedule is added with the data of its instances, and opened', async () => {
  const { calls } = show('add');
  const form = within(await screen.findByRole('form', { name: 'Add trigger' }));
  expect(form.queryByLabelText(/^Event/)).toBeNull();
  change(form, /^Name/, 'Evening');
  change(form, /^Schedule/, '0 20 * * *');
  change(form, /^Data/, '{"order": 42}');
  await press(() => form.getByRole('button', { name: 'Save trigger' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/trigger/insert')).toMatchObject({
      workflow: { id: WORKFLOW },
      data: { name: 'Evening', starts: 'schedule', schedule: '0 20 * * *', data: { order: 42 }, isOn: true },
    }),
  );
  expect(await screen.findByRole('form', { name: 'Edit Shop' })).toBeVisible();
});

test('a schedule that is none is refused under its field', async () => {
  show('add', {
    'POST /api/workflow/trigger/insert': {
      status: 400,
      body: { msg: 'the input is not valid', data: { 'data.schedule': 'five fields are expected' } },
    },
  });
  const form = within(await screen.findByRole('form', { name: 'Add trigger' }));
  change(form, /^Name/, 'Evening');
  change(form, /^Schedule/, 'daily');
  await press(() => form.getByRole('button', { name: 'Save trigger' }));
  await waitFor(() =>
    expect(form.getByLabelText(/^Schedule/)).toHaveAccessibleDescription(/five fields are expected/),
  );
});

test('an event of the log starts instances if its condition is true', async () => {
  const { calls } = show(alert.id);
  const form = within(await screen.findByRole('form', { name: 'Edit Alert' }));
  expect(form.queryByLabelText(/^Schedule/)).toBeNull();
  change(form, /^Condition/, 'event.data.about == "disk"');
  await press(() => form.getByRole('button', { name: 'Save trigger' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/trigger/update')).toMatchObject({
      id: alert.id,
      revision: 3,
      data: { starts: 'event', event: 'AlertRaised', filter: 'event.data.about == "disk"' },
    }),
  );
});

test('what a trigger started is linked, and what it could not start has its reason', async () => {
  show(hook.id);
  const fired = within(await screen.findByRole('table', { name: 'Fired' }));
  expect(await fired.findByRole('link', { name: 'started' })).toHaveAttribute(
    'href',
    `${edit}/${INSTANCE}/edit`,
  );
  expect(fired.getByText('refused')).toBeVisible();
  expect(fired.getByText('no version is published')).toBeVisible();
});

test('the token of a webhook and its secret are shown once', async () => {
  const { calls, on } = show(hook.id, {
    'POST /api/workflow/trigger/token/issue': {
      body: { id: token.id, uuid: token.id, token: 'qd_1a2b.token', secret: 'signing secret' },
    },
  });
  expect(await screen.findByText('No tokens yet')).toBeVisible();
  on('POST /api/workflow/trigger/token/list', { body: [token] });
  await press(() => screen.getByRole('button', { name: 'Issue token' }));
  expect(await screen.findByText(/^A token for the webhook: copy it now/)).toBeVisible();
  expect(screen.getByText('qd_1a2b.token')).toBeVisible();
  expect(screen.getByText('signing secret')).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/trigger/token/issue')).toEqual({ id: hook.id });
  expect(await screen.findByRole('button', { name: 'Revoke qd_1a2b' })).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'All triggers' }));
  await press(() => screen.getByRole('button', { name: 'Open Shop' }));
  expect(await screen.findByRole('button', { name: 'Revoke qd_1a2b' })).toBeVisible();
  expect(screen.queryByText('qd_1a2b.token')).toBeNull();
});

test('a webhook without signatures tells no secret', async () => {
  show(hook.id, {
    'POST /api/workflow/trigger/list': { body: [{ ...hook, isSigned: false }] },
    'POST /api/workflow/trigger/token/issue': {
      body: { id: token.id, uuid: token.id, token: 'qd_1a2b.token', secret: 'signing secret' },
    },
  });
  await press(() => screen.getByRole('button', { name: 'Issue token' }));
  expect(await screen.findByText('qd_1a2b.token')).toBeVisible();
  expect(screen.queryByText('signing secret')).toBeNull();
});

test('a trigger is deleted after a question, and the list is shown', async () => {
  const { calls } = show(alert.id);
  await press(() => screen.getByRole('button', { name: 'Delete trigger' }));
  await press(() => within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete trigger' }));
  expect(await screen.findByRole('table', { name: 'Triggers' })).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/trigger/delete')).toEqual({ id: alert.id });
});
