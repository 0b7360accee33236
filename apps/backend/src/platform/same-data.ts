/**
 * Whether two values of events or commands are the same. They are JSON: objects, arrays and plain values. Absent and
 * undefined fields count as the same, and constructors are ignored.
 */
export const sameData = (a: unknown, b: unknown): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [one, other] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return Object.keys({ ...one, ...other }).every((key) => sameData(one[key], other[key]));
};
