/** Parts of the console that fail to load at first. */
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { isMissingPart, judgeRelease } from '../core/parts';
import { answerWith, unreachable } from '../testing/network';
import { renderPage } from '../testing/render';
import { overlayPart, part } from './part';

const missing = new TypeError('Failed to fetch dynamically imported module: /assets/x.js');

const attempts = (...outcomes: (Error | string)[]) => {
  let made = 0;
  const load = async (): Promise<{ default: () => ReactNode }> => {
    const outcome = outcomes[Math.min(made, outcomes.length - 1)];
    made += 1;
    if (outcome instanceof Error) throw outcome;
    return { default: () => <p>{outcome}</p> };
  };
  return { load, made: () => made };
};

afterEach(() => void jest.useRealTimers());

const comeBack = () => act(async () => void window.dispatchEvent(new Event('online')));

test('without a connection, a part says so and loads when the connection is back', async () => {
  unreachable();
  const { load } = attempts(missing, 'the part');
  const Part = part(load, 'Loading the part');
  renderPage(<Part />);
  expect(await screen.findByRole('alert')).toHaveTextContent('There is no connection to the server.');
  await comeBack();
  expect(await screen.findByText('the part')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a part that the server does not send can be requested again with a button', async () => {
  answerWith({ 'GET /': { text: '<html></html>' } });
  // Fake timers, since on a busy machine the part would be requested again by itself before the button is pressed.
  jest.useFakeTimers();
  const user = userEvent.setup({ advanceTimers: (ms) => jest.advanceTimersByTime(ms) });
  const { load, made } = attempts(missing, missing, 'the part');
  const Part = part(load, 'Loading the part');
  renderPage(<Part />);
  expect(await screen.findByRole('alert')).toHaveTextContent('The server did not send a file');
  await user.click(screen.getByRole('button', { name: 'Try again now' }));
  await waitFor(() => expect(made()).toBe(2));
  await user.click(await screen.findByRole('button', { name: 'Try again now' }));
  expect(await screen.findByText('the part')).toBeVisible();
});

test('a dialog that fails to load is announced in a banner, and the page stays', async () => {
  unreachable();
  const { load } = attempts(missing, 'the dialog');
  const Overlay = overlayPart(load);
  renderPage(
    <>
      <h1>The page</h1>
      <Overlay />
    </>,
  );
  expect(await screen.findByText(/A part of the console could not be loaded/)).toBeVisible();
  expect(screen.getByRole('heading', { name: 'The page' })).toBeVisible();
  await comeBack();
  expect(await screen.findByText('the dialog')).toBeVisible();
  expect(screen.queryByText(/A part of the console could not be loaded/)).toBeNull();
});

test('recognizes a missing file by the error message of each browser, and no other error', () => {
  for (const words of [
    'Failed to fetch dynamically imported module: https://a/b.js',
    'error loading dynamically imported module: https://a/b.js',
    'Importing a module script failed.',
  ])
    expect(isMissingPart(new TypeError(words))).toBe(true);
  expect(isMissingPart(new TypeError("undefined is not an object (evaluating 'a.b')"))).toBe(false);
});

test('a different entry script on the page of the server means a new release', async () => {
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', '/assets/index-1.js');
  // Appended to the body, because the position does not matter: jsdom loads no scripts.
  document.body.append(script);
  const page = (entry: string) => `<head><script type="module" crossorigin src="${entry}"></script></head>`;
  answerWith({ 'GET /': { text: page('/assets/index-1.js') } });
  expect(await judgeRelease()).toBe('failing');
  answerWith({ 'GET /': { text: page('/assets/index-2.js') } });
  expect(await judgeRelease()).toBe('released');
  answerWith({ 'GET /': { status: 503 } });
  expect(await judgeRelease()).toBe('failing');
  script.remove();
});
