import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router';
import { renderPage, renderRoutes } from '../testing/render';
import { SearchField } from './SearchField';

const told: string[] = [];
/** Puts the text into the address at a time that the test chooses, as a slow navigation would. */
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

const show = () => {
  told.length = 0;
  const { go } = renderPage(<Page />);
  arrive = (value) => go(`/?q=${value}`);
};

test('reports the text once typing pauses', async () => {
  show();
  await userEvent.type(field(), 'web');
  await waitFor(() => expect(told.at(-1)).toBe('web'));
  await arrive('web');
  await userEvent.keyboard('{Escape}');
  expect(field()).toHaveValue('');
  await waitFor(() => expect(told.at(-1)).toBe(''));
});

test('takes no longer text than a search accepts', async () => {
  show();
  await userEvent.click(field());
  await userEvent.paste('a'.repeat(500));
  await waitFor(() => expect(told.at(-1)).toHaveLength(200));
});

test('keeps text typed while the reported text arrives in the address', async () => {
  // Fake timers, so that on a slow machine the pause does not end too early.
  jest.useFakeTimers();
  try {
    const user = userEvent.setup({ delay: null });
    const pause = () => act(() => jest.advanceTimersByTime(1_000));
    show();
    await user.type(field(), 'web');
    pause();
    expect(told.at(-1)).toBe('web');
    await user.type(field(), '-1');
    await arrive('web');
    expect(field()).toHaveValue('web-1');
    pause();
    expect(told.at(-1)).toBe('web-1');
  } finally {
    jest.useRealTimers();
  }
});

test('shows a value from elsewhere, such as from the Back button', async () => {
  show();
  await userEvent.type(field(), 'web');
  await waitFor(() => expect(told.at(-1)).toBe('web'));
  await arrive('db');
  expect(field()).toHaveValue('db');
});

describe('a link followed before typing pauses', () => {
  // Fake timers, so that even on a slow machine typing does not pause before the click.
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const Searching = () => {
    const [params, setParams] = useSearchParams();
    return (
      <>
        <SearchField
          label="Search servers"
          value={params.get('q') ?? ''}
          onChange={(q) => setParams({ q }, { replace: true })}
        />
        <Link to="/server/1">web-1</Link>
      </>
    );
  };
  const follow = async (load: () => Promise<{ element: ReactNode }>) => {
    const { router } = renderRoutes([
      { path: '/', element: <Searching /> },
      { path: '/server/1', lazy: load },
    ]);
    const user = userEvent.setup({ delay: null });
    await user.type(field(), 'web');
    await user.click(screen.getByRole('link', { name: 'web-1' }));
    return router;
  };

  it('is not undone, however long its page takes to load', async () => {
    let arrived = (_page: { element: ReactNode }): void => undefined;
    const router = await follow(() => new Promise((done) => (arrived = done)));
    act(() => jest.advanceTimersByTime(1_000));
    expect(router.state.navigation.location?.pathname).toBe('/server/1');
    arrived({ element: <h1>The server</h1> });
    expect(await screen.findByRole('heading', { name: 'The server' })).toBeVisible();
    expect(router.state.location).toMatchObject({ pathname: '/server/1', search: '' });
  });

  it('and then abandoned still lets the typed text be reported', async () => {
    let arrived = (_page: { element: ReactNode }): void => undefined;
    const router = await follow(() => new Promise((done) => (arrived = done)));
    await act(() => router.navigate('/'));
    await waitFor(() => expect(router.state.location.search).toBe('?q=web'));
    arrived({ element: null });
  });
});
