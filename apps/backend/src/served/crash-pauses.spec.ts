import { CrashPauses } from './crash-pauses';

test('there is no pause after the first crash, and then they double, up to half a minute', () => {
  const pauses = new CrashPauses(() => 5000);
  const seen = Array.from({ length: 10 }, () => {
    pauses.crashed(100);
    return pauses.leftMs();
  });
  expect(seen).toEqual([0, 250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

test('a process that lived for long, or that somebody killed, begins a new row', () => {
  const pauses = new CrashPauses(() => 5000);
  for (let crash = 0; crash < 5; crash += 1) pauses.crashed(100);
  pauses.crashed(10_000);
  expect([pauses.crashes, pauses.leftMs()]).toEqual([1, 0]);
  pauses.crashed(100);
  pauses.crashed(Infinity);
  expect([pauses.crashes, pauses.leftMs()]).toEqual([1, 0]);
});
