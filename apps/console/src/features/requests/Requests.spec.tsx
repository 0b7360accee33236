// covers: REQ-01, REQ-02
import type { RequestAnswer } from '@quarterdeck/contract';
import { request, requestParam } from '@quarterdeck/events';
import { plainColumns } from '@quarterdeck/projections';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith, type Call } from '../../testing/network';
import { pagesOf } from '../../testing/pages';
import { press } from '../../testing/presses';
import { renderRoutes, sessionOf } from '../../testing/render';

const ID = '01930000-0000-7000-8000-000000000d02';
const RUN = '01930000-0000-7000-8000-000000000d03';
const at = '2026-11-20T12:00:00.000Z';
const by = sessionOf().profile.id;
const kept = {
  addedAt: at,
  addedBy: by,
  changedAt: at,
  changedBy: by,
  revision: 3,
  position: '5',
  workspace: 'main',
};
const orders = {
  id: ID,
  name: 'Orders',
  method: { id: 1, name: 'GET' },
  collection: { id: 'c', name: 'Order API' },
  product: { id: 'p', name: 'Shop' },
  host: 'https://api.example.test',
  url: '/orders',
  description: 'All of them',
  body: '',
  checks: 'status == 200',
  sequence: 1,
  ...kept,
};
const limit = {
  id: 'l',
  request: ID,
  name: 'limit',
  inOrOut: true,
  input: { name: 'limit', paramType: { id: 3, name: 'Params' } },
  output: null,
  value: '',
  isOptional: true,
  dataType: { id: 2, name: 'Number' },
  ...kept,
};
const answer: RequestAnswer = {
  by: 'console',
  run: RUN,
  request: ID,
  at,
  status: 200,
  statusText: 'OK',
  httpVersion: '1.1',
  headers: [['Content-Type', 'text/plain']],
  phases: { dns: 1, connect: 2, tls: 3, firstByte: 4, download: 5 },
  ms: 15,
  wireBytes: 5,
  hops: [{ method: 'GET', url: 'https://api.example.test/orders', status: 200, dropped: [] }],
  sent: { method: 'GET', url: 'https://api.example.test/orders?limit=2', headers: [] },
  inputs: 'limit=2',
  env: 1,
  checks: [{ expression: 'status == 200', is: 'passed' }],
  size: 5,
  sha256: 'a'.repeat(64),
  body: btoa('hello'),
};
const log = {
  id: RUN,
  uuid: RUN,
  logDateAdded: at,
  responseBody: 'hello',
  removed: false,
  inputs: 'limit=2',
  env: 1,
  status: 200,
  ms: 15,
  size: 5,
  sha256: answer.sha256,
  checks: { passed: 1, of: 1 },
  by: 'console',
};
const run = {
  id: RUN,
  uuid: RUN,
  workspace: 'main',
  kind: 'savedRequest',
  label: 'Send request',
  subject: { kind: 'request', id: ID, name: 'Orders' },
  subjectId: ID,
  serverId: '',
  input: {},
  state: 'succeeded',
  requestedBy: by,
  requestedAt: at,
  requestedPosition: '9',
  correlationId: RUN,
  parent: '',
  endedAt: at,
  steps: [],
  revision: 3,
  position: '12',
};

type Handlers = Parameters<typeof answerWith>[0];
const open = (address: string, handlers: Handlers = {}) => {
  const session = sessionOf('admin');
  const network = answerWith({
    'GET /api/session': { body: session },
    'POST /api/person/list': { body: [] },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/run/detail': { body: run },
    'POST /api/request/page': pagesOf(plainColumns(request), [orders]),
    'POST /api/request/detail': { body: orders },
    'POST /api/request/params/list': { body: [limit] },
    'POST /api/request/params/page': pagesOf(plainColumns(requestParam), [limit]),
    'POST /api/request/logs/list': { body: [log] },
    'POST /api/request/answer': { body: answer },
    'POST /api/request/execute': { body: { runId: RUN } },
    'POST /api/request/collection/list': { body: [] },
    ...handlers,
  });
  return { ...network, ...renderRoutes(routes, { at: address, session }) };
};
const bodyOf = (calls: readonly Call[], path: string): unknown =>
  calls.find((call) => call.path === path)?.body;
const headersOf = (table: HTMLElement): (string | null)[] =>
  within(table)
    .getAllByRole('columnheader')
    .map(({ textContent }) => textContent);

test('the list has the columns of the specification, and links the product', async () => {
  open('/app/request');
  const table = await screen.findByRole('table', { name: 'Requests' });
  expect(headersOf(table)).toEqual(['Name', 'Collection', 'Product', 'Method', 'Host']);
  expect(await within(table).findByRole('link', { name: 'Shop' })).toHaveAttribute(
    'href',
    '/app/product/p/detail',
  );
  expect(within(table).getByText('GET')).toBeVisible();
});

test('the page has the tables of parameters and logs, with their columns', async () => {
  open(`/app/request/${ID}/detail`);
  expect(headersOf(await screen.findByRole('table', { name: 'Parameters' }))).toEqual([
    'Direction',
    'Input',
    'Output',
    'Is Optional',
    'Data Type',
  ]);
  const logs = await screen.findByRole('table', { name: 'Logs' });
  expect(headersOf(logs).slice(0, 3)).toEqual(['Date', 'Response body', 'Inputs']);
  expect(within(logs).getByText('hello')).toBeVisible();
  expect(screen.getByText('All of them')).toBeVisible();
});

test('it is sent with what was typed, and its answer appears', async () => {
  const { calls } = open(`/app/request/${ID}/detail`);
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('limit (Params)'), '2');
  await press(() => screen.getByRole('button', { name: 'Send GET' }));
  const result = await screen.findByRole('region', { name: 'Result' });
  expect(await within(result).findByText('200 OK')).toBeVisible();
  expect(within(result).getByText('passed')).toBeVisible();
  expect(bodyOf(calls, '/api/request/execute')).toMatchObject({
    id: ID,
    env: { id: 1 },
    inputs: [{ name: 'limit', value: '2' }],
    follow: false,
  });
});

test('a refused input is named at its field', async () => {
  open(`/app/request/${ID}/detail`, {
    'POST /api/request/execute': {
      status: 400,
      body: { msg: 'a whole number is expected', data: { 'inputs.limit': 'a whole number is expected' } },
    },
  });
  await press(() => screen.getByRole('button', { name: 'Send GET' }));
  const field = await screen.findByLabelText('limit (Params)');
  await waitFor(() => expect(field).toHaveAccessibleDescription(/a whole number is expected/));
});

test('an unknown outcome is said as such', async () => {
  const reason = 'api.example.test closed the connection. Whether it carried out the POST is not known';
  open(`/app/request/${ID}/detail`, {
    'POST /api/run/detail': { body: { ...run, state: 'interrupted', reason } },
  });
  await press(() => screen.getByRole('button', { name: 'Send GET' }));
  const result = await screen.findByRole('region', { name: 'Result' });
  expect(await within(result).findByText(reason)).toBeVisible();
});

test('an answer is shown with headers, phases and a body in several forms', async () => {
  open(`/app/request/${ID}/answer/${RUN}`);
  expect(await screen.findByLabelText('Body as text')).toHaveTextContent('hello');
  expect(screen.getByText('First byte')).toBeVisible();
  expect(screen.getByText('Content-Type')).toBeVisible();
  expect(screen.getByText('None of its own.')).toBeVisible();
  expect(screen.getByText(/^Host, User-Agent, Accept and Accept-Encoding are added/)).toBeVisible();
  await userEvent.click(screen.getByText('Hex'));
  expect(await screen.findByLabelText('Body as hex')).toHaveTextContent('68 65 6c 6c 6f');
});

test('checks are asked of the past', async () => {
  const { calls } = open(`/app/request/${ID}/detail/past`, {
    'POST /api/request/past': {
      body: {
        answers: [{ run: RUN, at, status: 500, checks: [{ expression: 'status == 200', is: 'failed' }] }],
        removed: 1,
        isCut: false,
      },
    },
  });
  await press(() => screen.getByRole('button', { name: 'Check the past' }));
  expect(await screen.findByText('1 of 1 answer would not have passed.', { exact: false })).toBeVisible();
  expect(bodyOf(calls, '/api/request/past')).toEqual({ id: ID, checks: 'status == 200', days: 7 });
});

test('a curl command is previewed before it is imported', async () => {
  const found = {
    requests: [
      {
        name: 'GET /a',
        method: 'GET',
        host: 'https://a.example',
        url: '/a',
        description: '',
        body: '',
        params: [],
      },
    ],
    notes: ['Cookie is taken from the secret cookie'],
  };
  const { calls } = open('/app/request/import', {
    'POST /api/request/import/preview': { body: found },
    'POST /api/request/collection/list': { body: [{ id: 'c', name: 'Order API', ...kept }] },
    'POST /api/request/import': { body: { ids: [ID] } },
  });
  await userEvent.type(await screen.findByLabelText('Command'), 'curl https://a.example/a');
  await press(() => screen.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText('Cookie is taken from the secret cookie')).toBeVisible();
  await userEvent.selectOptions(await screen.findByLabelText('Collection'), 'Order API');
  await press(() => screen.getByRole('button', { name: 'Import 1 request' }));
  expect(await screen.findByRole('table', { name: 'Requests' })).toBeVisible();
  expect(bodyOf(calls, '/api/request/import')).toEqual({
    requests: found.requests,
    collection: { id: 'c' },
  });
});
