/** Reads a value from an answer: a header by its name, or a value in JSON by its path. Pure. */

const STEPS = /\[("(?:[^"\\]|\\.)*")\]|\[(\d+)\]|[^.[\]]+/g;

const unquoted = (text: string): string => {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
};

/** `data.items[0].id`, `data["order.id"]` @returns undefined if there is none */
export const valueAt = (json: unknown, path: string): unknown => {
  const steps = [...path.replace(/^\$\.?/, '').matchAll(STEPS)].map(([step, quoted, at]) =>
    quoted === undefined ? (at ?? step) : unquoted(quoted),
  );
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
