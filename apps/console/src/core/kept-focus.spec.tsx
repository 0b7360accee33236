import { keepFocus } from './kept-focus';

let stop: () => void;
const button = (): HTMLButtonElement => document.body.appendChild(document.createElement('button'));
const settled = (): Promise<void> => new Promise((done) => setTimeout(done));

beforeEach(() => {
  document.body.replaceChildren();
  stop = keepFocus();
});
afterEach(() => stop());

/** As a browser does it: jsdom leaves the focus on what is disabled. */
const disable = (one: HTMLButtonElement): void => {
  one.blur();
  one.disabled = true;
};

test('a button that was busy has the focus again', async () => {
  const one = button();
  one.focus();
  disable(one);
  expect(document.activeElement).toBe(document.body);
  one.disabled = false;
  await settled();
  expect(document.activeElement).toBe(one);
});

test('nobody who has gone elsewhere is called back', async () => {
  const [one, other] = [button(), button()];
  one.focus();
  disable(one);
  other.focus();
  one.disabled = false;
  await settled();
  expect(document.activeElement).toBe(other);
});
