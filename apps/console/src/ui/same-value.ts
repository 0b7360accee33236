/** Whether two values say the same. Pure. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const sameValue = (a: unknown, b: unknown): boolean => {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((one, at) => sameValue(one, b[at]));
  if (isObject(a) && isObject(b))
    return Object.keys({ ...a, ...b }).every((name) => sameValue(a[name], b[name]));
  return a === b;
};
