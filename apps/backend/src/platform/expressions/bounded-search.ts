/**
 * A search of one long text in another is a single built-in function of V8, which neither a deadline nor `terminate()` can
 * end, and in the worst case it takes (length of one) x (length of the other) steps. So a search that could take too long
 * fails at once. Only threads import it, and only during an evaluation: it replaces methods of the thread.
 */
const MAX_STEPS = 500_000_000;

const names = ['includes', 'indexOf', 'lastIndexOf', 'split'] as const;
type Search = (this: string, sought: string, ...rest: unknown[]) => unknown;

export const withBoundedSearch = <T>(work: () => T): T => {
  const prototype = String.prototype as unknown as Record<(typeof names)[number], Search>;
  const originals = names.map((name) => [name, prototype[name]] as const);
  for (const [name, original] of originals)
    prototype[name] = function (sought, ...rest) {
      if (typeof sought === 'string' && this.length * sought.length > MAX_STEPS)
        throw new RangeError('these texts are too long to look for one in the other');
      return original.call(this, sought, ...rest);
    };
  try {
    return work();
  } finally {
    for (const [name, original] of originals) prototype[name] = original;
  }
};
