/** A copy of the parameters of an address with some changed; those given as `undefined` are removed. */
export const withParams = (
  before: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): URLSearchParams => {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  return next;
};
