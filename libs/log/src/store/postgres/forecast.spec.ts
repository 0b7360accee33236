// covers: ES-01
import { Forecast } from './forecast';

const batch = [
  {
    stream: 'server-1',
    expected: 'no_stream' as const,
    events: [],
    resolve: () => undefined,
    reject: () => undefined,
  },
];
const DISTANCE = 1_000_000_000;

/** A forecast by a process whose clock shows `DISTANCE` less than the database's. */
const after = (...answers: { sent: number; read: number; answered: number }[]): number => {
  const forecast = new Forecast();
  forecast.wrote({ position: 1, hash: Buffer.alloc(32), recordedAt: new Date(0).toISOString() });
  const began = performance.now();
  for (const { sent, read, answered } of answers)
    forecast.measured(began + DISTANCE + read, began + sent, began + answered);
  const now = performance.now();
  const at = Date.parse(forecast.links(batch)?.at ?? '');
  return at - (now + DISTANCE);
};

const quick = { sent: 0, read: 0.2, answered: 0.4 };

test('instants are those of the clock of the database', () => {
  // Cut to milliseconds, and a call later.
  expect(Math.abs(after(quick))).toBeLessThan(3);
});

test('an answer that comes late, or waits to be asked, shifts no instant', () => {
  const late = { sent: 10, read: 10.1, answered: 50 };
  const waiting = { sent: 60, read: 99.9, answered: 100 };
  expect(Math.abs(after(quick, late, waiting))).toBeLessThan(3);
});

test('a clock that has moved is followed as far as an answer proves it', () => {
  const moved = { sent: 10, read: 10.2 + 30, answered: 10.4 };
  expect(Math.abs(after(quick, moved) - 30)).toBeLessThan(3);
});

test('without a look at that clock, and long after it, the database computes', () => {
  const forecast = new Forecast();
  forecast.wrote({ position: 1, hash: Buffer.alloc(32), recordedAt: new Date(0).toISOString() });
  expect(forecast.links(batch)).toBeUndefined();
  const long = performance.now() - 60_001;
  forecast.measured(DISTANCE, long, long);
  expect(forecast.links(batch)).toBeUndefined();
});
