// covers: DOM-07
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { domainOf } from '../../testing/domain';
import { answerWith, type Call, type Reply } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';
import './DomainPage';
import './site/SiteTab';

const ID = '01930000-0000-7000-8000-000000000e03';
const SEEN = 'c'.repeat(64);
const options = { docker: false, ssl: false, gzip: false };
const config = (day: number, text: string) => ({
  position: String(day),
  at: `2026-11-${day}T12:00:00.000Z`,
  by: sessionOf().profile.id,
  run: `01930000-0000-7000-8000-0000000000${day}`,
  sha256: String(day).repeat(32),
  file: '/etc/nginx/shop.conf',
  options,
  text,
});
const live = config(20, 'live');
const applied = { config: live, configs: [live, config(16, 'monday'), config(13, 'friday')] };

const open = (handlers: Parameters<typeof answerWith>[0] = {}, more: object = applied) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/workspace/detail': { body: { revision: 1, sslMonitor: { expiringDays: 30 } } },
    'POST /api/domain/detail': { body: domainOf(ID, more), position: '5' },
    'POST /api/nginx/generate': {
      body: { nginxStatement: 'new', sha256: SEEN, applied: 'live', same: false, problems: {} },
    },
    ...handlers,
  });
  const at = `/app/domain/${ID}/edit?tab=config`;
  return { ...network, ...renderRoutes(routes, { at, session: sessionOf('admin') }) };
};
const card = async (name: string) => within(await screen.findByRole('region', { name }));
const away: Reply = { status: 503, body: { msg: 'not just now' } };

test('offers to restore an earlier version only when its text is shown', async () => {
  const textOf = ({ body }: Call): Reply =>
    (body as { sha256: string }).sha256 === config(16, '').sha256 ? { body: { text: 'monday' } } : away;
  open({ 'POST /api/nginx/applied': textOf });
  const earlier = await card('Previous versions');
  const [monday, friday] = await earlier.findAllByRole('button', { name: /Nov 2026/ });
  await userEvent.click(monday!);
  expect(await earlier.findByRole('button', { name: 'Restore' })).toBeVisible();
  await userEvent.click(friday!);
  expect(await earlier.findByText(/not just now/)).toBeVisible();
  expect(earlier.queryByRole('button', { name: 'Restore' })).not.toBeInTheDocument();
});

test('if the file is missing on the server, writes it again and expects no file there', async () => {
  const drift = { at: '2026-11-21T12:00:00.000Z' };
  const started = { body: { runId: '01930000-0000-7000-8000-0000000000aa' } };
  const handlers = {
    'POST /api/nginx/exec': started,
    'POST /api/nginx/restore': started,
    'POST /api/nginx/applied': { body: { text: 'monday' } },
  };
  const { calls } = open(handlers, { ...applied, drift });
  const sent = (path: string) => calls.find((call) => call.path === path)?.body;
  const found = await card('On the server');
  await userEvent.click(await found.findByRole('button', { name: 'Write again' }));
  const question = within(await screen.findByRole('dialog', { name: /Write the configuration/ }));
  await userEvent.click(question.getByRole('button', { name: 'Write again' }));
  await waitFor(() => expect(sent('/api/nginx/exec')).toMatchObject({ seen: SEEN, overwrite: '-' }));

  const earlier = await card('Previous versions');
  const [monday] = await earlier.findAllByRole('button', { name: /Nov 2026/ });
  await userEvent.click(monday!);
  const back = await earlier.findByRole('button', { name: 'Restore' });
  await waitFor(() => expect(back).toBeEnabled());
  await userEvent.click(back);
  const second = within(await screen.findByRole('dialog', { name: /Restore the configuration/ }));
  await userEvent.click(second.getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(sent('/api/nginx/restore')).toMatchObject({ overwrite: '-' }));
});

test('applies only the configuration that was shown, and none while generating it fails', async () => {
  const generated = { nginxStatement: 'new', sha256: SEEN, applied: 'live', same: false, problems: {} };
  const forOptions = ({ body }: Call): Reply =>
    (body as { options: { gzip: boolean } }).options.gzip ? away : { body: generated };
  const { calls } = open({
    'POST /api/nginx/generate': forOptions,
    'POST /api/nginx/exec': { status: 409, body: { msg: 'look at it again' } },
  });
  const site = await card('Generated configuration');
  const apply = await site.findByRole('button', { name: 'Apply' });
  await waitFor(() => expect(apply).toBeEnabled());
  await userEvent.click(apply);
  const question = within(await screen.findByRole('dialog', { name: /Apply the configuration/ }));
  await userEvent.click(question.getByRole('button', { name: 'Apply' }));
  expect(await screen.findByText(/look at it again/)).toBeVisible();
  expect(calls.find(({ path }) => path === '/api/nginx/exec')?.body).toMatchObject({ seen: SEEN });

  await userEvent.click(site.getByRole('checkbox', { name: /gzip/ }));
  expect(await site.findByText(/not just now/)).toBeVisible();
  expect(apply).toBeDisabled();
  expect(apply).toHaveAttribute('title', expect.stringContaining('could not be generated'));
  expect(site.queryByText('Live')).not.toBeInTheDocument();
});

test('a preset selects its options, and one with SSL issues a missing certificate first', async () => {
  const started = { body: { runId: '01930000-0000-7000-8000-0000000000aa' } };
  const { calls } = open({ 'POST /api/nginx/exec': started, 'POST /api/nginx/certbot': started });
  const site = await card('Generated configuration');
  const sent = (path: string) => calls.find((call) => call.path === path)?.body;
  const answerYes = async (button: string, confirm: string): Promise<void> => {
    await press(() => site.getByRole('button', { name: button }));
    await press(() => within(screen.getByRole('dialog')).getByRole('button', { name: confirm }));
  };
  const docker = await site.findByRole('button', { name: 'Docker apply' });
  expect(docker).toHaveAttribute('aria-pressed', 'false');
  await userEvent.click(docker);
  expect(docker).toHaveAttribute('aria-pressed', 'true');
  await answerYes('Apply', 'Apply');
  await waitFor(() =>
    expect(sent('/api/nginx/exec')).toMatchObject({ options: { docker: true, ssl: false, gzip: false } }),
  );

  await userEvent.click(site.getByRole('button', { name: 'New domain' }));
  expect(site.getByRole('checkbox', { name: /SSL/ })).toBeChecked();
  await answerYes('Issue certificate and apply', 'Issue and apply');
  const secure = { docker: false, ssl: true, gzip: false };
  await waitFor(() => expect(sent('/api/nginx/certbot')).toMatchObject({ options: secure, seen: SEEN }));
});

test('does not overwrite the file if the new text could not be generated', async () => {
  const found = { sha256: 'f'.repeat(64), text: 'by hand' };
  open({ 'POST /api/nginx/generate': away }, { ...applied, drift: { at: live.at, found } });
  const server = await card('On the server');
  expect(await server.findByRole('button', { name: 'Overwrite' })).toBeDisabled();
  await userEvent.click(server.getByRole('radio', { name: 'Applied → generated' }));
  expect(await server.findByText(/not just now/)).toBeVisible();
  expect(server.queryByText('Generated')).not.toBeInTheDocument();
});
