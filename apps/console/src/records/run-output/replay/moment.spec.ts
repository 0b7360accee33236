/** covers: AUD-02 */
import fc from 'fast-check';
import type { OutputChunk } from '@quarterdeck/projections';
import { OutputLog } from '../output-log';
import type { OutputView } from '../output-view';
import { countUpTo, OutputMoment } from './moment';

const START = Date.parse('2026-11-20T10:00:00Z');
type Printed = Partial<OutputChunk> & { text: string };

const logOf = (printed: readonly Printed[]): OutputLog => {
  const log = new OutputLog();
  log.append(
    printed.map((chunk, index) => ({
      seq: index + 1,
      at: new Date(START + index * 100).toISOString(),
      stream: 'out' as const,
      ...chunk,
    })),
  );
  return log;
};

const all = (view: OutputView) => ({
  lines: Array.from({ length: view.count }, (_, index) => view.line(index)),
  marks: [...view.marks],
  settled: view.settled,
});

/** Goes to the instant of the given number of chunks. */
const goTo = (moment: OutputMoment, chunks: number): void => moment.goTo(START + (chunks - 1) * 100);

const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[K',
    '\x1b[1',
    ';32m',
    '50 %',
    'done\n',
    '',
  ),
  fc.string({ maxLength: 12 }),
);
const printed = fc.record({
  text: fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join('')),
  stream: fc.constantFrom('out' as const, 'out' as const, 'err' as const),
  step: fc.constantFrom('a', 'a', 'a', 'b'),
  attempt: fc.constant(1),
});

describe('the output at an instant', () => {
  it('is what had been printed by then, whichever instant it was at before', () => {
    fc.assert(
      fc.property(
        fc.array(printed, { minLength: 1, maxLength: 40 }),
        fc.array(fc.nat(40), { minLength: 1, maxLength: 12 }),
        (chunks, jumps) => {
          const whole = logOf(chunks);
          const moment = new OutputMoment(whole);
          for (const jump of jumps) {
            const to = Math.min(jump, chunks.length);
            goTo(moment, to);
            expect(all(moment)).toEqual(all(logOf(chunks.slice(0, to))));
          }
          moment.goTo(Infinity);
          expect(all(moment)).toEqual(all(whole));
        },
      ),
      { seed: 20261120, numRuns: 300 },
    );
  });

  it('is correct on both sides of each keyframe of a long output', () => {
    const chunks = Array.from({ length: 1500 }, (_, i): Printed => ({
      text: i % 7 === 0 ? `\x1b[3${i % 8}mline ${i}` : i % 5 === 0 ? `\r${i} %` : ` ${i}\n`,
      stream: i % 11 === 0 ? 'err' : 'out',
      step: i < 700 ? 'first' : 'second',
      attempt: 1,
    }));
    const whole = logOf(chunks);
    expect(whole.keyframes.length).toBeGreaterThan(4);
    const moment = new OutputMoment(whole);
    const around = whole.keyframes.flatMap(({ chunk }) => [chunk - 1, chunk, chunk + 1, chunk + 3]);
    for (const to of [...around, ...around.toReversed(), 699, 700, 701].filter((n) => n >= 0)) {
      goTo(moment, to);
      expect(all(moment)).toEqual(all(logOf(chunks.slice(0, to))));
    }
  });

  it('leaves the whole output unchanged', () => {
    const whole = logOf([{ text: 'a' }, { text: 'b\x1b[1mc' }, { text: '\rX' }]);
    const before = JSON.stringify(whole.lines);
    const moment = new OutputMoment(whole);
    for (const to of [1, 2, 0, 2, 3, 1]) goTo(moment, to);
    expect(JSON.stringify(whole.lines)).toBe(before);
  });

  it('notifies its listeners only when chunks were added or removed', () => {
    const moment = new OutputMoment(logOf([{ text: 'a\n' }, { text: 'b\n' }]));
    let told = 0;
    const stop = moment.subscribe(() => (told += 1));
    moment.goTo(Infinity);
    expect(told).toBe(0);
    goTo(moment, 1);
    moment.goTo(START + 50);
    expect(told).toBe(1);
    stop();
    goTo(moment, 2);
    expect(told).toBe(1);
    expect(moment.text()).toBe('a\nb\n');
  });
});

test('counts the numbers up to a limit', () => {
  expect([0, 1, 2, 3, 9].map((limit) => countUpTo([1, 2, 2, 3], limit))).toEqual([0, 1, 3, 4, 4]);
  expect(countUpTo([], 5)).toBe(0);
});
