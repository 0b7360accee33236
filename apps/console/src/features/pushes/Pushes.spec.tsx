// covers: OPS-06
import type { PushDelivery } from '@quarterdeck/contract';
import type { PushView } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith } from '../../testing/network';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';

const [PRODUCT, SERVICE] = ['01930000-0000-7000-8000-000000000a01', '01930000-0000-7000-8000-000000000a02'];
const at = '2026-11-20T12:00:00.000Z';
const kept = { addedAt: at, addedBy: 'x', changedAt: at, changedBy: 'x', revision: 1, position: '5' };
const product = { id: PRODUCT, workspace: 'main', name: 'Shop', description: '', ...kept };
const service = {
  id: SERVICE,
  workspace: 'main',
  product: PRODUCT,
  name: 'Orders',
  nameFront: '',
  ...kept,
  organization: 'acme',
  repo: 'orders',
  repoFront: '',
  server: { id: 's', name: 'web-1' },
  port: 3000,
  packageType: 'container',
  packageSubfolder: '',
};
const rule = {
  id: 'r1',
  workspace: 'main',
  service: SERVICE,
  ...kept,
  name: 'Versions to prod',
  isOn: true,
  starts: 'package',
  compares: 'tag',
  pattern: 'v*',
  preReleases: false,
  env: 3,
  approval: 'admin',
};
const push = (version: string, more: Partial<PushView>): PushView => ({
  id: `push-${version}`,
  workspace: 'main',
  service: { id: SERVICE, name: 'Orders' },
  product: PRODUCT,
  rule: { id: 'r1', name: 'Versions to prod' },
  env: { id: 3 },
  starts: 'package',
  version,
  branch: 'main',
  image: `ghcr.io/acme/orders:${version}`,
  digest: '',
  by: 'octocat',
  delivery: 'd1',
  approval: 'admin',
  state: 'waiting',
  at,
  revision: 1,
  position: '9',
  ...more,
});
const delivery = (tag: string, more: Partial<PushDelivery> = {}): PushDelivery => ({
  id: `delivery-${tag}`,
  delivery: `guid-${tag}`,
  at,
  event: 'package published',
  repeats: 0,
  version: { starts: 'package', tag, branch: 'main', preRelease: false },
  is: 'unmatched',
  says: 'No rule deploys it.',
  pushes: [],
  ...more,
});

const open = (tab: string, answers: Parameters<typeof answerWith>[0] = {}) => {
  const network = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/product/detail': { body: product },
    'POST /api/service/detail': { body: service },
    'POST /api/deploy-rule/list': { body: [rule] },
    'POST /api/push/list': {
      body: [
        push('v1.4.0', {}),
        push('v1.3.0', { state: 'refused', decided: { at, by: 'x', note: 'Not on a Friday' } }),
        push('v1.2.0', { state: 'deployed', release: 'run-1' }),
        push('v1.1.0', { state: 'waiting', approval: 'superadmin' }),
      ],
    },
    'POST /api/push/delivery/list': {
      body: {
        deliveries: [
          delivery('v1.4.0', { is: 'matched', says: 'Versions to prod.', repeats: 2 }),
          delivery('main'),
        ],
        refused: { count: 12, since: at, at, says: 'the signature is not that of this body' },
      },
    },
    'POST /api/push/token/list': { body: [] },
    'POST /api/push/token/issue': { body: { id: 't', secret: 'qd_sign_shown_once' } },
    'POST /api/push/approve': { body: { id: 'push-v1.4.0', uuid: 'push-v1.4.0' } },
    'POST /api/deploy/release/page': { body: { rows: [], total: 0, page: 1, size: 50, filters: {} } },
    'POST /api/deploy/release/running': { body: [] },
    ...answers,
  });
  const user = userEvent.setup();
  const address = `/app/product/${PRODUCT}/detail/service/${SERVICE}/detail/${tab}`;
  return { user, ...network, ...renderRoutes(routes, { at: address, session: sessionOf('admin') }) };
};

it('shows rules, versions with their decisions, and what became of deliveries', async () => {
  open('push');
  const rules = await screen.findByRole('table', { name: 'Rules' });
  expect(rules).toHaveTextContent('a published package whose tag is like v*, without pre-releases');
  const versions = await screen.findByRole('table', { name: 'Pushed versions' });
  expect(versions).toHaveTextContent('refused by');
  expect(versions).toHaveTextContent('Not on a Friday');
  expect(within(versions).getByRole('link', { name: 'v1.2.0' })).toHaveAttribute(
    'href',
    `/app/product/${PRODUCT}/detail/service/${SERVICE}/detail/deploy/run-1`,
  );
  expect(versions).toHaveTextContent('for somebody with the role superadmin');
  const deliveries = await screen.findByRole('table', { name: 'Deliveries' });
  expect(deliveries).toHaveTextContent('It came again 2 times, and nothing more was deployed.');
  expect(screen.getByText(/12 calls refused since/)).toHaveTextContent(
    'the signature is not that of this body.',
  );
});

it('approves a version with a note, also above the deploys, and says if somebody was faster', async () => {
  const approved: unknown[] = [];
  const { user } = open('deploy', {
    'POST /api/push/approve': ({ body }) => {
      approved.push(body);
      return { status: 409, body: { msg: 'v1.4.0 was approved already' } };
    },
  });
  const waiting = await screen.findByRole('list', { name: 'Versions that wait for approval' });
  expect(within(waiting).getAllByRole('listitem')).toHaveLength(2);
  await press(() => within(waiting).getByRole('button', { name: 'Approve v1.4.0' }));
  const question = await screen.findByRole('dialog', { name: 'Deploy Orders v1.4.0 to prod?' });
  await user.type(within(question).getByLabelText('Note'), 'Tested');
  await press(() => within(question).getByRole('button', { name: 'Approve and deploy' }));
  await waitFor(() => expect(approved).toEqual([{ id: 'push-v1.4.0', note: 'Tested' }]));
  expect(await screen.findByText('v1.4.0 was approved already')).toBeVisible();
});

it('shows a new secret once', async () => {
  open('push');
  await press(() => screen.getByRole('button', { name: 'Issue secret' }));
  expect(await screen.findByText(/A webhook secret: copy it now/)).toBeVisible();
  expect(screen.getByText('qd_sign_shown_once')).toBeVisible();
  expect(screen.getByText(`${location.origin}/api/public/push/receive?service=${SERVICE}`)).toBeVisible();
});

it('tries a rule on what has come before', async () => {
  const { user } = open('push/add');
  await user.type(await screen.findByLabelText(/^Name/), 'Versions');
  await user.type(screen.getByLabelText(/^With/), 'v*');
  await press(() => screen.getByRole('button', { name: 'Try on past deliveries' }));
  const trial = screen.getByRole('region', { name: 'Trial' });
  await waitFor(() => expect(trial).toHaveTextContent('It would have deployed 1 of 2 versions.'));
  expect(trial).toHaveTextContent('v1.4.0 would have been deployed after approval.');
  expect(trial).toHaveTextContent(
    'main would not have been deployed: it wants a tag like v*, and this is main.',
  );
});
