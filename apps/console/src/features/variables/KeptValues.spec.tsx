// covers: ENV-01
import { SECRET_MASK } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { Variables } from '.';

const at = '2026-11-20T12:00:00.000Z';
const SERVICE = 's-1';
const variable = (key: string) => ({
  id: `v-${key}`,
  uuid: `v-${key}`,
  key,
  value: SECRET_MASK,
  secret: true,
  fingerprint: 'abc',
  env: { id: 1 },
  service: { id: SERVICE },
  changedAt: at,
  changedBy: 'x',
  revision: 1,
});
const release = (version: string, serves = false) => ({ id: `r-${version}`, version, date: at, serves });

const open = (kept: object[]) => {
  const network = answerWith({
    'POST /api/env-var/list': { body: [variable('STRIPE_KEY')] },
    'POST /api/person/list': { body: [] },
    'POST /api/deploy/release/running': { body: [] },
    'POST /api/deploy/release/value/list': { body: kept },
    'POST /api/env-var/delete': { body: { id: 'v', uuid: 'v' } },
    'POST /api/deploy/release/value/destroy': { body: { id: SERVICE, uuid: SERVICE, count: 2 } },
  });
  const base = '/service/s-1/detail/env-var';
  renderPage(<Variables base={base} service={{ id: SERVICE, name: 'Orders' }} />, {
    at: '/',
    session: sessionOf('admin'),
  });
  const sent = (path: string) => network.calls.filter((one) => one.path === path).map(({ body }) => body);
  return { sent };
};
const kept = [
  { key: 'STRIPE_KEY', env: { id: 1 }, releases: [release('1.2', true), release('1.1')] },
  { key: 'OLD_KEY', env: { id: 1 }, releases: [release('1.1')] },
  { key: 'OTHER', env: { id: 3 }, releases: [release('1.0')] },
];
const DESTROY = '/api/deploy/release/value/destroy';

test('deleting a secret names the deploys that keep its value, and destroys their copies if wanted', async () => {
  const { sent } = open(kept);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete STRIPE_KEY' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete STRIPE_KEY?' }));
  expect(dialog.getByText(/2 deploys keep a copy for a rollback: 1\.2 \(serves\) and 1\.1/)).toBeVisible();
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Destroy these copies too' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete variable' }));
  const asked = { service: { id: SERVICE }, env: 1, key: 'STRIPE_KEY' };
  await waitFor(() => expect(sent(DESTROY)).toEqual([asked]));
  expect(sent('/api/env-var/delete')).toEqual([{ id: 'v-STRIPE_KEY' }]);
});

test('without copies, the question is only about the variable', async () => {
  const { sent } = open([]);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete STRIPE_KEY' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete STRIPE_KEY?' }));
  expect(dialog.getByText(/^Are you sure you want to delete that entry\?/)).toBeVisible();
  expect(dialog.getByText(/Its value is destroyed: an undo asks you to type it again/)).toBeVisible();
  expect(dialog.queryByRole('checkbox')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete variable' }));
  await waitFor(() => expect(sent('/api/env-var/delete')).toHaveLength(1));
  expect(sent(DESTROY)).toEqual([]);
});

test('the page lists what deploys keep, also of deleted variables, and destroys it after a question', async () => {
  const { sent } = open(kept);
  const section = within(await screen.findByRole('region', { name: 'Kept by deploys' }));
  expect(section.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    expect.stringMatching(/^STRIPE_KEY1\.2 \(serves\) and 1\.1/),
    expect.stringMatching(/^OLD_KEY \(deleted\)1\.1/),
  ]);
  await userEvent.click(section.getByRole('button', { name: 'Destroy the kept values of OLD_KEY' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Destroy the kept values of OLD_KEY?' }));
  expect(dialog.getByText(/backups that were taken before/i)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Destroy the values' }));
  await waitFor(() => expect(sent(DESTROY)).toEqual([{ service: { id: SERVICE }, env: 1, key: 'OLD_KEY' }]));
});
