// covers: SRV-15
import type { RunView } from '@quarterdeck/projections';
import { resultsInWords, resultsOf } from './result-groups';
import { failuresFirst, progressOf, progressWords, rowsOf, type HostRow } from './host-state';

let count = 0;
const host = (state: HostRow['state'], run: object | undefined = {}): HostRow => {
  count += 1;
  return {
    server: { id: `s${count}`, name: `web-${count}` },
    runId: `r${count}`,
    state,
    ...(run && { run: { id: `r${count}`, state, steps: [], ...run } as unknown as RunView }),
  };
};
const said = (sha256: string, exitCode = 0): HostRow =>
  host(exitCode === 0 ? 'succeeded' : 'failed', { steps: [{ exitCode, output: { bytes: 5, sha256 } }] });
const refused = (reason: string): HostRow => host('failed', { code: 'refused', reason });
const times = (n: number, make: () => HostRow): HostRow[] => Array.from({ length: n }, make);

describe('outputs', () => {
  test('are grouped by digest and exit code, the most common first', () => {
    const answers = resultsOf([said('b'), ...times(38, () => said('a')), said('a', 1)]);
    expect(answers.groups.map(({ hosts, exitCode }) => [hosts.length, exitCode])).toEqual([
      [38, 0],
      [1, 0],
      [1, 1],
    ]);
    expect(resultsInWords(answers)).toBe('Same output on 38 servers, 2 differ');
  });

  test('that are missing come last, grouped by failure code', () => {
    const answers = resultsOf([
      refused('Nothing listens at 10.0.0.1'),
      refused('Nothing listens at 10.0.0.2'),
      refused('Nothing listens at 10.0.0.3'),
      ...times(2, () => said('a')),
    ]);
    expect(answers.groups.map(({ hosts, reason }) => [hosts.length, reason])).toEqual([
      [2, undefined],
      [3, 'Nothing listens at 10.0.0.1'],
    ]);
    expect(resultsInWords(answers)).toBe('Same output on 2 servers, no output from 3 servers');
  });

  test('that are still pending are counted', () =>
    expect(resultsInWords(resultsOf([said('a'), host('running'), host('waiting', undefined)]))).toBe(
      'Output of 1 server, 2 servers not done yet',
    ));

  test.each([
    [[said('a'), said('b')], 'Different output on each of 2 servers'],
    [[said('a'), said('a'), said('b')], 'Same output on 2 servers, 1 differs'],
    [[said('a'), said('a')], 'Same output on 2 servers'],
    [[], ''],
  ])('are summarized in words (%#)', (rows, words) => expect(resultsInWords(resultsOf(rows))).toBe(words));

  test('of a script that printed nothing count as output', () => {
    const empty = () => host('succeeded', { steps: [{ exitCode: 0, output: { bytes: 0, sha256: 'e' } }] });
    expect(resultsInWords(resultsOf([empty(), empty()]))).toBe('Same output on 2 servers');
  });
});

describe('the servers of a run', () => {
  const fleet = (state: RunView['state']) => ({ state }) as RunView;
  const bare = (more: object = {}) => ({ server: { id: 's', name: 'web' }, runId: 'r', ...more });

  test('are waiting during the run, and not started if the run ended before their turn', () => {
    expect(rowsOf({ run: fleet('running'), hosts: [bare()] })[0]?.state).toBe('waiting');
    expect(rowsOf({ run: fleet('running'), hosts: [bare({ notStarted: 'busy' })] })[0]?.state).toBe(
      'notStarted',
    );
    expect(rowsOf({ run: fleet('failed'), hosts: [bare()] })[0]?.state).toBe('notStarted');
  });

  test('count as cancelled, not failed, if the run was cancelled before their turn', () => {
    const hosts = [bare(), bare({ notStarted: 'the run ended before its turn came' })];
    const rows = [...rowsOf({ run: fleet('cancelled'), hosts }), host('cancelled'), said('a')];
    expect(rows.slice(0, 3).map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(progressWords(progressOf(rows))).toBe('4 of 4 done, 3 cancelled');
    expect(progressWords(progressOf([...rows, said('a', 1)]))).toBe(
      '5 of 5 done, 1 did not succeed, 3 cancelled',
    );
  });

  test('are ordered by urgency, and then in the order of the request', () => {
    const rows = [said('a'), host('running'), said('a', 1), said('b', 2), host('waiting', undefined)];
    expect(failuresFirst(rows).map(({ runId }) => runId)).toEqual(
      [rows[2], rows[3], rows[1], rows[4], rows[0]].map((row) => row?.runId),
    );
  });

  test('are counted by state', () => {
    const rows = [said('a'), said('a', 1), host('running'), host('waiting', undefined)];
    expect(progressWords(progressOf(rows))).toBe('2 of 4 done, 1 did not succeed, 1 running, 1 waiting');
    expect(progressWords(progressOf([said('a')]))).toBe('1 of 1 done');
  });
});
