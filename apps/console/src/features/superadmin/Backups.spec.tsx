// covers: BAK-01
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ArchiveView, BackupsView } from '@quarterdeck/projections';
import { routes } from '../../app/router';
import { backupsView } from '../../testing/backups';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { renderRoutes, sessionOf } from '../../testing/render';
import { planInWords, progressInWords } from './backup-words';

const HOUR_MS = 60 * 60_000;
const now = new Date('2026-11-23T12:00:00.000Z');
const hoursAgo = (hours: number): string => new Date(now.getTime() - hours * HOUR_MS).toISOString();

const archive = (id: string, base: string | null, takenAt: string): ArchiveView => ({
  id,
  base,
  takenAt,
  place: '/mnt/backups',
  name: `${id}.backup`,
  bytes: 1_500_000,
  after: '0',
  end: '4711',
  events: 4711,
  masterKey: '0123456789abcdef',
  durationMs: 100,
  missing: false,
});
const full = archive('full', null, hoursAgo(30));
const increment = archive('increment', 'full', hoursAgo(6));
const view: BackupsView = { ...backupsView, archives: [increment, full] };

const open = (body: BackupsView, handlers: Record<string, Reply> = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin', 'superadmin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/alert/list': { body: [] },
    'POST /api/person/list': { body: [] },
    'POST /api/backup/overview': { body },
    ...handlers,
  });
  const session = sessionOf('admin', 'superadmin');
  return { ...network, ...renderRoutes(routes, { at: '/superadmin?tab=backups', session }) };
};
const bodiesOf = (calls: readonly Call[], path: string) =>
  calls.filter((call) => call.path === path).map(({ body }) => body);

test('progress names the current part and the size so far', () => {
  const current = {
    work: 'w',
    kind: 'backup',
    why: 'operator',
    full: false,
    attempts: 2,
    cancelRequested: false,
  } as const;
  expect(progressInWords({ current })).toBe('Requested. It begins within seconds.');
  const progress = { part: 'output', bytes: 12_300_000 };
  expect(progressInWords({ current: { ...current, progress } })).toBe(
    'Attempt 2: output of runs, 12.3 MB so far',
  );
  const drilling = { ...current, kind: 'drill', progress: { part: 'audit', bytes: 0 } } as const;
  expect(progressInWords({ current: drilling })).toBe('Attempt 2: verifying the event log');
  expect(planInWords({ plan: { ...view.plan, schedule: null } })).toMatch(/^Only on demand\. Kept: /);
});

const proven = {
  at: hoursAgo(6),
  archives: 2,
  takenAt: hoursAgo(30),
  end: '4711',
  events: 4711,
  rows: 1234,
  viewRows: 1,
  durationMs: 4_200,
};

test('requests a drill, and shows what the last drill proved or why it failed', async () => {
  const work = '0193f0a0-0000-7000-8000-0000000000dd';
  const drillFailed = { at: hoursAgo(1), reason: 'part output of the archive is altered' };
  const { calls } = open(
    { ...view, proven, drillFailed, archives: [{ ...increment, provenAt: proven.at }, full] },
    { 'POST /api/backup/drill': { body: { work } } },
  );
  expect(await screen.findByText('Last drill failed')).toBeVisible();
  expect(screen.getByText(/part output of the archive is altered/)).toBeVisible();
  expect(
    screen.getByText(
      /2 archives up to position 4,711: 4,711 events, 1,234 table rows, 1 read model row in 4.2 s/,
    ),
  ).toBeVisible();
  expect(within(screen.getByRole('table', { name: 'Archives' })).getByText('not yet')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Drill now' }));
  await waitFor(() => expect(bodiesOf(calls, '/api/backup/drill')).toEqual([{}]));
});

test('a drill cannot be requested before there is an archive', async () => {
  open(backupsView);
  expect(await screen.findByText('Not yet proven')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Drill now' })).toBeDisabled();
});

test('the page shows the archives and the commands for a restore', async () => {
  open(view);
  expect(await screen.findByRole('heading', { name: 'Restore' })).toBeVisible();
  expect(screen.getByText(/lost together with the console/)).toBeVisible();
  expect(screen.getByText('npm run restore -- /mnt/backups/increment.backup')).toBeVisible();
  expect(screen.getByText(/these 2 archives in one folder/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Download the newest' })).toHaveAttribute(
    'href',
    '/api/backup/download?archive=increment',
  );
  expect(screen.getByText(/“Download the newest” gives all 2 in one tar file/)).toBeVisible();
  expect(within(screen.getByRole('table', { name: 'Archives' })).getByText('full')).toBeVisible();
});

test('shows a backup in progress, and cancels it', async () => {
  const work = '0193f0a0-0000-7000-8000-0000000000cc';
  const begun = { kind: 'backup', why: 'operator', full: true } as const;
  const current = { ...begun, work, attempts: 1, cancelRequested: false };
  const progress = { part: 'log', bytes: 2_000_000 };
  const { calls } = open(
    { ...view, current: { ...current, progress } },
    {
      'POST /api/backup/cancel': { body: { work } },
    },
  );
  const panel = await screen.findByRole('status', { name: 'Backup under way' });
  expect(panel).toHaveTextContent('the event log, 2 MB so far');
  expect(screen.getByRole('button', { name: 'Back up now' })).toBeDisabled();
  await userEvent.click(within(panel).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(bodiesOf(calls, '/api/backup/cancel')).toEqual([{ work }]));
});

test('a backup can be requested during a drill, waits for its end, and can be cancelled', async () => {
  const work = '0193f0a0-0000-7000-8000-0000000000dd';
  const drill = { kind: 'drill', why: 'schedule', full: false, attempts: 1, cancelRequested: false } as const;
  const current = { ...drill, work: '0193f0a0-0000-7000-8000-0000000000cc' };
  const { calls } = open({ ...view, current }, { 'POST /api/backup/take': { body: { work } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Back up now' }));
  await waitFor(() => expect(bodiesOf(calls, '/api/backup/take')).toEqual([{}]));
  cleanup();
  const waiting = { work, why: 'operator', full: true } as const;
  const then = open({ ...view, current, waiting }, { 'POST /api/backup/cancel': { body: { work } } });
  const panel = await screen.findByRole('status', { name: 'Backup waiting' });
  expect(panel).toHaveTextContent('It begins when the drill has ended.');
  expect(screen.getByRole('button', { name: 'Back up now' })).toBeDisabled();
  await userEvent.click(within(panel).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(bodiesOf(then.calls, '/api/backup/cancel')).toEqual([{ work }]));
});

test('the page says why a request was refused', async () => {
  open(view, { 'POST /api/backup/take': { status: 409, body: { msg: 'a backup is already under way' } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Full backup now' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('a backup is already under way');
});

test('changes the target to a bucket, and shows error messages under their fields', async () => {
  const works = (does: string) => ({ does, ok: true, says: '' });
  const says = 's3.example.org refused s3:GetObject with 403: AccessDenied';
  const { calls } = open(view, {
    'POST /api/backup/configure': { body: {} },
    'POST /api/backup/try': { body: [works('list'), works('write'), { does: 'read', ok: false, says }] },
  });
  const plan = within(await screen.findByRole('radiogroup', { name: 'Mode of Plan' }));
  await userEvent.click(plan.getByRole('radio', { name: 'Edit' }));
  const form = within(await screen.findByRole('form', { name: 'Plan of the backups' }));
  await userEvent.selectOptions(form.getByLabelText(/^Target/), 's3');
  await userEvent.type(form.getByLabelText(/^Endpoint/), 'https://s3.example.org');
  await userEvent.type(form.getByLabelText(/^Region/), 'eu-1');
  await userEvent.type(form.getByLabelText(/^Bucket(?! in)/), 'no bucket');
  await userEvent.type(form.getByLabelText(/^Access key ID/), 'AKIA');
  await userEvent.type(form.getByLabelText(/^Secret access key/), 'secret');
  await userEvent.type(form.getByLabelText(/^Session token/), 'token');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  expect(await form.findByText('letters, digits, dots and dashes are expected')).toBeVisible();
  await userEvent.clear(form.getByLabelText(/^Bucket(?! in)/));
  await userEvent.type(form.getByLabelText(/^Bucket(?! in)/), 'backups');
  await userEvent.click(form.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(bodiesOf(calls, '/api/backup/configure')).toEqual([
      {
        target: {
          kind: 's3',
          endpoint: 'https://s3.example.org',
          region: 'eu-1',
          bucket: 'backups',
          pathStyle: false,
          accessKeyId: 'AKIA',
          secretAccessKey: 'secret',
          sessionToken: 'token',
        },
        schedule: { at: '02:30' },
        keep: { days: 7, weeks: 4, months: 12 },
        recipients: [],
      },
    ]),
  );
  const tested = await screen.findByRole('status', { name: 'Test of the target' });
  await waitFor(() => expect(tested).toHaveTextContent(`Read: failed ${says}`));
  expect(tested).toHaveTextContent('List: works');
});

test('what could not be removed is told with its reason, and what a drill found with what to do', async () => {
  const reason = 'refused with 403: AccessDenied';
  const notRemoved = [{ place: '/mnt/backups', names: ['a.backup', 'b.backup'], reason }];
  const drillFailed = { at: hoursAgo(1), reason: 'part log is altered', damaged: true } as const;
  open({ ...view, notRemoved, drillFailed, fullWanted: true });
  expect(
    await screen.findByText('2 archives that the plan no longer keeps could not be removed'),
  ).toBeVisible();
  expect(
    screen.getByText(/refused with 403: AccessDenied.*In \/mnt\/backups: a\.backup, b\.backup\./),
  ).toBeVisible();
  expect(screen.getByText(/The next backup is a full one/)).toBeVisible();
});

test('after a restore the page lists the paused work, and resumes it after a confirmation', async () => {
  const restored = { takenAt: hoursAgo(6), position: '4711', sessions: 3, links: 1, runs: 2 };
  const { calls } = open({ ...view, restored }, { 'POST /api/backup/release': { body: {} } });
  const notice = await screen.findByRole('region', { name: 'Restored console' });
  expect(notice).toHaveTextContent('up to position 4711');
  expect(notice).toHaveTextContent('3 sessions and 1 link. 2 runs were interrupted');
  expect(notice).toHaveTextContent('health checks, DNS watch, SSL schedule, backups, alerts');
  await userEvent.click(within(notice).getByRole('button', { name: 'Resume scheduled work' }));
  const question = await screen.findByRole('dialog', { name: 'Resume scheduled work?' });
  await userEvent.click(within(question).getByRole('button', { name: 'Resume' }));
  await waitFor(() => expect(bodiesOf(calls, '/api/backup/release')).toEqual([{}]));
});
