/** Values of an instance's data in texts of a node: `{{data.order.id}}`. Pure, and without expressions. */
import type { Json } from './workflow-graph';

const PLACE = /\{\{\s*data((?:\.\w+|\[\d+\])*)\s*\}\}/g;

const valueAt = (data: Json, path: string): Json | undefined => {
  let value: Json | undefined = data;
  for (const [, key, at] of path.matchAll(/\.(\w+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) value = value[Number(at ?? key)];
    else value = Object.hasOwn(value, key ?? at ?? '') ? value[key ?? at ?? ''] : undefined;
  }
  return value;
};

/** The paths that a text names and the data do not have. */
export type Filled<T> = { value: T; missing: readonly string[] };

const filledText = (text: string, data: Json, missing: string[]): string =>
  text.replaceAll(PLACE, (_, path: string) => {
    const value = valueAt(data, path);
    if (value === undefined) missing.push(`data${path}`);
    return typeof value === 'string' ? value : JSON.stringify(value ?? '');
  });

const filledIn = (value: unknown, data: Json, missing: string[]): unknown => {
  if (typeof value === 'string') return filledText(value, data, missing);
  if (Array.isArray(value)) return value.map((one) => filledIn(one, data, missing));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filledIn(one, data, missing)]));
};

/** What a node does, with the values of the data in its texts. */
export const filledFrom = <T>(does: T, data: Json): Filled<T> => {
  const missing: string[] = [];
  return { value: filledIn(does, data, missing) as T, missing };
};

/** The data with the result of a node under its key. Data that are no object are replaced by one. */
export const dataWith = (data: Json, keepAs: string, result: Json): Json => {
  if (keepAs === '') return data;
  const own = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
  return { ...own, [keepAs]: result };
};
