import { MantineProvider } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { renderRoutes, sessionOf } from '../testing/render';
import { AddressTabs, TabBar } from './DetailPage';

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

test('the parameters of a tab leave the address with it, and come back with it', async () => {
  const { router } = open('/?tab=runs&runs.q=failed&runs.page=2');
  const address = () => router.state.location.search;
  const choose = (name: string) => userEvent.click(screen.getByRole('tab', { name }));
  await choose('Overview');
  expect(address()).toBe('');
  await act(() => router.navigate('/?q=web', { replace: true }));
  await choose('Runs');
  expect(new URLSearchParams(address())).toEqual(
    new URLSearchParams({ tab: 'runs', 'runs.q': 'failed', 'runs.page': '2' }),
  );
  await choose('Overview');
  expect(address()).toBe('?q=web');
});

test('a tab does not bring back the instant that it was left at', async () => {
  const { router } = open('/?tab=runs&at=41');
  await userEvent.click(screen.getByRole('tab', { name: 'Overview' }));
  await userEvent.click(screen.getByRole('tab', { name: 'Runs' }));
  expect(router.state.location.search).toBe('?tab=runs');
});

test('the open tab is scrolled into view again when a count makes its label wider', () => {
  const into = jest.spyOn(HTMLElement.prototype, 'scrollIntoView');
  const bar = (label: string) => {
    const open = { id: 'former', label, content: () => null };
    return <TabBar tabs={[...tabs, open]} open={open} onOpen={() => undefined} />;
  };
  const { rerender } = render(<MantineProvider>{bar('Former')}</MantineProvider>);
  expect(into).toHaveBeenCalledTimes(1);
  rerender(<MantineProvider>{bar('Former (12)')}</MantineProvider>);
  expect(into).toHaveBeenCalledTimes(2);
  expect(into.mock.contexts.at(-1)).toBe(screen.getByRole('tab', { name: 'Former (12)' }));
  into.mockRestore();
});
