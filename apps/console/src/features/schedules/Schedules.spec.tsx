// covers: OPS-05
import { fireEvent, screen, within } from '@testing-library/react';
import { schedule } from '@quarterdeck/events';
import { plainPath } from '../../core/paths';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';
import Schedules from '.';

const ID = '01930000-0000-7000-8000-000000000001';
const SERVER = '01930000-0000-7000-8000-000000000002';
const at = '2026-12-01T06:00:00.000Z';
const nightly = {
  id: ID,
  name: 'Nightly',
  isOn: true,
  does: 'command',
  server: { id: SERVER, name: 'web-1' },
  script: null,
  arguments: '',
  command: { name: 'Docker prune' },
  request: null,
  sending: null,
  times: '30 2 * * *',
  zone: 'Europe/Berlin',
  missed: 'catch up',
  overlap: 'skip',
  addedAt: at,
  addedBy: ID,
  changedAt: at,
  changedBy: ID,
  revision: 0,
  position: '1',
};
const rows = { rows: [nightly], total: 1, matching: 1, options: {} };

const open = (path: string, state: object, handlers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'POST /api/schedule/page': { body: rows },
    'POST /api/schedule/detail': { body: nightly },
    'POST /api/schedule/states': { body: [{ id: ID, words: 'every day at 02:30', ...state }] },
    'POST /api/schedule/explain': ({ body }) =>
      (body as { times: string }).times === '30 2 * * *'
        ? { body: { words: 'every day at 02:30', next: ['2027-03-28T01:30:00.000Z'] } }
        : {
            status: 400,
            body: { msg: 'wrong', data: { times: 'the hour "26" at character 3: a number is expected' } },
          },
    'POST /api/schedule/firings': { body: [] },
    'POST /api/schedule/start': { status: 409, body: { msg: 'the last run of Nightly is still going' } },
    ...handlers,
  });
  const session = sessionOf('admin');
  renderRoutes([{ path: '/app/schedule/*', element: <Schedules /> }], { at: path, session });
  return network;
};

test('the list says what each does, when in words, and what came of it', async () => {
  const last = { id: SERVER, at, is: 'skipped', source: at, reason: 'its run was still going' };
  open(plainPath(schedule), { is: 'failing', last });
  const row = within(await screen.findByRole('row', { name: /Nightly/ }));
  expect(await row.findByText('needs attention')).toBeVisible();
  expect(row.getByText('Docker prune on web-1')).toBeVisible();
  expect(row.getByText(/every day at 02:30/)).toBeVisible();
  expect(row.getByText('left out')).toBeVisible();
});

test('the form explains what is typed, and says what is wrong with it', async () => {
  open(`${plainPath(schedule)}/add`, {});
  const times = await screen.findByLabelText(/^Times$/);
  const next = within(screen.getByRole('region', { name: 'Next times' }));
  expect(next.queryByRole('listitem')).toBeNull();
  fireEvent.change(times, { target: { value: '30 26 * * *' } });
  expect(await next.findByText(/the hour "26" at character 3/)).toBeVisible();
  fireEvent.change(times, { target: { value: '30 2 * * *' } });
  fireEvent.change(screen.getByLabelText(/^Time zone/), { target: { value: 'Europe/Berlin' } });
  expect(await next.findByText('every day at 02:30')).toBeVisible();
  // 02:30 is left out on that day in Berlin.
  expect(next.getByRole('listitem')).toHaveTextContent('Sun, 28 Mar 2027, 03:30');
});

test('it asks for what fits what it does', async () => {
  open(`${plainPath(schedule)}/add`, {});
  const does = await screen.findByLabelText('What it does');
  fireEvent.change(does, { target: { value: 'request' } });
  expect(screen.getByLabelText(/^Saved request/)).toBeVisible();
  expect(screen.queryByLabelText(/^Server/)).toBeNull();
  fireEvent.change(does, { target: { value: 'command' } });
  expect(screen.getByLabelText(/^Server/)).toBeVisible();
  expect(screen.queryByLabelText(/^Script/)).toBeNull();
});

test('the page says why it cannot run, and why it was not started by hand', async () => {
  open(plainPath(schedule, ID), { is: 'broken', reason: 'its server was removed' });
  expect(await screen.findByText('It cannot run: its server was removed.')).toBeVisible();
  await press(() => screen.getByRole('button', { name: 'Run now' }));
  expect(await screen.findByText(/the last run of Nightly is still going/)).toBeVisible();
});
