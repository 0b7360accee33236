import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSearchParams } from 'react-router';
import { renderPage } from '../testing/render';
import { SearchField } from './SearchField';

const told: string[] = [];
/** Puts it into the address, which here waits for the test instead of for a slow navigation. */
let arrive: (value: string) => Promise<void>;

const Page = () => {
  const [params] = useSearchParams();
  return (
    <SearchField
      label="Search servers"
      value={params.get('q') ?? ''}
      onChange={(text) => void told.push(text)}
    />
  );
};
const field = () => screen.getByRole('searchbox', { name: 'Search servers' });

beforeEach(() => {
  told.length = 0;
  const { go } = renderPage(<Page />);
  arrive = (value) => go(`/?q=${value}`);
});

test('tells what was typed once typing pauses', async () => {
  await userEvent.type(field(), 'web');
  await waitFor(() => expect(told.at(-1)).toBe('web'));
  await arrive('web');
  await userEvent.keyboard('{Escape}');
  expect(field()).toHaveValue('');
  await waitFor(() => expect(told.at(-1)).toBe(''));
});

test('keeps what was typed while what it told comes back', async () => {
  await userEvent.type(field(), 'web');
  await waitFor(() => expect(told).toContain('web'));
  await userEvent.type(field(), '-1');
  await arrive('web');
  expect(field()).toHaveValue('web-1');
  await waitFor(() => expect(told.at(-1)).toBe('web-1'));
});

test('shows what comes from elsewhere, such as the button Back', async () => {
  await userEvent.type(field(), 'web');
  await waitFor(() => expect(told.at(-1)).toBe('web'));
  await arrive('db');
  expect(field()).toHaveValue('db');
});
