/** Character sets in MySQL and MariaDB, which print that of a column only where it is not the one of its table. Pure. */
import type { Column } from './structure';

const TEXT = /^(?:(?:var)?char|(?:tiny|medium|long)?text|enum|set)\b/i;

/** As words of SQL after the type; empty if the type has none. */
export const charsetOf = (type: string): string =>
  /(?: CHARACTER SET \w+)?(?: COLLATE \w+)?$/i.exec(type)?.[0] ?? '';

/** The default of a table, from its options. */
export function charsetIn(options = ''): string {
  const [, charset, collation] = / DEFAULT CHARSET=(\w+)(?: COLLATE=(\w+))?/.exec(` ${options}`) ?? [];
  if (collation !== undefined) return ` COLLATE ${collation}`;
  return charset === undefined ? '' : ` CHARACTER SET ${charset}`;
}

/** @param options of the table of the column */
export const withCharset = (type: string, options?: string): string =>
  TEXT.test(type) && charsetOf(type) === '' ? type + charsetIn(options) : type;

/** A column whose character set and collation can be compared, whatever is the default of its table. */
export const spelledOut = (column: Column, options?: string): Column => {
  const { native, type } = column;
  if (native?.dialect !== 'mysql' || !type.startsWith(native.type)) return column;
  const full = withCharset(native.type, options);
  if (full === native.type) return column;
  return { ...column, type: full + type.slice(native.type.length), native: { ...native, type: full } };
};
