/** covers: ENV-01 */
import type { VariableView } from '@quarterdeck/projections';
import { variableChanges } from '@quarterdeck/projections';
import { changesInWords, comparedIn, comparisonOf, cut, envIn, inEnv } from './variable-words';

const variable = (key: string, env: number, fingerprint: string) =>
  ({ key, env: { id: env }, fingerprint }) as VariableView;

it('compares two environments by fingerprint, whatever a third one lacks', () => {
  const found = comparisonOf(
    [
      ...[1, 3].map((env) => variable('SAME', env, 'a')),
      ...[1, 2, 3].map((env) => variable('OTHER', env, env === 3 ? 'b' : 'a')),
      variable('ONLY_DEV', 1, 'a'),
      variable('ONLY_PROD', 3, 'a'),
      variable('ONLY_TEST', 2, 'a'),
    ],
    1,
    3,
  );
  const keys = Object.entries(found).map(([group, pairs]) => [group, pairs.map(({ key }) => key)]);
  expect(keys).toEqual([
    ['different', ['OTHER']],
    ['onlyFrom', ['ONLY_DEV']],
    ['onlyTo', ['ONLY_PROD']],
    ['same', ['SAME']],
  ]);
});

it('compares dev and prod when the address names no environments', () => {
  const inAddress = (search: string) => comparedIn(new URLSearchParams(search));
  expect(['', 'from=test&to=dev', 'from=none'].map(inAddress)).toEqual([
    [1, 3],
    [2, 1],
    [1, 3],
  ]);
});

it('cuts a value after 40 characters, and defaults to dev when the address names no environment', () => {
  expect(cut('x'.repeat(40))).toBe('x'.repeat(40));
  expect(cut('x'.repeat(41))).toBe(`${'x'.repeat(40)}…`);
  expect(['', 'env=prod', 'env=none'].map((search) => envIn(new URLSearchParams(search)))).toEqual([1, 3, 1]);
  expect([inEnv('/a', 1), inEnv('/a', 2)]).toEqual(['/a', '/a?env=test']);
});

it('says what the next deploy changes, by fingerprint', () => {
  const running = [variable('KEPT', 1, 'a'), variable('OTHER', 1, 'a'), variable('GONE', 1, 'a')];
  const saved = [variable('KEPT', 1, 'a'), variable('OTHER', 1, 'b'), variable('NEW', 1, 'c')];
  const changes = variableChanges(running, saved);
  expect(changesInWords(changes)).toBe('adds NEW, changes OTHER and removes GONE');
  expect(changesInWords({ ...changes, added: [], removed: [] })).toBe('changes OTHER');
  expect(variableChanges(saved, saved)).toEqual({ added: [], changed: [], removed: [] });
});
