/** What a database answers to the questions about its structure. */
import type { ExactAnswers } from './exact-postgresql';

/** MySQL returns booleans as bigint, which the driver passes on as text. */
export type Truth = boolean | number | string;

export const isTrue = (truth: Truth): boolean => Number(truth) !== 0;

export interface ColumnRow {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly nullable: Truth;
  /** The column generates its numbers (auto-increment or identity). */
  readonly counts: Truth;
  /** The default value. Without one, MySQL returns null and MariaDB the text `NULL`. */
  readonly fallback: string | null;
}

export interface IndexRow {
  readonly table_name: string;
  readonly name: string;
  readonly is_primary: Truth;
  readonly is_unique: Truth;
  /** Separated by commas, in order. Null for an expression, which has no column name in MySQL. */
  readonly columns: string | null;
  /** The index covers all rows and has the default order and method. */
  readonly plain: Truth;
}

export interface ForeignKeyRow {
  readonly table_name: string;
  readonly name: string;
  readonly columns: string;
  readonly target: string;
  readonly target_columns: string;
  /** Action when the target row is deleted; null if the deletion is refused. */
  readonly rule: string | null;
}

interface CheckRow {
  readonly table_name: string;
  readonly name: string;
  readonly clause: string;
}

export interface ViewRow {
  readonly name: string;
  /** Only in MySQL, with all names quoted. Empty if the user may not see it. */
  readonly definition?: string | null;
}

export interface Answers {
  readonly columns: readonly ColumnRow[];
  readonly indexes: readonly IndexRow[];
  readonly foreignKeys: readonly ForeignKeyRow[];
  readonly checks: readonly CheckRow[];
  /** Triggers, rules and policies, in words. */
  readonly triggers: readonly { readonly table_name: string; readonly words: string }[];
  readonly views: readonly ViewRow[];
  /** What no import touches and no plan: routines, events, other schemas. In words. */
  readonly others: readonly { readonly words: string }[];
  /** Columns that views read. Only in PostgreSQL. */
  readonly uses?: readonly {
    readonly view: string;
    readonly table_name: string;
    readonly column_name: string;
  }[];
  /** How the server compares the names of tables. Only in MySQL. */
  readonly names?: readonly { readonly caseless: Truth }[];
}

/** The answers to the questions about exact tables: of MySQL, one statement for each table, by its name. */
export type Exact = { readonly mysql: ReadonlyMap<string, string> } | { readonly postgresql: ExactAnswers };
