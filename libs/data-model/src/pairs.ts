import type { Named } from './structure';

/** Compares by id: parts of the first only, of the second only, and of both. */
export function pairs<T extends Named>(from: readonly T[], to: readonly T[]) {
  const [before, after] = [from, to].map((all) => new Map(all.map((one) => [one.id, one]))) as [
    Map<string, T>,
    Map<string, T>,
  ];
  return {
    gone: from.filter(({ id }) => !after.has(id)),
    added: to.filter(({ id }) => !before.has(id)),
    kept: to.flatMap((is): [T, T][] => {
      const was = before.get(is.id);
      return was ? [[was, is]] : [];
    }),
  };
}
