/** covers: SRV-16 */
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { HealthHistory, HealthPoint, NewestHealth } from '@quarterdeck/projections';
import { healthTold } from '../../../records/health';
import { answerWith, type Call } from '../../../testing/network';
import { renderPage, sessionOf } from '../../../testing/render';
import { pageOfServers, serverOf } from '../../../testing/server';
import Servers from '..';

const ID = '01930000-0000-7000-8000-000000000001';
const OTHER = '01930000-0000-7000-8000-000000000002';
const at = '2026-11-20T12:00:00.000Z';
const GIB = 1024 ** 3;

const reachable = { health: { state: 'reachable', since: at } };
const unreachable = {
  health: {
    state: 'unreachable',
    since: at,
    code: 'refused',
    reason: 'Nothing listens at 10.0.0.3 port 22.',
  },
};

const sample = (more: Partial<NewestHealth> = {}): NewestHealth => ({
  server: ID,
  at,
  ok: true,
  tookMs: 20,
  load1: 0.5,
  cores: 2,
  memoryTotal: 8 * GIB,
  memoryAvailable: 6 * GIB,
  diskTotal: 100 * GIB,
  diskAvailable: 5 * GIB,
  uptimeSeconds: 90_000,
  docker: 'running',
  containers: 3,
  nginx: 'stopped',
  ...more,
});

const history: HealthHistory = {
  id: ID,
  from: '2026-11-19T12:00:00.000Z',
  to: at,
  gapSeconds: 4000,
  points: [0, 1, 2, 8, 9].map((hour): HealthPoint => ({
    at: `2026-11-20T0${hour}:00:00.000Z`,
    samples: 4,
    failed: hour === 2 ? 4 : 0,
    cores: 2,
    ...(hour !== 2 && {
      load: { min: 0.1, avg: 0.5 + hour, max: 1 + hour },
      memory: { min: 0.5, avg: 0.5, max: 0.5 },
      disk: { min: 0.2, avg: 0.25, max: 0.3 },
    }),
  })),
  unreachable: [
    { from: '2026-11-20T01:30:00.000Z', to: '2026-11-20T07:30:00.000Z', reason: 'Nothing listens.' },
  ],
};

const open = (
  to: string,
  given: {
    servers?: object[];
    samples?: NewestHealth[];
    history?: HealthHistory;
    deployed?: object[];
    released?: object[];
  } = {},
) => {
  const { servers = [serverOf(ID, 'web-1', reachable)], samples = [sample()] } = given;
  const network = answerWith({
    'POST /api/server/page': pageOfServers(servers, samples),
    'POST /api/server/detail': { body: servers[0] },
    'POST /api/health/list': { body: samples },
    'POST /api/deploy/logs/list': { body: given.deployed ?? [] },
    'POST /api/deploy/release/list': { body: given.released ?? [] },
    'POST /api/health/history': { body: given.history ?? history },
  });
  const view = renderPage(<Servers />, { at: to, session: sessionOf('admin') });
  const asked = (): unknown[] =>
    network.calls.filter(({ path }: Call) => path === '/api/health/history').map(({ body }) => body);
  return { ...view, ...network, asked };
};

describe('the server list', () => {
  test('shows for each server whether it is reachable, how long it has been unreachable, and its usage', async () => {
    const { store } = open('/', {
      servers: [
        serverOf(ID, 'web-1', reachable),
        serverOf(OTHER, 'web-2', unreachable),
        serverOf('01930000-0000-7000-8000-000000000003', 'web-3'),
      ],
      samples: [sample(), sample({ server: OTHER, ok: false })],
    });
    const row = (name: string) => screen.getByRole('row', { name: new RegExp(name) });
    await waitFor(() => expect(row('web-1')).toHaveTextContent(/Load0\.50.*Memory25 %.*Disk95 % full/));
    expect(row('web-1')).toHaveTextContent('disk almost full');
    expect(row('web-2')).toHaveTextContent(/unreachable for \d/);
    // Old figures would be mistaken for current ones.
    expect(row('web-2')).not.toHaveTextContent('Memory');
    expect(row('web-3')).toHaveTextContent('not checked yet');

    act(() => void store.dispatch(healthTold([sample({ at: '2026-11-20T12:00:30.000Z', load1: 7.5 })])));
    expect(row('web-1')).toHaveTextContent(/overloaded.*Load7\.50 high/);
  });

  test('hovering over the badge shows the reason and when the server was last seen', async () => {
    open('/', {
      servers: [serverOf(ID, 'web-1', unreachable)],
      samples: [sample({ ok: false, reason: 'It is gone.', seenAt: '2026-11-20T11:00:00.000Z' })],
    });
    await userEvent.hover(await screen.findByText(/^unreachable for/));
    expect(await screen.findByText(/^It is gone\. Last seen 20 Nov 2026/)).toBeVisible();
  });

  test('says that a server has not been reached yet', async () => {
    open('/', { servers: [serverOf(ID, 'web-1')], samples: [sample({ ok: false })] });
    expect(await screen.findByText('not reached yet')).toBeVisible();
  });
});

describe('the health card of a server', () => {
  test('does not say that a server was never seen before its samples have loaded', async () => {
    open(`/${ID}/detail`, { samples: [] });
    const card = await screen.findByRole('region', { name: 'Health' });
    expect(await within(card).findByText('not known')).toBeVisible();
    expect(within(card).queryByText('never')).toBeNull();
  });

  test('shows what the newest check found', async () => {
    open(`/${ID}/detail`);
    const card = within(await screen.findByRole('region', { name: 'Health' }));
    expect(await card.findByText('running, 3 containers')).toBeVisible();
    expect(card.getByText('stopped')).toBeVisible();
    expect(card.getByText('1 d 1 h')).toBeVisible();
    expect(card.getByText('95 GiB of 100 GiB')).toBeVisible();
    expect(card.getByText('almost full')).toBeVisible();
    expect(card.getByRole('link', { name: 'History' })).toHaveAttribute(
      'href',
      `/app/server/${ID}/detail?tab=health`,
    );
  });

  test('shows why a server does not answer and when it was last seen', async () => {
    const reason = 'Nothing listens at 10.0.0.3 port 22.';
    open(`/${ID}/detail`, {
      servers: [serverOf(ID, 'web-1', unreachable)],
      samples: [
        {
          server: ID,
          at,
          ok: false,
          tookMs: 20,
          code: 'refused',
          reason,
          seenAt: '2026-11-20T11:00:00.000Z',
        },
      ],
    });
    const card = within(await screen.findByRole('region', { name: 'Health' }));
    expect(await card.findByText(reason)).toBeVisible();
    expect(card.getByText(/^unreachable for/)).toBeVisible();
    expect(card.queryByText('Up for')).not.toBeInTheDocument();
    const seen = card.getByText('Last seen').nextElementSibling;
    expect(seen?.querySelector('time')).toHaveAttribute('datetime', '2026-11-20T11:00:00.000Z');
  });
});

describe('the health history', () => {
  test('shows gaps, shades the time when the server was unreachable, and has a one-sentence summary', async () => {
    const { container } = open(`/${ID}/detail?tab=health`);
    const load = await screen.findByRole('slider', {
      name: /^Load: 9\.50 at the end, between 0\.10 and 10\.0$/,
    });
    expect(screen.getAllByRole('slider')).toHaveLength(3);
    // One stretch before the failed check and one after it; nothing is drawn in the gap between.
    expect(load.querySelectorAll('[data-stretch]')).toHaveLength(2);
    expect(load.querySelectorAll('[data-unreachable]')).toHaveLength(1);
    expect(container.querySelectorAll('[data-threshold]')).toHaveLength(3);
    expect(screen.getByRole('heading', { name: 'Unreachable' })).toBeVisible();
    expect(screen.getByText(/6 h 0 min/)).toHaveTextContent('Nothing listens.');
  });

  test('marks and names successful deploys in the range', async () => {
    const release = (name: string, served: object | undefined) => ({
      id: name,
      service: { id: name, name },
      package: { id: name, version: '2.0', image: name },
      ...(served && { served }),
    });
    const deploy = (slug: string, date: string, state = 'succeeded') => ({
      id: slug,
      slug,
      state,
      date,
      version: '1.4.0',
    });
    open(`/${ID}/detail?tab=health`, {
      deployed: [
        deploy('shop', '2026-11-20T10:00:00.000Z'),
        deploy('blog', '2026-11-20T09:00:00.000Z', 'failed'),
        deploy('old', '2020-01-01T00:00:00.000Z'),
      ],
      released: [
        release('api', { at: '2026-11-20T08:00:00.000Z' }),
        // This release has never served.
        release('mail', undefined),
      ],
    });
    expect(
      await screen.findByText(
        /^Deploys \(green lines\): api 2\.0 on 20 Nov 2026[^;]*; shop 1\.4\.0 on 20 Nov 2026[^;]*$/,
      ),
    ).toBeVisible();
    expect(
      (await screen.findByRole('slider', { name: /^Load/ })).querySelectorAll('[data-deploy]'),
    ).toHaveLength(2);
  });

  test('shows the value under the pointer in all charts, and the time in one', async () => {
    open(`/${ID}/detail?tab=health`);
    const [load, memory] = await screen.findAllByRole('slider');
    const box = { left: 0, width: 640 } as DOMRect;
    if (load) jest.spyOn(load, 'getBoundingClientRect').mockReturnValue(box);
    // The chart spans noon to noon, so this is 09:00.
    await userEvent.pointer({ target: load as Element, coords: { clientX: (21 / 24) * 640 } });
    expect(load).toHaveTextContent(/9\.50, from 0\.10 to 10\.0/);
    expect(memory).toHaveTextContent('50 %');
    expect(load?.querySelector('time')).toHaveAttribute('datetime', '2026-11-20T09:00:00.000Z');
    // Only the chart under the pointer shows the time.
    expect(memory?.querySelector('time')).toBeNull();
    await userEvent.unhover(load as Element);
    expect(load).not.toHaveTextContent('9.50');
  });

  test('can be stepped through with the keyboard, and each point has text for screen readers', async () => {
    open(`/${ID}/detail?tab=health`);
    const [load] = await screen.findAllByRole('slider');
    act(() => load?.focus());
    await userEvent.keyboard('{Home}');
    expect(load).toHaveAttribute('aria-valuetext', expect.stringContaining('0.50, from 0.10 to 1.00'));
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(load).toHaveAttribute(
      'aria-valuetext',
      expect.stringContaining('4 of 4 checks failed; unreachable'),
    );
    await userEvent.keyboard('{End}');
    expect(load).toHaveAttribute('aria-valuetext', expect.stringContaining('9.50'));
    await userEvent.keyboard('{Escape}');
    expect(load).toHaveAttribute('aria-valuetext', 'newest');
  });

  test('is also available as a table, newest first; the URL holds the view and the range', async () => {
    const { router, asked } = open(`/${ID}/detail?tab=health`);
    await screen.findAllByRole('slider');
    expect(asked()).toEqual([{ id: ID, hours: 24 }]);
    await userEvent.click(screen.getByRole('radio', { name: 'Table' }));
    const rows = within(screen.getByRole('table', { name: /web-1 in the last 24 hours/ })).getAllByRole(
      'row',
    );
    expect(rows).toHaveLength(6);
    expect(rows[1]).toHaveTextContent('9.50, from 0.10 to 10.0');
    expect(rows[3]).toHaveTextContent('not sent');
    expect(rows[3]).toHaveTextContent('4, 4 failed, unreachable');
    await userEvent.click(screen.getByRole('radio', { name: '7 d' }));
    expect(router.state.location.search).toBe('?tab=health&as=table&range=7d');
    await waitFor(() => expect(asked()).toContainEqual({ id: ID, hours: 168 }));
  });

  test('is fetched again when a newer check would be a new point', async () => {
    const { store, asked } = open(`/${ID}/detail?tab=health`);
    await screen.findAllByRole('slider');
    act(() => void store.dispatch(healthTold([sample({ at: '2026-11-20T12:01:00.000Z' })])));
    act(() => void store.dispatch(healthTold([sample({ at: '2026-11-20T12:06:00.000Z' })])));
    await waitFor(() => expect(asked()).toHaveLength(2));
  });

  test('does not claim "no outage" for time that was not checked', async () => {
    open(`/${ID}/detail?tab=health&range=7d`, { history: { ...history, unreachable: [] } });
    expect(await screen.findByText(/^web-1 had no outage while it was checked: 3 h 0 min of/)).toBeVisible();
  });

  test('says that there were no checks in the range', async () => {
    open(`/${ID}/detail?tab=health&range=1h`, { history: { ...history, points: [], unreachable: [] } });
    expect(await screen.findByText('No checks in the last hour')).toBeVisible();
  });
});
