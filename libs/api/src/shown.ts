/** How a value is read, so that both engines give the same JSON: long numbers and decimals as texts, times as ISO. */
import type { ApiAttribute } from './api-model';
import { column, type Writing } from './sql';

/** Types of columns that PostgreSQL makes a JSON text of by itself. */
const PLAIN_TEXT = /^(character|varchar|bpchar|char|text|name$|enum|uuid$)/i;

export const shownSql = (writing: Writing, table: string, attribute: ApiAttribute): string => {
  const col = column(writing, table, attribute);
  return writing.dialect === 'postgresql' ? inPostgresql(col, attribute) : inMysql(col, attribute);
};

const inPostgresql = (col: string, { type, native }: ApiAttribute): string => {
  switch (type) {
    case 'Long':
    case 'Uuid':
      return `${col}::text`;
    case 'BigDecimal':
      return `${col}${native === 'money' ? '::numeric' : ''}::text`;
    case 'LocalDateTime':
      return /with time zone|timestamptz/i.test(native ?? '') ? `(${col} at time zone 'UTC')` : col;
    case 'LocalTime':
      return /with time zone|timetz/i.test(native ?? '') ? `(${col}::time)` : col;
    case 'String':
      return native === undefined || PLAIN_TEXT.test(native) ? col : `${col}::text`;
    default:
      return col;
  }
};

const inMysql = (col: string, { type, comparable }: ApiAttribute): string => {
  switch (type) {
    case 'Long':
    case 'Uuid':
    case 'BigDecimal':
    case 'JSON':
      return `cast(${col} as char)`;
    case 'LocalDate':
      return `date_format(${col}, '%Y-%m-%d')`;
    case 'LocalDateTime':
      return `date_format(${col}, '%Y-%m-%dT%H:%i:%s.%f')`;
    case 'LocalTime':
      return `time_format(${col}, '%H:%i:%s.%f')`;
    case 'Boolean':
      return `${col} + 0`;
    case 'String':
      return comparable ? col : `to_base64(${col})`;
    default:
      return col;
  }
};

/** What the statements of MySQL give. */
export type MysqlValue = string | number | bigint | null | undefined;

/** A value as MySQL gave it, as JSON has it. */
export const fromMysql = ({ type, comparable }: ApiAttribute, given: MysqlValue): unknown => {
  if (given === null || given === undefined) return null;
  switch (type) {
    case 'Boolean':
      return Number(given) !== 0;
    case 'Int':
    case 'Double':
      return Number(given);
    case 'JSON':
      return JSON.parse(String(given)) as unknown;
    case 'LocalDateTime':
    case 'LocalTime':
      // As PostgreSQL: without zeros at the end of the fraction.
      return String(given).replace(/\.(\d*?)0+$/, (_, digits: string) => (digits === '' ? '' : `.${digits}`));
    case 'String':
      return comparable ? String(given) : String(given).replaceAll('\n', '');
    default:
      return String(given);
  }
};
