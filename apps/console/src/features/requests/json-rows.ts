/** A JSON value as the rows of a tree. A closed value is one row, so only what is open costs anything. Pure. */

export interface JsonRow {
  /** Where the value is: `data.items[0]`; empty for the whole. Unique. */
  path: string;
  depth: number;
  /** Its key or index, or the range of a group; undefined for the whole. */
  key?: string;
  /** The value in JSON, or what a list or an object contains. */
  text: string;
  kind: 'string' | 'number' | 'boolean' | 'null' | 'list' | 'object';
  /** Whether it is open; undefined for what cannot be opened. */
  open?: boolean;
  /** Whether it is a range of the entries of its parent. */
  isGroup?: true;
  /** The row that contains it. */
  parent?: number;
  /** Its place among the rows of its parent, from 1. */
  place: number;
  /** How many rows its parent has. */
  of: number;
}

/** Deeper values are closed at first. */
export const OPEN_DEPTH = 2;
/** More entries than this are shown in groups, of which the first is open. 5 MB may be a list of two million numbers. */
export const GROUP = 1000;
const SHOWN_CHARACTERS = 500;

const kindOf = (value: unknown): JsonRow['kind'] => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
};

const many = (count: number, isList: boolean): string => {
  if (isList) return `[${count} ${count === 1 ? 'element' : 'elements'}]`;
  return `{${count} ${count === 1 ? 'key' : 'keys'}}`;
};

const textOf = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};

/** The address of a value within another. What could be taken for part of an address is quoted. */
export const below = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (key === '' || /[.[\]"]/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};

type RowPlace = Pick<JsonRow, 'depth' | 'key' | 'parent' | 'place' | 'of'>;

/** @param changed paths of values that are open although closed at first, or the other way round */
export const rowsOf = (json: unknown, changed: ReadonlySet<string>): JsonRow[] => {
  const rows: JsonRow[] = [];
  const isOpen = (path: string, first: boolean): boolean => first !== changed.has(path);

  const add = (value: unknown, path: string, place: RowPlace): void => {
    const kind = kindOf(value);
    if (kind !== 'list' && kind !== 'object') {
      rows.push({ path, ...place, text: textOf(value), kind });
      return;
    }
    const keys = kind === 'object' ? Object.keys(value as object) : undefined;
    const count = keys?.length ?? (value as unknown[]).length;
    const open = count > 0 && isOpen(path, place.depth < OPEN_DEPTH);
    rows.push({ path, ...place, text: many(count, keys === undefined), kind, ...(count > 0 && { open }) });
    if (open) addEntries(value as object, path, { kind, keys, count, depth: place.depth + 1 });
  };

  interface Entries {
    kind: 'list' | 'object';
    /** Of an object. */
    keys: readonly string[] | undefined;
    count: number;
    depth: number;
  }

  const addEntries = (value: object, path: string, entries: Entries): void => {
    const { kind, keys, count, depth } = entries;
    const parent = rows.length - 1;
    if (count <= GROUP) return addRange(value, path, entries, { from: 0, to: count, depth, parent });
    const groups = Math.ceil(count / GROUP);
    for (let at = 0; at < groups; at += 1) {
      const from = at * GROUP;
      const to = Math.min(count, from + GROUP);
      const key = keys ? `keys ${from + 1} to ${to}` : `${from} to ${to - 1}`;
      const group = `${path}[${from}…${to - 1}]`;
      const open = isOpen(group, at === 0);
      const place = { depth, key, parent, place: at + 1, of: groups, isGroup: true as const };
      rows.push({ path: group, ...place, text: many(to - from, keys === undefined), kind, open });
      if (open) addRange(value, path, entries, { from, to, depth: depth + 1, parent: rows.length - 1 });
    }
  };

  interface Range {
    from: number;
    to: number;
    depth: number;
    parent: number;
  }

  const addRange = (value: object, path: string, { keys }: Entries, range: Range): void => {
    const { from, to, depth, parent } = range;
    for (let at = from; at < to; at += 1) {
      const key = keys?.[at] ?? at;
      const place = { depth, key: String(key), parent, place: at - from + 1, of: to - from };
      add((value as Record<string | number, unknown>)[key], below(path, key), place);
    }
  };

  add(json, '', { depth: 0, place: 1, of: 1 });
  return rows;
};

export interface JsonAsked {
  /** UTF-8. Only in the first question. */
  bytes?: ArrayBuffer;
  changed: readonly string[];
  from: number;
  to: number;
}

export type JsonTold =
  | { is: 'rows'; count: number; from: number; rows: readonly JsonRow[] }
  | { is: 'no JSON'; reason: string };

/** Keeps the parsed value and its rows between questions. */
export class JsonReader {
  private json: unknown;
  private rows: readonly JsonRow[] | undefined;
  private changed = '';

  answer({ bytes, changed, from, to }: JsonAsked): JsonTold {
    try {
      if (bytes) this.json = JSON.parse(new TextDecoder().decode(bytes));
    } catch (error) {
      return { is: 'no JSON', reason: (error as Error).message };
    }
    const key = JSON.stringify(changed);
    if (bytes || !this.rows || key !== this.changed) {
      this.rows = rowsOf(this.json, new Set(changed));
      this.changed = key;
    }
    return { is: 'rows', count: this.rows.length, from, rows: this.rows.slice(from, to) };
  }
}
