// covers: SRV-15
import { scriptColumns, type ScriptRow } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith, type Call } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { renderRoutes, sessionOf } from '../../testing/render';
import { routes } from '../../app/router';

const ID = '01930000-0000-7000-8000-000000000a01';
const ADA = sessionOf().profile.id;
const at = '2026-11-20T12:00:00.000Z';
const version = (number: number, body: string, changes = false) => ({
  version: number,
  body,
  changes,
  timeoutSeconds: 30,
  at,
  by: ADA,
});
const script = (more: object = {}) => ({
  id: ID,
  name: 'Free space',
  versions: [version(1, 'df -h\n'), version(2, 'df -h\ndf -i\n', true)],
  changedAt: at,
  changedBy: ADA,
  revision: 1,
  position: '5',
  ...more,
});

const row: ScriptRow = {
  id: ID,
  name: 'Free space',
  changedAt: at,
  changedBy: ADA,
  newest: { version: 2, changes: true, timeoutSeconds: 30, at, by: ADA },
};

const open = (address: string, handlers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/script/page': pagesOf(scriptColumns, [row]),
    'POST /api/script/detail': { body: script() },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session: sessionOf('admin') }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;

test('the list shows version and kind, and links to the page that runs the script', async () => {
  open('/app/script');
  const row = await screen.findByRole('row', { name: /Free space/ });
  expect(within(row).getByText('makes changes')).toBeVisible();
  expect(within(row).getByText('2')).toBeVisible();
  expect(within(row).getByRole('link', { name: 'Run Free space on servers' })).toHaveAttribute(
    'href',
    `/app/fleet?script=${ID}`,
  );
});

test('fetches one page of a long list at a time; the back end searches and sorts', async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ ...row, id: `${ID}${at}`, name: `Script ${at}` }));
  const { calls, router } = open('/app/script', { 'POST /api/script/page': pagesOf(scriptColumns, many) });
  expect(await screen.findByText('1–25 of 60')).toBeVisible();
  expect(screen.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
  expect(
    screen
      .getAllByRole('row')
      .slice(1, 4)
      .map((each) => each.textContent?.slice(0, 8)),
  ).toEqual(['Script 0', 'Script 1', 'Script 2']);
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(await screen.findByText('51–60 of 60')).toBeVisible();
  await userEvent.type(screen.getByRole('searchbox'), 'script 5');
  expect(await screen.findByText('11 found, 49 filtered out')).toBeVisible();
  expect(router.state.location.search).toBe('?q=script+5');
  const asked = calls.filter(({ path }) => path === '/api/script/page').map(({ body }) => body);
  expect(asked[0]).toEqual({ sort: 'name', size: 25 });
  expect(asked).toContainEqual({ sort: 'name', page: 3, size: 25 });
  expect(asked.at(-1)).toEqual({ search: 'script 5', sort: 'name', size: 25 });
  expect(calls.some(({ path }) => path === '/api/script/list')).toBe(false);
});

test('saves a script as typed, and shows a refusal under its field', async () => {
  const { calls, on } = open('/app/script/add', {
    'POST /api/script/insert': {
      status: 400,
      body: { msg: 'taken', data: { name: 'another script already has this name' } },
    },
  });
  await userEvent.type(await screen.findByLabelText('Name'), 'Uptime');
  await userEvent.type(screen.getByLabelText('Script'), 'uptime');
  await userEvent.click(screen.getByRole('button', { name: 'Save script' }));
  expect(await screen.findByText('another script already has this name')).toBeVisible();
  on('POST /api/script/insert', { body: { id: ID, uuid: ID } });
  await userEvent.click(screen.getByRole('button', { name: 'Save script' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Free space' })).toBeVisible();
  expect(bodyOf(calls, '/api/script/insert')).toEqual({
    name: 'Uptime',
    body: 'uptime',
    changes: true,
    timeoutSeconds: 60,
  });
});

test('shows the newest version line by line, and compares the two versions in the address', async () => {
  const { router } = open(`/app/script/${ID}/detail`);
  const text = await screen.findByRole('group', { name: 'Free space, version 2' });
  expect(
    within(text)
      .getAllByRole('listitem')
      .map((line) => line.textContent),
  ).toEqual(['df -h', 'df -i']);
  await userEvent.click(screen.getByRole('tab', { name: 'Versions (2)' }));
  const difference = await screen.findByRole('group', { name: 'From version 1 to version 2' });
  expect(within(difference).getByText('df -i')).toBeVisible();
  expect(screen.getByText('It is now marked as making changes.')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Version 1' }));
  expect(router.state.location.search).toBe('?from=1&to=1');
  expect(await screen.findByRole('group', { name: 'Free space, version 1' })).toBeVisible();
});

test('a script with one version shows its text, and nothing to compare it with', async () => {
  open(`/app/script/${ID}/detail/versions`, {
    'POST /api/script/detail': { body: script({ versions: script().versions.slice(0, 1) }) },
  });
  expect(await screen.findByRole('heading', { name: 'Version 1' })).toBeVisible();
  expect(screen.getByRole('group', { name: 'Free space, version 1' })).toBeVisible();
  expect(screen.queryByRole('combobox', { name: 'From' })).toBeNull();
});

test('an address of before, with its tab in the search, leads to the tab', async () => {
  const { router } = open(`/app/script/${ID}/detail?tab=versions&from=1&to=1`);
  expect(await screen.findByRole('group', { name: 'Free space, version 1' })).toBeVisible();
  const { pathname, search } = router.state.location;
  expect(`${pathname}${search}`).toBe(`/app/script/${ID}/detail/versions?from=1&to=1`);
});

test('a stale save shows both texts, and the next save is based on the other person’s revision', async () => {
  const theirs = script({ versions: [...script().versions, version(3, 'df -P\n', true)], revision: 2 });
  const { calls, on } = open(`/app/script/${ID}/detail?mode=edit`, {
    'POST /api/script/update': { status: 409, body: { msg: 'script was changed', current: theirs } },
  });
  const text = await screen.findByLabelText('Script');
  await userEvent.type(text, 'df -k');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const conflict = await screen.findByRole('alert', { name: 'Conflict' });
  expect(within(conflict).getByRole('group', { name: 'Script: from theirs to yours' })).toHaveTextContent(
    'df -k',
  );
  on('POST /api/script/update', { body: { id: ID, uuid: ID } });
  await userEvent.click(within(conflict).getByRole('button', { name: 'Save these choices' }));
  await waitFor(() => expect(calls.filter(({ path }) => path === '/api/script/update')).toHaveLength(2));
  expect(calls.findLast(({ path }) => path === '/api/script/update')?.body).toMatchObject({
    revision: 2,
    data: { body: 'df -h\ndf -i\ndf -k' },
  });
});

test('deleting a script asks for its name', async () => {
  const { calls } = open(`/app/script/${ID}/detail`, {
    'POST /api/script/delete': { body: { id: ID, uuid: ID } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete script' }));
  const question = await screen.findByRole('dialog', { name: 'Delete Free space?' });
  await userEvent.type(within(question).getByRole('textbox'), 'Free space');
  await userEvent.click(within(question).getByRole('button', { name: 'Delete script' }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Scripts' })).toBeVisible();
  expect(bodyOf(calls, '/api/script/delete')).toEqual({ id: ID, name: 'Free space' });
});
