/** What adoption edits in the words of an engine. They name tables and columns as they were at the import. Pure. */
import type { NativeColumn, NativePart, NativeTable } from './model';
import { withNames, withPlaces } from './native';
import { identified, isSamePart, isSameText } from './plan-parts';
import { quoted } from './quoted';
import { partNames, type Table } from './structure';

/** Of one table of a database, the names that the model has for it and, by their own names, for its columns. */
export interface NamesAtImport {
  readonly table: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** Each text of a database in the names that the model knows. */
export class AtImport {
  /** @param names by the name of the table */
  constructor(private readonly names: (table: string) => NamesAtImport | undefined) {}

  column(native: NativeColumn, table: string): NativeColumn {
    const { dialect, as, of, type, rest } = native;
    const text = this.textOf(table, dialect);
    return {
      dialect,
      as: this.nameOf(table, as),
      of,
      type,
      ...(rest !== undefined && { rest: text(rest) }),
    };
  }

  table(native: NativeTable): NativeTable {
    const { as: table, options } = native;
    const text = this.textOf(table, native.dialect);
    const here = (names: readonly string[]) => names.map((name) => this.nameOf(table, name));
    return {
      ...native,
      as: this.names(table)?.table ?? table,
      columns: here(native.columns),
      key: here(native.key),
      ...(options !== undefined && { options: text(options) }),
      parts: native.parts.map(({ target, targetColumns, ...part }): NativePart => ({
        ...part,
        name: part.kind === 'comment' ? text(part.name) : part.name,
        text: text(part.text),
        ...(part.columns && { columns: here(part.columns) }),
        ...(target !== undefined && {
          target: this.names(target)?.table ?? target,
          targetColumns: targetColumns?.map((name) => this.nameOf(target, name)),
        }),
      })),
    };
  }

  private nameOf(table: string, column: string): string {
    return this.names(table)?.columns.get(column) ?? column;
  }

  private textOf(table: string, dialect: NativeTable['dialect']): (text: string) => string {
    const columns = this.names(table)?.columns ?? new Map<string, string>();
    if ([...columns].every(([name, as]) => name === as)) return (text) => text;
    return (text) =>
      withPlaces(
        withNames(text, dialect, (name) => (columns.has(name) ? name : undefined)),
        (name) => quoted(columns.get(name) ?? name, dialect),
      );
  }
}

interface Sides {
  readonly was: NativeTable;
  readonly is: NativeTable;
  readonly found: NativeTable;
  /** The table of `was`. */
  readonly table: Table;
  /** The attributes of `was`, one for each column of the table. */
  readonly attributes: readonly { readonly native?: NativeColumn | undefined }[];
}

export interface AdoptedTable {
  /** Undefined if nothing is adopted. */
  readonly native: NativeTable | undefined;
  /** The parts that are new or different in it. */
  readonly parts: readonly NativePart[];
  /** Some of it has edits that are in no version yet. */
  readonly isPending: boolean;
}

export function adoptedTable({ was, is, found, table, attributes }: Sides): AdoptedTable {
  const live = liveIn(table, attributes, was.dialect);
  // Keys and indexes that come from attributes are none of the parts.
  const ours = new Set(partNames({ tables: [table] }));
  const parts = merged(
    {
      was: identified(was.parts).filter(({ id }) => live.has(id)),
      is: identified(is.parts),
      found: identified(found.parts).filter(({ name }) => !ours.has(name)),
    },
    (one, other) => isSamePart(one.part, other.part),
  );
  const isFound = new Set(needsOf(found).map(({ id }) => id));
  // One that is needed no more is created for nothing, which hinders nobody.
  const needs = merged(
    { was: needsOf(was).filter(({ id }) => isFound.has(id)), is: needsOf(is), found: needsOf(found) },
    (one, other) => isSameText(one.need.text, other.need.text),
  );
  const options = merged({ was: optionsOf(was), is: optionsOf(is), found: optionsOf(found) }, (one, other) =>
    isSameText(one.options, other.options),
  );
  const all = [parts, needs, options];
  const isPending = all.some((one) => one.isPending);
  if (all.every((one) => !one.isChanged)) return { native: undefined, parts: [], isPending };
  const itsParts = parts.all.map(({ part }) => part);
  return {
    native: {
      ...is,
      columns: [...new Set([...is.columns, ...found.columns])],
      key: itsParts.find(({ kind }) => kind === 'key')?.columns ?? [],
      options: options.all[0]?.options,
      needs: needs.all.map(({ need }) => need),
      parts: itsParts,
    },
    parts: parts.taken.map(({ part }) => part),
    isPending,
  };
}

const needsOf = ({ needs = [] }: NativeTable) =>
  needs.map((need) => ({ id: `${need.kind} ${need.name}`, need }));

const optionsOf = ({ options = '' }: NativeTable) => (options === '' ? [] : [{ id: 'options', options }]);

/** The parts that the structure has. Others name columns that were removed from the model. */
function liveIn(
  { columns, native }: Table,
  attributes: Sides['attributes'],
  dialect: NativeTable['dialect'],
): ReadonlySet<string> {
  const names = new Map(columns.map(({ id }, at) => [id, attributes[at]?.native?.as ?? id]));
  const parts = (native?.parts ?? []).map((part) => ({
    ...part,
    name:
      part.kind === 'comment'
        ? withPlaces(part.name, (id) => quoted(names.get(id) ?? id, dialect))
        : part.name,
  }));
  return new Set(identified(parts).map(({ id }) => id));
}

/** What is there now, with what the database has otherwise than the version. Edits that are in no version yet stay. */
function merged<T extends { readonly id: string }>(
  sides: { readonly was: readonly T[]; readonly is: readonly T[]; readonly found: readonly T[] },
  isEqual: (one: T, other: T) => boolean,
) {
  const [was, is, found] = [sides.was, sides.is, sides.found].map(
    (all) => new Map(all.map((one) => [one.id, one])),
  ) as [Map<string, T>, Map<string, T>, Map<string, T>];
  const isSame = (one: T | undefined, other: T | undefined): boolean =>
    one && other ? isEqual(one, other) : one === other;
  const taken: T[] = [];
  const all = new Map(is);
  let [isPending, isChanged] = [false, false];
  for (const id of new Set([...was.keys(), ...found.keys()])) {
    const [had, has, real] = [was.get(id), is.get(id), found.get(id)];
    if (isSame(had, real) || isSame(has, real)) continue;
    if (!isSame(had, has)) isPending = true;
    else {
      isChanged = true;
      if (real) taken.push(real);
      if (real) all.set(id, real);
      else all.delete(id);
    }
  }
  return { all: [...all.values()], taken, isPending, isChanged };
}

/** Whether a part names the column, which then has to be one of the import. */
export const namesColumn = (
  { name, text, columns = [] }: NativePart,
  column: string,
  dialect: NativeTable['dialect'],
): boolean => columns.includes(column) || `${name} ${text}`.includes(quoted(column, dialect));
