// covers: WF-02
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { press } from '../../testing/presses';
import {
  ask,
  bodyOf,
  detail,
  edit,
  ended,
  id,
  instance,
  INSTANCE,
  open,
  toPack,
} from '../../testing/workflows';

const page = `${edit}/${INSTANCE}/edit`;
const ids = { body: { id: INSTANCE, uuid: INSTANCE } };
const stopped = { ...detail, is: 'stopped', asks: undefined, reason: 'the server Harbour was deleted' };

/** An instance with this detail; each of these calls is answered. */
const show = (shown: object, ...calls: string[]) =>
  open(page, {
    'POST /api/workflow/instance/detail': { body: shown },
    ...Object.fromEntries(calls.map((call) => [`POST /api/workflow/instance/${call}`, ids])),
  });

/** Chooses what is in the menu of the page, and agrees to the question. */
const choose = async (name: string): Promise<void> => {
  await press(() => screen.getByRole('button', { name: /^Actions/ }));
  await press(() => screen.getByRole('menuitem', { name }));
  await press(() => within(screen.getByRole('dialog')).getByRole('button', { name }));
};

test('a stopped instance tells the reason, and goes on by a retry of that visit', async () => {
  const { calls } = show(stopped, 'retry');
  expect(
    await screen.findByText('the server Harbour was deleted', { selector: '[role=alert] *' }),
  ).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/retry')).toEqual({ id: INSTANCE, visit: 1 }),
  );
});

test('a node is skipped by one of its transitions', async () => {
  const { calls } = show(stopped, 'skip');
  await press(() => screen.getByRole('button', { name: 'Skip node' }));
  expect(await screen.findByRole('option', { name: 'Pack (Done, choice == "Approve")' })).toBeInTheDocument();
  await press(() => screen.getByRole('button', { name: 'Skip Check' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/skip')).toEqual({
      id: INSTANCE,
      visit: 1,
      transition: toPack.id,
    }),
  );
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Skip Check' })).toBeNull());
});

test('a question for a higher role is neither answered nor skipped', async () => {
  const above = { role: 'superadmin', choices: ['Approve'] };
  const graph = {
    ...detail.graph,
    nodes: [{ ...ask, does: { ...ask.does, role: 'superadmin' } }, ...detail.graph.nodes.slice(1)],
  };
  show({ ...detail, asks: above, graph });
  const skip = await screen.findByRole('button', { name: 'Skip node' });
  expect(skip).toBeDisabled();
  expect(skip).toHaveAttribute('title', 'Only somebody with the role superadmin may skip this question.');
  expect(screen.getByText(/Somebody with the role superadmin or higher answers/)).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull();
});

test('the data of a stopped instance are revised and it goes on; text that is no JSON is not sent', async () => {
  const { calls } = show(stopped, 'update', 'retry');
  await press(() => screen.getByRole('button', { name: 'Revise data' }));
  fireEvent.change(await screen.findByLabelText('Data'), { target: { value: '{order' } });
  await press(() => screen.getByRole('button', { name: 'Save and go on' }));
  expect(await screen.findByText(/JSON is expected/)).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/instance/update')).toBeUndefined();
  fireEvent.change(screen.getByLabelText('Data'), { target: { value: '{"order": 42}' } });
  await press(() => screen.getByRole('button', { name: 'Save and go on' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/retry')).toEqual({ id: INSTANCE, visit: 1 }),
  );
  expect(bodyOf(calls, '/api/workflow/instance/update')).toEqual({
    id: INSTANCE,
    data: { order: 42 },
    revision: 4,
  });
});

test('data that cannot be revised do not make the instance go on', async () => {
  const { calls, on } = show(stopped, 'retry');
  on('POST /api/workflow/instance/update', { status: 409, body: { msg: 'it was revised meanwhile' } });
  await press(() => screen.getByRole('button', { name: 'Revise data' }));
  await press(() => screen.getByRole('button', { name: 'Save and go on' }));
  expect(await screen.findByText('it was revised meanwhile')).toBeVisible();
  expect(screen.getByLabelText('Data')).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/instance/retry')).toBeUndefined();
});

test('an instance that waits for a person is no retry, and its data are revised alone', async () => {
  const { calls } = show(detail, 'update');
  await press(() => screen.getByRole('button', { name: 'Revise data' }));
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Save and go on' })).toBeNull();
  await press(() => screen.getByRole('button', { name: 'Save data' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/update')).toMatchObject({ data: { order: 41 } }),
  );
});

test('an instance under way is cancelled after a question', async () => {
  const { calls } = show(detail, 'cancel');
  await choose('Cancel instance');
  await waitFor(() => expect(bodyOf(calls, '/api/workflow/instance/cancel')).toEqual({ id: INSTANCE }));
});

test('an instance that has ended is deleted after a question, and its workflow is shown', async () => {
  const { calls } = show(ended, 'delete');
  await choose('Delete instance');
  expect(await screen.findByRole('table', { name: 'Instances' })).toBeVisible();
  expect(bodyOf(calls, '/api/workflow/instance/delete')).toEqual({ id: INSTANCE });
});

const source = id('b0');
const dry = { ...ended, dry: true, forkedFrom: { instance: source, visit: 3 } };

test('a dry instance is forked for real from where it was forked, with the data that it began with', async () => {
  const { calls } = show(dry);
  await press(() => screen.getByRole('button', { name: 'Fork for real' }));
  await press(() => within(screen.getByRole('dialog')).getByRole('button', { name: 'Fork for real' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/fork')).toEqual({
      id: source,
      visit: 3,
      data: { order: 41 },
      dry: false,
    }),
  );
});

test('somebody says what an action of a dry instance would have come to', async () => {
  const acts = {
    id: ask.id,
    name: 'Check',
    does: { is: 'notification', title: 'Hi' },
    keepAs: '',
    place: null,
  };
  const graph = { ...detail.graph, nodes: [acts, ...detail.graph.nodes.slice(1)] };
  const { calls } = show({ ...detail, dry: true, graph });
  fireEvent.change(await screen.findByLabelText('It would be'), { target: { value: 'failed' } });
  fireEvent.change(screen.getByLabelText('Result'), { target: { value: '{"status": 500}' } });
  await press(() => screen.getByRole('button', { name: 'Go on with this result' }));
  await waitFor(() =>
    expect(bodyOf(calls, '/api/workflow/instance/answer')).toEqual({
      id: INSTANCE,
      visit: 1,
      end: 'failed',
      result: { status: 500 },
    }),
  );
});

test('an instance is compared with one that began long before', async () => {
  const { calls } = open(page, {
    'POST /api/workflow/instance/detail': { body: ended },
    'POST /api/workflow/instance/page': ({ body }) =>
      (body as { before?: string }).before === undefined
        ? { body: { instances: [instance], next: '7' } }
        : { body: { instances: [{ ...instance, id: source, is: 'cancelled' }] } },
  });
  await press(() => screen.getByRole('tab', { name: 'Compare' }));
  expect(await screen.findByLabelText('Compare with the instance of')).toBeVisible();
  expect(screen.queryByRole('option', { name: /cancelled/ })).toBeNull();
  await press(() => screen.getByRole('button', { name: 'Load older instances' }));
  expect(await screen.findByRole('option', { name: /cancelled/ })).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Load older instances' })).toBeNull());
  expect(calls.filter(({ path }) => path === '/api/workflow/instance/list')).toEqual([]);
});
