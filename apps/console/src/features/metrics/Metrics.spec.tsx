/** covers: OPS-04 */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ServiceMetrics as Metrics } from '@quarterdeck/projections';
import { healthTold } from '../../records/health';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { ServiceMetrics } from '.';

const SERVICE = '01930000-0000-7000-8000-000000000001';
const SERVER = '01930000-0000-7000-8000-000000000002';
const MIB = 2 ** 20;
const iso = (minute: number): string => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`;
const flat = (value: number) => ({ min: value, avg: value, max: value });

const metrics: Metrics = {
  id: SERVICE,
  server: { id: SERVER, alias: 'web-1' },
  from: '2026-11-20T11:30:00.000Z',
  to: '2026-11-20T12:30:00.000Z',
  gapSeconds: 150,
  points: [
    { at: iso(0), samples: 1, memory: flat(64 * MIB), limit: 256 * MIB, restarts: 0 },
    {
      at: iso(1),
      samples: 2,
      cpu: { min: 0.2, avg: 0.5, max: 1.5 },
      memory: flat(128 * MIB),
      limit: 256 * MIB,
      received: flat(1500),
      sent: flat(20),
      restarts: 0,
    },
    { at: iso(9), samples: 1, memory: flat(32 * MIB), limit: 256 * MIB, restarts: 2 },
  ],
  restarts: [{ at: iso(9), count: 2, exitCode: 137, outOfMemory: true }],
  restarted: 2,
  newest: {
    at: iso(9),
    container: '0123456789ab',
    state: 'running',
    started: iso(8),
    cpu: 0.042,
    memory: 32 * MIB,
    limit: 256 * MIB,
    received: 1500,
    sent: 20,
  },
};

const released = (version: string, at: string) => ({
  id: version,
  service: { id: SERVICE, name: 'Orders' },
  package: { id: version, version, image: 'orders' },
  served: { at },
});

const open = (given: Partial<Metrics> = {}, deployed: object[] = [], at = '/') => {
  const network = answerWith({
    'POST /api/health/list': { body: [] },
    'POST /api/health/service': { body: { ...metrics, ...given } },
    'POST /api/deploy/release/list': { body: deployed },
  });
  const view = renderPage(
    <ServiceMetrics service={{ id: SERVICE, name: 'Orders' }} server={{ id: SERVER }} />,
    { at, session: sessionOf('admin') },
  );
  const asked = () => network.calls.filter(({ path }) => path === '/api/health/service');
  return { ...view, asked };
};

test('shows the latest figures first, and charts with deploys and restarts', async () => {
  const { container } = open({}, [released('2.0', iso(8)), released('1.0', '2026-11-01T00:00:00.000Z')]);
  const latest = within(await screen.findByRole('region', { name: 'Latest figures' }));
  expect(latest.getByText('running')).toBeVisible();
  expect(latest.getByText('4.2 % of one core')).toBeVisible();
  expect(latest.getByText('32 MiB of 256 MiB (13 %)')).toBeVisible();
  expect(latest.getByText('1.5 kB/s received, 20 bytes/s sent')).toBeVisible();
  expect(latest.getByText('2 restarts in the last 24 hours')).toBeVisible();
  expect(screen.getAllByRole('slider').map((chart) => chart.getAttribute('aria-label'))).toEqual([
    'Processor, 100 % is one core: 50 % at the end, between 20 % and 150 %',
    'Memory: 32 MiB at the end, between 32 MiB and 128 MiB',
    'Network: received 1.5 kB/s at the end, between 1.5 kB/s and 1.5 kB/s; sent 20 bytes/s at the end, between 20 bytes/s and 20 bytes/s',
    'Restarts: 2 at the end, between 0 and 2',
  ]);
  expect(await screen.findByText(/^Deploys \(green lines\): 2\.0 on 20 Nov 2026[^;]*$/)).toBeVisible();
  expect(
    screen.getByText(
      /^Restarts \(dashed red lines\): 2 times before 20 Nov 2026.*, exit code 137, out of memory$/,
    ),
  ).toBeVisible();
  const memory = screen.getByRole('slider', { name: /^Memory/ });
  expect(memory.querySelectorAll('[data-deploy]')).toHaveLength(1);
  expect(memory.querySelectorAll('[data-restart]')).toHaveLength(1);
  // Nothing is drawn in the gap before the last sample.
  expect(memory.querySelectorAll('[data-stretch]')).toHaveLength(2);
  expect(container.querySelectorAll('[data-threshold]')).toHaveLength(1);
});

test('the keyboard steps through the points of all charts', async () => {
  open();
  const network = await screen.findByRole('slider', { name: /^Network/ });
  act(() => network.focus());
  await userEvent.keyboard('{Home}');
  expect(network).toHaveAttribute('aria-valuetext', expect.stringMatching(/: not sent$/));
  await userEvent.keyboard('{ArrowRight}');
  expect(network).toHaveAttribute(
    'aria-valuetext',
    expect.stringMatching(/: received 1\.5 kB\/s, sent 20 bytes\/s$/),
  );
  expect(screen.getByRole('slider', { name: /^Processor/ })).toHaveTextContent('50 %, from 20 % to 150 %');
});

test('is also a table; the address holds range and view', async () => {
  const { asked, router } = open({}, [], '/?range=7d&as=table');
  const table = await screen.findByRole('table', { name: 'Metrics of Orders in the last 7 days' });
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent(/not sent.*32 MiB.*not sent.*2.*1$/);
  expect(asked()[0]?.body).toEqual({ id: SERVICE, hours: 168 });
  await userEvent.click(screen.getByRole('radio', { name: '1 h' }));
  await waitFor(() => expect(router.state.location.search).toBe('?range=1h&as=table'));
});

test('a newer sample of the server is shown at once', async () => {
  const { store, asked } = open();
  await screen.findByRole('region', { name: 'Latest figures' });
  const sample = { server: SERVER, ok: true, tookMs: 1 };
  act(() => void store.dispatch(healthTold([{ ...sample, at: '2026-11-20T12:30:01.000Z' }])));
  expect(asked()).toHaveLength(1);
  act(() => void store.dispatch(healthTold([{ ...sample, at: '2026-11-20T12:40:00.000Z' }])));
  await waitFor(() => expect(asked()).toHaveLength(2));
});

test.each([
  ['noServer', 'Not deployed', 'This service names no server that it is deployed to.'],
  ['noContainer', 'Not deployed', 'The last check of web-1 found no container of this service.'],
  [
    'notChecked',
    'No samples yet',
    'web-1 has not been checked yet. Figures will appear here after its first check.',
  ],
  [
    'noAccess',
    'No access to Docker',
    'The account on web-1 may not use Docker. Add it to the group docker, or let it use sudo without a password.',
  ],
] as const)('says plainly why there is nothing: %s', async (problem, title, words) => {
  const { newest: _none, ...nothing } = metrics;
  open({
    ...nothing,
    points: [],
    restarts: [],
    restarted: 0,
    newest: undefined,
    problem,
  } as Partial<Metrics>);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
  expect(screen.queryByRole('slider')).toBeNull();
});

test('old figures stay, with the reason why there are no newer ones', async () => {
  open({
    problem: 'unreachable',
    newest: { at: iso(9), container: '0123456789ab', state: 'exited', exitCode: 1 },
  });
  expect(await screen.findByText('web-1 did not answer its last check.')).toBeVisible();
  expect(screen.getByText('exited')).toBeVisible();
  expect(screen.getByText('exit code 1')).toBeVisible();
  expect(screen.getAllByRole('slider')).toHaveLength(4);
});
