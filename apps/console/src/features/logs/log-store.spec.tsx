import type { LogLine } from '@quarterdeck/contract';
import { LogStore, MAX_SHOWN } from './log-store';

const line = (second: number, text = `at ${second}`, more: Partial<LogLine> = {}): LogLine => ({
  id: text,
  at: new Date(Date.UTC(2026, 10, 30, 20, 0, second)).toISOString(),
  level: 'none',
  text,
  ...more,
});
const texts = (store: LogStore): string[] => store.text().trimEnd().split('\n');

test('lines of several logs stand in the order of their times, each once', () => {
  const store = new LogStore(['one', 'two']);
  store.add(0, [line(1), line(3), line(5)]);
  store.add(1, [line(2), line(4), line(6)]);
  store.add(0, [line(5), line(7)]);
  expect(texts(store)).toEqual([1, 2, 3, 4, 5, 6, 7].map((second) => `at ${second}`));
  expect(store.line(1)?.entry?.source).toBe('two');
  expect(store.newest(1)).toBe(line(6).at);
  expect(store.settled).toBeLessThanOrEqual(1);
});

test('what has the same time stays in its order', () => {
  const store = new LogStore(['one']);
  store.add(
    0,
    ['a', 'b'].map((text) => line(1, text)),
  );
  store.add(
    0,
    ['c', 'd'].map((text) => line(1, text)),
  );
  expect(texts(store)).toEqual(['a', 'b', 'c', 'd']);
});

test('levels and a pattern hide lines, also those that come later and in between', () => {
  const store = new LogStore(['one']);
  store.choose({ hidden: new Set(['info']), pattern: /t/gu });
  store.add(0, [line(1, 'one', { level: 'info' }), line(3, 'three'), line(4, 'four')]);
  store.add(0, [line(2, 'two')]);
  expect(texts(store)).toEqual(['two', 'three']);
  expect([store.count, store.total]).toEqual([2, 4]);
  store.choose({ hidden: new Set() });
  expect(texts(store)).toEqual(['one', 'two', 'three', 'four']);
});

test('the oldest lines are dropped, and may come again', () => {
  const store = new LogStore(['one']);
  for (let from = 0; from < MAX_SHOWN + 5000; from += 5000)
    store.add(
      0,
      Array.from({ length: 5000 }, (_, n) => line(0, String(from + n))),
    );
  expect(store.count).toBeLessThanOrEqual(MAX_SHOWN);
  expect(store.dropped).toBeGreaterThan(0);
  expect(store.line(store.count - 1)?.text).toBe(String(MAX_SHOWN + 4999));
});

test('colours are shown as colours, and a file has none', () => {
  const store = new LogStore(['one']);
  store.add(0, [line(1, '\u{1b}[31mred\u{1b}[0m', { level: 'error' })]);
  expect(store.line(0)).toMatchObject({ text: 'red', runs: [{ from: 0, to: 3 }] });
  expect(store.file()).toBe(`${line(1).at} error red\n`);
});
