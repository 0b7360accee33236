/** SQL that counts rows before the first step, which has to know tables and columns by their names of that time. Pure. */
import type { Dialect } from './model';
import { quoted } from './quoted';
import { inBoth } from './sql';
import type { Column, Named, Table } from './structure';

type Sql = Readonly<Record<Dialect, string>>;

/** Columns of a table, as they are before the first step. */
interface CountedColumns {
  readonly table: Named;
  readonly columns: readonly (Named & Pick<Column, 'type' | 'native'>)[];
}

export interface Counter {
  /** Counts the rows of a table, or those that match the condition; undefined if there can be none. */
  rows(table: Table, column?: Column, condition?: 'is null' | 'is not null'): Sql | undefined;
  /** Undefined if one of the columns, or the table, has no rows from before the first step. */
  place(table: Table, columns: readonly Column[]): CountedColumns | undefined;
}

export const countOf = (table: Table, column?: Column, condition?: string): Sql =>
  inBoth(
    (dialect) =>
      `select count(*) as rows_concerned from ${quoted(table.name, dialect)}` +
      (column === undefined ? '' : ` where ${quoted(column.name, dialect)} ${condition}`),
  );

/** Before the first step of all. */
export const atOnce: Counter = { rows: countOf, place: (table, columns) => ({ table, columns }) };

const given = (columns: readonly string[]): string =>
  columns.map((one) => `${one} is not null`).join(' and ');

/** Counts the rows whose values are no key of the target. Without a target, no key exists yet. */
export const countWithoutKey = (
  { table, columns }: CountedColumns,
  target: CountedColumns | undefined,
): Sql =>
  inBoth((dialect) => {
    const name = quoted(table.name, dialect);
    const its = columns.map((column) => `${name}.${quoted(column.name, dialect)}`);
    const rows = `select count(*) as rows_concerned from ${name} where ${given(its)}`;
    if (!target) return rows;
    const same = target.columns.map(
      (column, at) => `quarterdeck_keys.${quoted(column.name, dialect)} = ${its[at]}`,
    );
    return `${rows} and not exists (select 1 from ${quoted(target.table.name, dialect)} as quarterdeck_keys where ${same.join(' and ')})`;
  });

/** Counts the rows that have the same values as others. */
export const countTwice = ({ table, columns }: CountedColumns): Sql =>
  inBoth((dialect) => {
    const its = columns.map(({ name }) => quoted(name, dialect));
    return (
      `select coalesce(sum(its_rows), 0) as rows_concerned from (select count(*) as its_rows from ${quoted(table.name, dialect)}` +
      ` where ${given(its)} group by ${its.join(', ')} having count(*) > 1) as quarterdeck_twice`
    );
  });
