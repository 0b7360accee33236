/** Values of an instance's data in texts of a node: `{{data.order.id}}`. Pure, and without expressions. */
import { MAX_WORKFLOW_DATA, type Json } from './workflow-graph';

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

export interface Filled<T> {
  value: T;
  /** The paths that a text names and the data do not have. */
  missing: readonly string[];
  /** What was filled in is longer than data may be. The value lacks the rest of it. */
  isTooLarge: boolean;
}

/** A short text may name the same long value a thousand times, so what is filled in is counted. */
class Filling {
  readonly missing: string[] = [];
  private characters = 0;

  constructor(private readonly data: Json) {}

  get isTooLarge(): boolean {
    return this.characters > MAX_WORKFLOW_DATA;
  }

  in(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(PLACE, (_, path: string) => this.at(path));
    if (Array.isArray(value)) return value.map((one) => this.in(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.in(one)]));
  }

  private at(path: string): string {
    if (this.isTooLarge) return '';
    const value = valueAt(this.data, path);
    if (value === undefined) this.missing.push(`data${path}`);
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    this.characters += text.length;
    return text;
  }
}

/** What a node does, with the values of the data in its texts. */
export const filledFrom = <T>(does: T, data: Json): Filled<T> => {
  const filling = new Filling(data);
  const value = filling.in(does) as T;
  return { value, missing: filling.missing, isTooLarge: filling.isTooLarge };
};

/** The data with the result of a node under its key. Data that are no object are replaced by one. */
export const dataWith = (data: Json, keepAs: string, result: Json): Json => {
  if (keepAs === '') return data;
  const own = typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
  return { ...own, [keepAs]: result };
};
