// covers: AUD-03
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { HistoryView, UndoPreview } from '@quarterdeck/projections';
import { instantChosen } from '../../core/as-of/as-of-state';
import { answerWith, type Reply } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { toast } from '../../ui/toast';
import { HistoryOf } from './HistoryOf';
import { undoOf } from './undoing';

const ID = '01930000-0000-7000-8000-000000000001';
const at = '2026-11-20T12:00:00.000Z';

const eventOf = (type: string, says: string, more: Partial<HistoryView> = {}): HistoryView => ({
  position: '42',
  id: `e-${type}`,
  type,
  stream: `server-${ID}`,
  revision: 1,
  at,
  recordedAt: at,
  actor: sessionOf().profile.id,
  workspace: 'w',
  subject: { category: 'server', id: ID, name: 'web-1' },
  category: 'server',
  subjectId: ID,
  says,
  correlationId: 'c',
  causationId: 'c',
  audience: 'admin',
  data: {},
  ...more,
});

const server = { category: 'server', id: ID, name: 'web-1' };
const preview: UndoPreview = {
  position: '42',
  undoes: ['renamed to web-1'],
  removes: false,
  steps: [
    {
      subject: server,
      says: 'renamed to web-0',
      changes: [{ field: 'Alias', before: 'web-1', after: 'web-0' }],
    },
  ],
  count: 1,
  needs: [],
  notes: ['Nothing on the server is touched.'],
  seen: 'first',
};

const renamed = eventOf('ServerRenamed', 'renamed to web-1');

const open = (event: HistoryView, shown: UndoPreview = preview) => {
  const network = answerWith({
    'POST /api/person/list': { body: [] },
    'POST /api/history/list': { body: { events: [event] } },
    'POST /api/history/detail': { body: { event, changes: [], chain: [event], chainLength: 1 } },
    'POST /api/history/undo/preview': { body: shown },
    'POST /api/history/undo': { body: { id: ID, uuid: ID, left: [] } },
  });
  const view = renderPage(<HistoryOf {...server} />, { at: '/?event=42', session: sessionOf('admin') });
  const sent = () => network.calls.filter(({ path }) => path === '/api/history/undo').map(({ body }) => body);
  return { ...network, ...view, sent };
};

const ask = async (name: string): Promise<HTMLElement> => {
  await userEvent.click(await screen.findByRole('button', { name: 'Undo…' }));
  return screen.findByRole('dialog', { name });
};
const putBack = (dialog: HTMLElement): Promise<void> =>
  userEvent.click(within(dialog).getByRole('button', { name: 'Restore' }));

test('an undo is previewed first, and sent only when confirmed', async () => {
  const { calls, sent } = open(renamed, {
    ...preview,
    steps: [
      ...preview.steps,
      { subject: { ...server, id: 'd', name: 'shop' }, says: '', changes: [], refused: 'taken' },
    ],
    count: 12,
  });
  const dialog = await ask('Undo: renamed the server to web-1');
  expect(await within(dialog).findByRole('row', { name: 'Alias web-1 web-0' })).toBeVisible();
  expect(within(dialog).getByText('The history will say: renamed to web-0.')).toBeVisible();
  expect(within(dialog).getByText('is not changed: taken')).toBeVisible();
  expect(dialog).toHaveTextContent('and 10 more');
  expect(dialog).toHaveTextContent('Nothing on the server is touched.');
  expect(calls.find(({ path }) => path.endsWith('/preview'))?.body).toEqual({ position: '42' });
  expect(sent()).toEqual([]);
  await putBack(dialog);
  expect(await screen.findByRole('link', { name: 'Undone: renamed the server to web-1.' })).toHaveAttribute(
    'href',
    `/app/server/${ID}/detail`,
  );
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent()).toEqual([{ position: '42', seen: 'first' }]);
});

test('says that undoing an addition removes it, and lists what else the same request did', async () => {
  const { sent } = open(renamed, {
    ...preview,
    undoes: ['added web-1', 'set web-1 as the default'],
    removes: true,
    steps: [{ subject: server, says: 'removed web-1', changes: [] }],
  });
  const dialog = await ask('Undo: renamed the server to web-1');
  expect(await within(dialog).findByText('The history will say: removed web-1.')).toBeVisible();
  expect(dialog).toHaveTextContent('One request did this: added web-1, set web-1 as the default.');
  expect(within(dialog).queryByRole('button', { name: 'Restore' })).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(sent()).toEqual([{ position: '42', seen: 'first' }]));
});

test('Escape closes the undo dialog and leaves the event open below it', async () => {
  const { sent } = open(renamed);
  const dialog = await ask('Undo: renamed the server to web-1');
  await within(dialog).findByRole('button', { name: 'Restore' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(screen.getByRole('dialog', { name: 'Event' })).toBeVisible();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Undo…' })).toHaveFocus());
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent()).toEqual([]);
});

test('shows no undo button for events that cannot be undone, and disables it in the past', async () => {
  const { unmount } = open(eventOf('ServerKeyReplaced', 'replaced the private key'));
  expect(await screen.findByRole('button', { name: 'Changes since' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Undo…' })).toBeNull();
  unmount();
  const { store } = open(renamed);
  await screen.findByRole('button', { name: 'Undo…' });
  act(() => void store.dispatch(instantChosen({ at: '41' })));
  expect((await screen.findByText('Undo…')).closest('[inert]')).not.toBeNull();
});

test('lists in the dialog what could not be restored with the rest', async () => {
  const { on } = open(renamed);
  const left = [{ name: 'shop', reason: 'its name is taken' }];
  on('POST /api/history/undo', { body: { id: ID, uuid: ID, left } });
  const dialog = await ask('Undo: renamed the server to web-1');
  await within(dialog).findByRole('button', { name: 'Restore' });
  await putBack(dialog);
  expect(await within(dialog).findByRole('alert')).toHaveTextContent('shop: its name is taken');
  expect(within(dialog).queryByRole('button', { name: 'Restore' })).toBeNull();
  await userEvent.keyboard('{Escape}');
});

test('explains a refusal and shows no button', async () => {
  open(renamed, { ...preview, steps: [], count: 0, refused: 'web-0 is taken by another server' });
  const dialog = await ask('Undo: renamed the server to web-1');
  expect(await within(dialog).findByText('web-0 is taken by another server')).toBeVisible();
  expect(within(dialog).queryByRole('button', { name: 'Restore' })).toBeNull();
});

describe('undoing a removal that destroyed a key', () => {
  const removed = eventOf('ServerRemoved', 'removed web-1');
  const needy: UndoPreview = { ...preview, needs: ['privateKey'] };
  const answers = (on: ReturnType<typeof answerWith>['on'], ...replies: Reply[]): void =>
    on('POST /api/history/undo', () => replies.shift() ?? { body: { id: ID, uuid: ID, left: [] } });

  test('asks for the key again, and reports an invalid one at its field', async () => {
    const { on, sent } = open(removed, needy);
    answers(on, { status: 400, body: { msg: 'Not accepted', data: { privateKey: ['no private key'] } } });
    const dialog = await ask('Undo: removed web-1');
    const key = await within(dialog).findByRole('textbox', { name: 'Private key' });
    await putBack(dialog);
    expect(key).toHaveAccessibleDescription(/This field is required/);
    expect(sent()).toEqual([]);
    await userEvent.type(key, 'nonsense');
    await putBack(dialog);
    await waitFor(() => expect(key).toHaveAccessibleDescription(/no private key/));
    expect(key).toHaveFocus();
    await putBack(dialog);
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(sent().at(-1)).toEqual({ position: '42', seen: 'first', privateKey: 'nonsense' });
  });

  test('keeps the typed key and shows the new preview when someone else made a change first', async () => {
    const { on, sent } = open(removed, needy);
    const changes = [{ field: 'Host', before: '10.0.0.1', after: '10.0.0.2' }];
    const newer = { ...needy, steps: [{ subject: server, says: 'restored', changes }], seen: 'second' };
    answers(on, { status: 409, body: { msg: 'it is another by now', current: newer } });
    const dialog = await ask('Undo: removed web-1');
    await userEvent.type(await within(dialog).findByRole('textbox', { name: 'Private key' }), 'a key');
    await putBack(dialog);
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Nothing was changed');
    expect(within(dialog).getByRole('row', { name: 'Host 10.0.0.1 10.0.0.2' })).toBeVisible();
    await putBack(dialog);
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
    expect(sent().at(-1)).toEqual({ position: '42', seen: 'second', privateKey: 'a key' });
  });
});

test('the notice of a removed location offers to undo the removal of that very location', async () => {
  const DOMAIN = '01930000-0000-7000-8000-000000000002';
  const gone = (position: string, location: string) =>
    eventOf('LocationRemoved', `removed location ${location}`, {
      position,
      data: { id: location, location },
      stream: `domain-${DOMAIN}`,
      subject: { category: 'domain', id: DOMAIN, name: 'shop.example.test' },
    });
  const { calls } = answerWith({
    'POST /api/person/list': { body: [] },
    'POST /api/history/list': { body: { events: [gone('50', '/b'), gone('49', '/a')] } },
    'POST /api/history/undo/preview': { body: preview },
  });
  renderPage(<main id="main" tabIndex={-1} />, { session: sessionOf('admin') });
  act(() => toast.success('/a was deleted.', undoOf({ category: 'domain', id: DOMAIN, location: '/a' })));
  const dialog = await ask('Undo: removed /a from shop.example.test');
  expect(screen.queryByText('/a was deleted.')).toBeNull();
  await waitFor(() =>
    expect(calls.find(({ path }) => path.endsWith('/preview'))?.body).toEqual({ position: '49' }),
  );
  expect(calls.find(({ path }) => path.endsWith('/list') && path.includes('history'))?.body).toMatchObject({
    subject: { category: 'domain', id: DOMAIN },
    types: ['LocationRemoved'],
  });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});
