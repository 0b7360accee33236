/** Tables, columns and keys: derived from a model, or read from a database. */
import type { AttributeType, Dialect, NativeNeed, NativePart } from './model';
import { withOtherName, withOtherPlaces } from './native';

/** The id survives renames. Parts read from a database have their name as id. */
export interface Named {
  readonly id: string;
  readonly name: string;
}

export interface Structure {
  /** Of a structure that was read from a database. */
  readonly dialect?: Dialect;
  readonly tables: readonly Table[];
  /** The server compares the names of tables without case, and may have changed their case. */
  readonly caseless?: boolean;
  /** Names of views, which a model cannot express. */
  readonly views?: readonly string[];
  /** Routines, events and other schemas, in words. */
  readonly others?: readonly string[];
  /** Columns that views read, as far as the server tells. */
  readonly uses?: readonly ViewUse[];
}

export interface ViewUse {
  readonly view: string;
  readonly table: string;
  /** Empty for the table itself: `count(*)` reads no column. */
  readonly column: string;
}

export interface Table extends Named {
  readonly key: KeyType;
  readonly columns: readonly Column[];
  /** Parts that a model cannot express, in words: keys over several columns, checks, triggers, manual indexes. */
  readonly extras: readonly string[];
  /** Of an imported table: all its parts. Then all columns are among `columns`, and the key is one of the parts. */
  readonly native?: NativeStructure | undefined;
  /** Of a table that was read from a database: the table as an import would describe it. */
  readonly exact?: ExactTable | undefined;
  /** The table whose rows this one holds a part of. */
  readonly partitionOf?: string | undefined;
}

/** `columns`: with those of the key, and with the type that a model has for them. `extras`: triggers and such. */
export interface ExactTable extends Pick<Table, 'columns' | 'extras'> {
  readonly native: NativeStructure;
}

/** In its texts and lists, columns are named by their ids, and so is the table that a foreign key points to. */
export interface NativeStructure {
  readonly dialect: Dialect;
  /** The name of the table at the import. Names of parts for another engine are made from it. */
  readonly as: string;
  readonly options?: string | undefined;
  readonly needs: readonly NativeNeed[];
  readonly parts: readonly NativePart[];
}

export interface Column extends Named {
  readonly type: ColumnType;
  readonly required: boolean;
  readonly reference?: Reference | undefined;
  /** The name of the index over this column alone. */
  readonly index?: string | undefined;
  /** Parts that a model cannot express, in words: a default, the action of a foreign key on deletion. */
  readonly extras?: readonly string[];
  /** The exact column, for its engine. */
  readonly native?: ExactColumn | undefined;
}

export interface ExactColumn {
  readonly dialect: Dialect;
  readonly type: string;
  /** Columns of the table are named by their ids. */
  readonly rest?: string | undefined;
}

export interface Reference {
  readonly name: string;
  /** The id of the referenced table. */
  readonly table: string;
  /** The id of its key column, if that is not `id`. */
  readonly column?: string;
}

export type StoredType = Exclude<AttributeType, 'ForeignKey'> | 'Uuid';

/** The key of an imported table, which is one of its parts. */
export const NATIVE_KEY = 'of attributes';

/** A stored type, or the database's own name for a type that a model cannot express. */
export type ColumnType = StoredType | (string & {});

/** `Long`, `Uuid`, or words for a primary key that a model cannot express. */
export type KeyType = 'Long' | 'Uuid' | (string & {});

/** `0000-00-00` and its like, which servers refuse as a default unless their mode says otherwise. */
const ZERO_DATE = /\bDEFAULT '\d{4}-(?:00-\d\d|\d\d-00)/;

export const hasZeroDates = ({ tables }: Structure): boolean =>
  tables.some(({ columns, exact }) =>
    (exact?.columns ?? columns).some(({ native }) => ZERO_DATE.test(native?.rest ?? '')),
  );

/** Replaces the ids, including those in references and texts. */
export const withIds = (
  structure: Structure,
  tableId: (table: Table) => string,
  columnId: (column: Column, table: Table) => string,
): Structure => {
  const ids = new Map(structure.tables.map((table) => [table.id, tableId(table)]));
  const columnsIn = new Map(
    structure.tables
      .filter(({ native }) => native)
      .map((table) => [table.id, new Map(table.columns.map((one) => [one.id, columnId(one, table)]))]),
  );
  const referring = ({ table, column, ...reference }: Reference): Reference => ({
    ...reference,
    table: ids.get(table) ?? table,
    ...(column !== undefined && { column: columnsIn.get(table)?.get(column) ?? column }),
  });
  return {
    ...structure,
    tables: structure.tables.map((table) => {
      const { exact: _exact, ...rest } = table;
      const its = columnsIn.get(table.id);
      const here = (id: string): string => its?.get(id) ?? id;
      const texts = (text: string): string => withOtherPlaces(text, here);
      const part = (one: NativePart): NativePart => ({
        ...one,
        name: withOtherName(one, here),
        text: texts(one.text),
        ...(one.columns && { columns: one.columns.map(here) }),
        ...(one.target !== undefined && {
          target: ids.get(one.target) ?? one.target,
          targetColumns: one.targetColumns?.map((id) => columnsIn.get(one.target ?? '')?.get(id) ?? id),
        }),
      });
      return {
        ...rest,
        id: tableId(table),
        ...(table.native && {
          native: {
            ...table.native,
            ...(table.native.options !== undefined && { options: texts(table.native.options) }),
            parts: table.native.parts.map(part),
          },
        }),
        columns: table.columns.map((column) => ({
          ...column,
          id: columnId(column, table),
          ...(column.reference && { reference: referring(column.reference) }),
          ...(column.native?.rest !== undefined && withText(column, column.native, texts)),
        })),
      };
    }),
  };
};

export const textOf = ({ type, rest = '' }: ExactColumn): string => `${type} ${rest}`.trim();

/** In the words of one engine, the text is the column's type as well. */
const withText = (column: Column, native: ExactColumn, texts: (text: string) => string): Partial<Column> => {
  const changed = { ...native, rest: texts(native.rest ?? '') };
  return { native: changed, ...(column.type === textOf(native) && { type: textOf(changed) }) };
};

/** The names of keys and indexes of single columns. */
export const partNames = ({ tables }: Pick<Structure, 'tables'>): string[] =>
  tables.flatMap(({ columns }) =>
    columns.flatMap(({ index, reference }) => [index, reference?.name].filter((name) => name !== undefined)),
  );

/** How the server of this structure compares the names of tables. */
export const foldOf =
  ({ caseless = false }: Pick<Structure, 'caseless'>) =>
  (name: string): string =>
    caseless ? name.toLowerCase() : name;

/** Names the tables as the server of another structure does. */
export const asNamedIn = (actual: Structure, structure: Structure): Structure => {
  if (!actual.caseless) return structure;
  const fold = foldOf(actual);
  const real = new Map(actual.tables.map(({ name }) => [fold(name), name]));
  const tables = structure.tables.map((one) => ({ ...one, name: real.get(fold(one.name)) ?? one.name }));
  return { ...structure, tables, caseless: true };
};

export const noStructure: Structure = { tables: [] };
