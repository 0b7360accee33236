import { setImmediate as turn } from 'node:timers/promises';
import type { AppEvent } from '@quarterdeck/events';
import { defineProjection } from '../define-projection';
import { logOf } from '../testing/log';
import { eventsFor, foldBatch, foldInTurns } from './fold';
import type { KnownRow, Row } from './row';

const renamed = (alias: string): AppEvent => ({ type: 'ServerRenamed', data: { alias } });
const removed: AppEvent = { type: 'ServerRemoved', data: { alias: 'gone' } };

/** Counts renames by stream and also by alias. `boom` cannot be folded at all, `half` only for its first row. */
const counts = defineProjection<{ n: number }>({
  name: 'counts',
  version: 1,
  columns: {},
  indexes: [],
  keys: (event) => (event.type === 'ServerRenamed' ? [event.stream, event.data.alias] : [event.stream]),
  evolve: (view, event, key) => {
    if (event.type === 'ServerRemoved') return undefined;
    if (event.type !== 'ServerRenamed') return view;
    if (event.data.alias === 'boom') throw new Error('boom');
    if (event.data.alias === 'half' && key === 'half') throw new Error('half');
    return { n: (view?.n ?? 0) + 1 };
  },
});

const row = (n: number): Row => ({ workspace: 'w', position: '0', view: { n } });
const none = (): KnownRow => null;
const fold = (entries: [string, AppEvent][], more: Partial<Parameters<typeof foldBatch>[0]> = {}) =>
  foldBatch({ projection: counts, events: logOf(...entries), known: none, ...more });

test('a read model of one category gets the events of its streams, in order, and any other gets all', () => {
  const events = logOf(['server-1', renamed('a')], ['log', removed], ['server-2', renamed('b')]);
  const wanted = eventsFor(events);
  const of = (rowPer: string) => wanted({ ...counts, rowPer });
  expect(of('server')).toEqual([events[0], events[2]]);
  expect(of('run')).toEqual([]);
  expect(of('any')).toEqual(events);
  expect(wanted(counts)).toEqual(events);
});

test('a large batch is folded like a small one, and others have their turns meanwhile', async () => {
  const entries = Array.from({ length: 600 }, (_, at): [string, AppEvent] => [
    `server-${at % 7}`,
    at % 13 === 12 ? removed : renamed(at === 500 ? 'boom' : `alias ${at % 5}`),
  ]);
  const input = { projection: counts, events: logOf(...entries), known: none, guess: true };
  let [folding, turns] = [true, 0];
  const others = (async () => {
    for (; folding; turns += 1) await turn();
  })();
  const folded = await foldInTurns(input).finally(() => (folding = false));
  await others;
  expect(folded).toEqual(foldBatch(input));
  expect(folded.parked.size).toBe(1);
  expect(turns).toBeGreaterThanOrEqual(2);
});

describe('one batch of events', () => {
  test('changes each row once, with the position of the event that changed it last', () => {
    const { changed } = fold([
      ['server-a', renamed('x')],
      ['server-b', renamed('x')],
    ]);
    expect([...changed].map(([key, value]) => [key, value?.position, value?.view])).toEqual([
      ['server-a', '1', { n: 1 }],
      ['x', '2', { n: 2 }],
      ['server-b', '2', { n: 1 }],
    ]);
  });

  test('does not change a row if the fold returns it unchanged', () => {
    const pinned: AppEvent = { type: 'ServerHostKeyPinned', data: { algorithm: 'a', fingerprint: 'f' } };
    expect(fold([['server-a', pinned]], { known: () => row(3) }).changed.size).toBe(0);
  });

  test('reports a deleted row, and nothing if there was no row', () => {
    expect(fold([['server-a', removed]], { known: () => row(1) }).changed).toEqual(
      new Map([['server-a', null]]),
    );
    expect(fold([['server-a', removed]]).changed.size).toBe(0);
  });

  test('asks for rows that are not in memory', () => {
    expect(fold([['server-a', renamed('x')]], { known: () => undefined }).unknown).toEqual(
      new Set(['server-a', 'x']),
    );
  });

  test('assumes that they are new when told to guess, unless the event does not create a row', () => {
    const made = fold([['server-a', renamed('x')]], { known: () => undefined, guess: true });
    expect([made.unknown.size, made.guessed]).toEqual([0, new Set(['server-a', 'x'])]);
    expect(fold([['server-a', removed]], { known: () => undefined, guess: true }).unknown).toEqual(
      new Set(['server-a']),
    );
  });

  test('looks up a guessed row that is deleted again: no insert would prove that it was new', () => {
    const entries: [string, AppEvent][] = [
      ['server-a', renamed('x')],
      ['server-a', removed],
    ];
    expect(fold(entries, { known: () => undefined, guess: true }).unknown).toEqual(new Set(['server-a']));
  });

  test('sets a stream aside at the event that cannot be folded, with its later events', () => {
    const { changed, parked } = fold([
      ['server-a', renamed('x')],
      ['server-a', renamed('boom')],
      ['server-a', renamed('y')],
      ['server-b', renamed('z')],
    ]);
    expect([...changed.keys()]).toEqual(['server-a', 'x', 'server-b', 'z']);
    expect(changed.get('server-a')?.view).toEqual({ n: 1 });
    expect([...parked.values()]).toEqual([
      {
        projection: 'counts',
        stream: 'server-a',
        position: '2',
        type: 'ServerRenamed',
        error: 'Error: boom',
        skipped: 1,
      },
    ]);
  });

  test('folds all rows of an event or none', () => {
    const { changed, parked } = fold([['server-a', renamed('half')]]);
    expect(changed.size).toBe(0);
    expect(parked.get('server-a')?.error).toBe('Error: half');
  });

  test('counts the skipped events of a parked stream', () => {
    const { changed, parked } = fold([['server-a', renamed('x')]], { parked: new Set(['server-a']) });
    expect([changed.size, parked.get('server-a')?.skipped]).toEqual([0, 1]);
  });

  test('does not blame an event for a row that was not loaded', () => {
    const needy = { ...counts, evolve: (view?: object) => ({ n: (view as { n: number }).n + 1 }) };
    const { unknown, parked } = fold([['server-a', renamed('x')]], {
      projection: needy,
      known: () => undefined,
    });
    expect([unknown.size, parked.size]).toEqual([2, 0]);
  });
});
