/** Reads a value from an answer: a header by its name, or a value in JSON by its path. Pure. */

const STEPS = /[^.[\]]+|\[(\d+)\]/g;

/** `data.items[0].id` @returns undefined if there is none */
export const valueAt = (json: unknown, path: string): unknown => {
  const steps = [...path.replace(/^\$\.?/, '').matchAll(STEPS)].map(([step, at]) => at ?? step);
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined,
    json,
  );
};

export interface ReadableAnswer {
  headers: readonly (readonly [string, string])[];
  text: string;
}

/** @returns undefined if the answer has no such value */
export const outputOf = (
  { headers, text }: ReadableAnswer,
  { location, source }: { location: 'Payload' | 'Headers'; source: string },
): string | undefined => {
  if (location === 'Headers')
    return headers.find(([name]) => name.toLowerCase() === source.toLowerCase())?.[1];
  try {
    const value = valueAt(JSON.parse(text), source);
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : JSON.stringify(value);
  } catch {
    return undefined;
  }
};
