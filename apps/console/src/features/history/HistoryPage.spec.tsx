// covers: AUD-01, AUTH-12
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { routes } from '../../app/router';
import { answerWith } from '../../testing/network';
import { answersAboutPeople } from '../../testing/person';
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
