/** covers: OPS-04 */
import { screen, within } from '@testing-library/react';
import type { SiteTraffic as Traffic } from '@quarterdeck/projections';
import { answerWith } from '../../testing/network';
import { renderPage, sessionOf } from '../../testing/render';
import { SiteTraffic } from '.';

const DOMAIN = '01930000-0000-7000-8000-000000000001';
const iso = (minute: number): string => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`;
const flat = (value: number) => ({ min: value, avg: value, max: value });
const rates = (requests: number, failed: number) => ({
  requests: flat(requests),
  ok: flat(requests - failed),
  redirected: flat(0),
  refused: flat(0),
  failed: flat(failed),
  bytes: flat(requests * 2000),
});

const traffic: Traffic = {
  id: DOMAIN,
  server: { id: '01930000-0000-7000-8000-000000000002', alias: 'web-1' },
  from: '2026-11-20T11:30:00.000Z',
  to: '2026-11-20T12:30:00.000Z',
  gapSeconds: 150,
  points: [
    { at: iso(0), samples: 1, ...rates(10, 0), p50: 0.004, p95: 0.012 },
    { at: iso(1), samples: 1, ...rates(20, 5), p50: 0.005, p95: 1.25 },
  ],
  totals: {
    requests: 1800,
    ok: 1490,
    redirected: 0,
    refused: 10,
    failed: 300,
    bytes: 3_600_000,
    timed: 1800,
    p50: 0.0045,
    p95: 1.2,
  },
  newest: { at: iso(1), samples: 1, ...rates(20, 5), p50: 0.005, p95: 1.25 },
  sampled: false,
};

const open = (given: Partial<Traffic> = {}, at = '/?range=1h') => {
  answerWith({ 'POST /api/traffic/site': { body: { ...traffic, ...given } } });
  const config = { sha256: '', file: '', by: '', position: '1' };
  return renderPage(
    <SiteTraffic
      domain={{
        id: DOMAIN,
        serverName: 'app.test',
        configs: [iso(1), '2026-11-01T00:00:00.000Z'].map((when) => ({ ...config, at: when })) as never,
      }}
    />,
    { at, session: sessionOf('admin') },
  );
};

test('shows the last minute and the range, and charts with the moments of applies', async () => {
  open();
  const latest = within(await screen.findByRole('region', { name: 'Latest figures' }));
  expect(latest.getByText('20/s, of these 5/s failed')).toBeVisible();
  expect(latest.getByText('1.3 s')).toBeVisible();
  expect(latest.getByText('40 kB/s')).toBeVisible();
  expect(
    latest.getByText('1,800 requests: 17 % failed (5xx), 0.6 % refused (4xx); 3.6 MB sent'),
  ).toBeVisible();
  expect(latest.getByText('half within 4.5 ms, 95 % within 1.2 s')).toBeVisible();
  expect(screen.getAllByRole('slider').map((chart) => chart.getAttribute('aria-label'))).toEqual([
    'Requests a second: 2xx 15/s at the end, between 10/s and 15/s; 3xx 0/s at the end, between 0/s and 0/s; 4xx 0/s at the end, between 0/s and 0/s; 5xx 5/s at the end, between 0/s and 5/s',
    'Time of a request: half within 5 ms at the end, between 4 ms and 5 ms; 95 % within 1.3 s at the end, between 12 ms and 1.3 s',
    'Sent: 40 kB/s at the end, between 20 kB/s and 40 kB/s',
  ]);
  expect(screen.getByText(/^Configuration applied \(green lines\): 20 Nov 2026[^;]*$/)).toBeVisible();
  expect(screen.getAllByRole('slider')[0]?.querySelectorAll('[data-deploy]')).toHaveLength(1);
  expect(screen.queryByText(/unknown/)).toBeNull();
});

test('says why times are unknown and what to do, and that it sampled', async () => {
  const { p50: _half, p95: _most, ...totals } = traffic.totals;
  open({ totals: { ...totals, timed: 0 }, sampled: true });
  expect(await screen.findByText(/^The times of requests are unknown: the configuration/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Apply the configuration' })).toHaveAttribute(
    'href',
    `/app/domain/${DOMAIN}/edit?tab=config`,
  );
  expect(screen.getByText(/Of these only the first part was read/)).toBeVisible();
});

test('is also a table', async () => {
  open({}, '/?range=1h&as=table');
  const table = await screen.findByRole('table', { name: 'Traffic of app.test in the last hour' });
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent(
    /2xx 15\/s, 3xx 0\/s, 4xx 0\/s, 5xx 5\/s.*half within 5 ms, 95 % within 1\.3 s.*40 kB\/s/,
  );
});

test.each([
  ['noLog', 'No log yet', /^web-1 has no access log of this site\. Apply its configuration/],
  ['noAccess', 'No access to the log', /may not read the access log/],
  ['notLooked', 'No samples yet', /was not read yet/],
] as const)('says plainly why there is nothing: %s', async (problem, title, words) => {
  const { newest: _none, ...nothing } = traffic;
  open({ ...nothing, points: [], newest: undefined, problem } as Partial<Traffic>);
  expect(await screen.findByRole('heading', { name: title })).toBeVisible();
  expect(screen.getByText(words)).toBeVisible();
});
