/** A JSON value as the rows of a tree. A closed value is one row, so only what is open costs anything. Pure. */

export interface JsonRow {
  /** Where the value is: `data.items[0]`; empty for the whole. Unique. */
  path: string;
  depth: number;
  /** Its key or index; undefined for the whole. */
  key?: string;
  /** The value in JSON, or what a list or an object contains. */
  text: string;
  kind: 'string' | 'number' | 'boolean' | 'null' | 'list' | 'object';
  /** Whether it is open; undefined for what cannot be opened. */
  open?: boolean;
}

/** Deeper values are closed at first. */
export const OPEN_DEPTH = 2;
const SHOWN_CHARACTERS = 500;

const kindOf = (value: unknown): JsonRow['kind'] => {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'list';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
};

const count = (many: number, one: string, more: string): string => `${many} ${many === 1 ? one : more}`;

const textOf = (value: unknown, kind: JsonRow['kind']): string => {
  if (kind === 'list') return `[${count((value as unknown[]).length, 'element', 'elements')}]`;
  if (kind === 'object') return `{${count(Object.keys(value as object).length, 'key', 'keys')}}`;
  const text = JSON.stringify(value) ?? 'null';
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
};

const below = (path: string, key: string, isList: boolean): string => {
  if (isList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};

interface Seen {
  path: string;
  depth: number;
  key?: string;
}

/** @param changed paths of values that are open although closed at first, or the other way round */
export const rowsOf = (json: unknown, changed: ReadonlySet<string>): JsonRow[] => {
  const rows: JsonRow[] = [];
  const add = (value: unknown, { path, depth, key }: Seen): void => {
    const kind = kindOf(value);
    const entries = kind === 'list' || kind === 'object' ? Object.keys(value as object) : [];
    const isOpen = entries.length > 0 && depth < OPEN_DEPTH !== changed.has(path);
    rows.push({
      path,
      depth,
      ...(key !== undefined && { key }),
      text: textOf(value, kind),
      kind,
      ...(entries.length > 0 && { open: isOpen }),
    });
    if (!isOpen) return;
    for (const one of entries)
      add((value as Record<string, unknown>)[one], {
        path: below(path, one, kind === 'list'),
        depth: depth + 1,
        key: one,
      });
  };
  add(json, { path: '', depth: 0 });
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
    const key = changed.join('\n');
    if (bytes || !this.rows || key !== this.changed) {
      this.rows = rowsOf(this.json, new Set(changed));
      this.changed = key;
    }
    return { is: 'rows', count: this.rows.length, from, rows: this.rows.slice(from, to) };
  }
}
