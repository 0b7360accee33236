import { screen, waitFor } from '@testing-library/react';
import { renderRoutes, sessionOf } from '../testing/render';
import { AddressTabs } from './DetailPage';

const tabs = [
  { id: 'overview', label: 'Overview', content: () => 'All of it' },
  { id: 'runs', label: 'Runs', content: () => 'What ran' },
];
const open = (at: string) =>
  renderRoutes([{ path: '/', element: <AddressTabs tabs={tabs} /> }], { at, session: sessionOf('admin') });

test('an unknown tab is removed from the address, and other parameters stay', async () => {
  const { router } = open('/?tab=nonsense&run=7');
  expect(screen.getByText('All of it')).toBeVisible();
  await waitFor(() => expect(router.state.location.search).toBe('?run=7'));
});

test('a known tab stays in the address', () => {
  const { router } = open('/?tab=runs&run=7');
  expect(screen.getByText('What ran')).toBeVisible();
  expect(router.state.location.search).toBe('?tab=runs&run=7');
});
