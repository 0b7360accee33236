// covers: AUD-01, AUTH-12
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith } from '../../testing/network';
import { answersAboutPeople } from '../../testing/person';
import { press } from '../../testing/presses';
import { printedAfter, printedRows } from '../../testing/printed';
import { renderRoutes, sessionOf } from '../../testing/render';

const gone = ['01930000-0000-7000-8000-00000000c0de', '01930000-0000-7000-8000-00000000beef'] as const;

test('distinguishes forgotten people in the list of actors', async () => {
  const { calls } = answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/history/list': { body: { events: [] } },
    ...answersAboutPeople(
      ...gone.map((id) => ({ id, role: 'member', removedAt: '2026-11-20T12:00:00.000Z' })),
    ),
  });
  renderRoutes(routes, { at: '/app/history', session: sessionOf('admin') });
  await userEvent.click(await screen.findByRole('button', { name: 'Filter' }));
  await userEvent.click(await screen.findByRole('combobox', { name: 'Who' }));
  expect(await screen.findByRole('option', { name: 'Former member (c0de)' })).toBeVisible();
  await userEvent.click(screen.getByRole('option', { name: 'Former member (beef)' }));
  expect(
    await screen.findByRole('button', { name: 'Remove filter: By Former member (beef)', hidden: true }),
  ).toBeVisible();
  await waitFor(() =>
    expect(calls.findLast(({ path }) => path === '/api/history/list')?.body).toMatchObject({
      actor: gone[1],
    }),
  );
});

test('names the filter for the credentials of one person', async () => {
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/history/list': { body: { events: [] } },
    'POST /api/person/list': { body: [] },
  });
  renderRoutes(routes, {
    at: `/app/history?category=credentials&id=${gone[0]}`,
    session: sessionOf('admin'),
  });
  expect(
    await screen.findByRole('button', { name: 'Remove filter: Credentials of one person' }),
  ).toBeVisible();
});

test('prints all events that match, with absolute times, the filters and who printed them', async () => {
  const eventAt = (position: number) => ({
    position: String(position),
    correlationId: 'c',
    says: `moved ${position}`,
    at: `2026-11-20T12:00:${String(position % 60).padStart(2, '0')}.000Z`,
    actor: 'system',
    id: String(position),
    type: 'ServerRenamed',
    subject: { category: 'server', id: gone[0], name: 'web-1' },
  });
  const all = Array.from({ length: 450 }, (_, nth) => eventAt(450 - nth));
  answerWith({
    'GET /api/session': { body: sessionOf('admin') },
    'POST /api/run/list': { body: { runs: [] } },
    'POST /api/person/list': { body: [] },
    'POST /api/history/list': ({ body }) => {
      const { before = '451', limit = 100 } = body as { before?: string; limit?: number };
      const events = all.filter(({ position }) => Number(position) < Number(before)).slice(0, limit);
      const next = events.at(-1)?.position;
      return { body: { events, ...(next !== undefined && next !== '1' && { next }) } };
    },
  });
  renderRoutes(routes, { at: '/app/history?actor=system', session: sessionOf('admin') });
  await press(() => screen.getByRole('button', { name: 'Export' }));
  const page = await printedAfter(() => press(() => screen.getByRole('button', { name: 'Print' })));
  const rows = printedRows(page);
  expect(rows).toHaveLength(451);
  expect(rows[1]).toMatch(/^20 Nov 2026, \d\d:00:30 \| Quarterdeck moved 450 \| web-1$/);
  expect(rows.at(-1)).toContain('moved 1 |');
  expect(page).toHaveTextContent(
    /Workspaceharbour.*FiltersBy Quarterdeck.*450 events.*by Ada Marsh, \d+ \w+ \d{4}/,
  );
  expect(document.querySelector('.qd-printed')).toBeNull();

  const pages: number[] = [];
  window.print = () => void pages.push(document.querySelectorAll('.qd-printed').length);
  for (const times of [1, 2]) {
    await press(() => screen.getByRole('button', { name: 'Print' }));
    await waitFor(() => expect(pages).toEqual(Array(times).fill(1)));
  }
  window.dispatchEvent(new Event('afterprint'));
});
