import { createRoot } from 'react-dom/client';
import { isTyping, listenForShortcuts, useShortcut } from './shortcuts';

const press = (key: string): void =>
  void window.dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true }));

const Page = ({ add }: { add: () => void }) => {
  useShortcut('n', add);
  return <h1>Domains</h1>;
};

test('a key that is pressed as soon as the page can be seen is not lost', async () => {
  // React Testing Library waits for all effects, also for those that run after the page can be seen.
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  const stop = listenForShortcuts();
  const place = document.createElement('div');
  const root = createRoot(place);
  const add = jest.fn();
  await new Promise<void>((resolve) => {
    new MutationObserver(() => {
      press('n');
      resolve();
    }).observe(place, { childList: true });
    root.render(<Page add={add} />);
  });
  expect(add).toHaveBeenCalledTimes(1);
  root.unmount();
  stop();
});

test('letters are typed into texts and lists, and not into what is only switched', () => {
  const inputOf = (type: string) => Object.assign(document.createElement('input'), { type });
  expect(['text', 'search', 'number', 'password'].map(inputOf).map(isTyping)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['radio', 'checkbox', 'range'].map(inputOf).map(isTyping)).toEqual([false, false, false]);
  expect(isTyping(document.createElement('select'))).toBe(true);
});
