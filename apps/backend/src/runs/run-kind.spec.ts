import { withoutWords, type RunKind } from './run-kind';

const kindOf = (kind: string, ...names: string[]): RunKind => ({
  kind,
  changes: true,
  steps: names.map((name) => ({
    name,
    on: 'console',
    timeoutMs: 1_000,
    repeatable: true,
    perform: () => Promise.resolve({}),
  })),
});

it('names kinds and steps of runs that nobody has put into words', () => {
  const kinds = [
    kindOf('createDatabase', 'look', 'create', 'verify'),
    kindOf('createDatabase', 'look', 'grant'),
    kindOf('dropDatabase', 'drop'),
  ];
  expect(withoutWords(kinds)).toEqual(['step grant of createDatabase', 'dropDatabase']);
});
