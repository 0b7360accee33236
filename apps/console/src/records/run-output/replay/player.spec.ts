/** covers: AUD-02 */
import { OutputLog } from '../output-log';
import { Player, type PlayerOptions } from './player';

const START = Date.parse('2026-11-20T10:00:00Z');
const SECOND = 1000;

let now: number;
beforeEach(() => {
  now = 5_000_000;
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

/** Advances the clock and the timers. */
const pass = (ms: number): void => {
  now += ms;
  jest.advanceTimersByTime(ms);
};

/** Prints `1` after one second, `2` after two, and `3` after a pause of a minute; ends a second later. */
const playerOf = (options: Partial<PlayerOptions> = {}): Player => {
  const log = new OutputLog();
  log.append(
    [1, 2, 62].map((seconds, index) => ({
      seq: index + 1,
      at: new Date(START + seconds * SECOND).toISOString(),
      stream: 'out',
      text: `${index + 1}\n`,
    })),
  );
  const span = { start: START, end: START + 63 * SECOND, steps: [START] };
  return new Player(log, span, { speed: 1, skipIdle: true, now: () => now, ...options });
};

test('starts with all output shown, and plays from the beginning', () => {
  const player = playerOf();
  expect([player.output.count, player.atEnd, player.recorded]).toEqual([3, true, 63_000]);
  player.play();
  expect([player.playing, player.output.count]).toEqual([true, 0]);
  pass(1100);
  expect(player.output.text()).toBe('1\n');
  pass(1000);
  expect(player.output.text()).toBe('1\n2\n');
});

test('shortens pauses, and stops at the end', () => {
  const player = playerOf();
  player.play();
  pass(3000);
  expect(player.recorded).toBe(32_000);
  pass(1000);
  expect(player.output.count).toBe(3);
  pass(2000);
  expect([player.playing, player.recorded]).toEqual([false, 63_000]);
  expect(jest.getTimerCount()).toBe(0);
});

test('shows the right instant after timers were suspended', () => {
  const player = playerOf({ skipIdle: false });
  player.play();
  now += 50 * SECOND;
  jest.advanceTimersByTime(40);
  expect([player.recorded, player.output.count]).toEqual([50_000, 2]);
});

test('pauses, resumes, and starts over after the end', () => {
  const player = playerOf();
  player.play();
  pass(1520);
  player.toggle();
  pass(60_000);
  expect([player.playing, player.recorded]).toEqual([false, 1520]);
  player.toggle();
  pass(600);
  expect(player.output.count).toBe(2);
  player.seek(63 * SECOND);
  expect([player.playing, player.atEnd]).toEqual([false, true]);
  player.toggle();
  expect(player.output.count).toBe(0);
});

test('seeks to an instant, and keeps playing if it was playing', () => {
  const player = playerOf();
  const jumps = player.jumps;
  player.seek(2000);
  expect([player.output.text(), player.playing, player.jumps - jumps]).toEqual(['1\n2\n', false, 1]);
  player.seek(-5);
  expect(player.output.count).toBe(0);
  player.play();
  player.seek(62 * SECOND);
  expect([player.output.count, player.playing]).toEqual([3, true]);
});

test('keeps its place when the speed or the skipping of pauses changes', () => {
  const player = playerOf();
  player.play();
  pass(2520);
  const { recorded } = player;
  player.setSkipIdle(false);
  expect(player.recorded).toBe(recorded);
  player.setSpeed(16);
  expect(player.recorded).toBe(recorded);
  pass(1000);
  expect(player.recorded).toBe(recorded + 16_000);
});

test('stays at the end when pauses are no longer skipped', () => {
  const player = playerOf();
  player.setSkipIdle(false);
  expect([player.atEnd, player.output.count, player.recorded]).toEqual([true, 3, 63_000]);
});

test('extends the timeline to output that came after the run ended', () => {
  const log = new OutputLog();
  log.append([{ seq: 1, at: new Date(START + 5000).toISOString(), stream: 'out', text: 'late\n' }]);
  const player = new Player(
    log,
    { start: START, end: START + 3000, steps: [] },
    { speed: 1, skipIdle: true },
  );
  expect(player.timeline.durationMs).toBe(5000);
});
