import { comparison } from './comparison';

const line = (what: string, figures: number[], target: { atLeast: number } | { atMost: number }) => ({
  what,
  figures,
  target,
});
const runOf = (...lines: ReturnType<typeof line>[]) => ({ programs: { appends: lines } });
const changes = (before: ReturnType<typeof runOf>, after: ReturnType<typeof runOf>) =>
  comparison(before, after).map(({ what, change }) => `${what}: ${change}`);

describe('two runs of the benchmarks', () => {
  it('differ only if neither median is within the spread of the other run', () => {
    const before = runOf(
      line('rate', [1, 1.1, 1.2], { atLeast: 1 }),
      line('time', [2, 2.1, 2.2], { atMost: 2 }),
      line('steady', [1, 1.1, 1.2], { atLeast: 1 }),
    );
    const after = runOf(
      line('rate', [0.7, 0.8, 0.9], { atLeast: 1 }),
      line('time', [1.5, 1.6, 1.7], { atMost: 2 }),
      line('steady', [1.1, 1.3, 1.4], { atLeast: 1 }),
    );
    expect(changes(before, after)).toEqual(['rate: worse', 'time: better', 'steady: same']);
  });

  it('assume a spread of 15 % for a figure that was measured once', () => {
    const before = runOf(line('a', [100], { atMost: 200 }), line('b', [100], { atMost: 200 }));
    const after = runOf(line('a', [114], { atMost: 200 }), line('b', [130], { atMost: 200 }));
    expect(changes(before, after)).toEqual(['a: same', 'b: worse']);
  });

  it('name figures that only one of them has', () => {
    expect(changes(runOf(line('old', [1], { atMost: 1 })), runOf(line('new', [1], { atMost: 1 })))).toEqual([
      'new: new',
      'old: gone',
    ]);
  });
});
