/**
 * What happens to the values of a column whose type changes. `e2e/data-model/conversions.spec.ts` shows it on both
 * engines. Pure.
 */
import type { ColumnType } from './structure';

/** `refuses`: every value is kept, or the database refuses. `loses`: values may change without a word. */
export type Risk = 'refuses' | 'loses';

type Changes = Partial<Record<ColumnType, readonly ColumnType[]>>;

const KEEPS: Changes = {
  Int: ['Long', 'BigDecimal', 'Double', 'String'],
  Long: ['BigDecimal', 'String'],
  Boolean: ['Int', 'Long', 'BigDecimal', 'Double', 'String'],
  LocalDate: ['LocalDateTime', 'String'],
  LocalDateTime: ['String'],
  LocalTime: ['String'],
  BigDecimal: ['String'],
  Double: ['String'],
  Uuid: ['String'],
};

const REFUSES: Changes = {
  Int: ['JSON'],
  Long: ['Int', 'JSON'],
  Boolean: ['JSON'],
  LocalDate: ['JSON'],
  LocalDateTime: ['JSON'],
  LocalTime: ['JSON'],
};

/** Types that a model cannot express, and the one that holds all their values, by the pattern of their names. */
const WIDER: readonly (readonly [RegExp, ColumnType])[] = [
  [/^(tinyint|smallint|mediumint)(\(\d+\))?( unsigned)?$/i, 'Int'],
  [/^int(\(\d+\))? unsigned$/i, 'Long'],
  [/^(float|real)$/i, 'Double'],
  [/^datetime(\(\d\))?$/i, 'LocalDateTime'],
  [/^timestamp(\(\d\))? without time zone$/i, 'LocalDateTime'],
  [/^time(\(\d\))?( without time zone)?$/i, 'LocalTime'],
];
const TEXT = /^(?:character varying|varchar)\((\d+)\)$|^(?:tiny|medium|long)?text$/i;
const DECIMAL = /^(?:decimal|numeric)\((\d+),(\d+)\)$/i;

/** Of a type that a model cannot express. */
const riskOfOther = (from: ColumnType, to: ColumnType): Risk | undefined => {
  const length = TEXT.exec(from);
  if (length && to === 'String') return Number(length[1] ?? Infinity) <= 255 ? undefined : 'refuses';
  const [, digits = 0, decimals = 0] = (DECIMAL.exec(from) ?? []).map(Number);
  if (digits > 0 && to === 'BigDecimal')
    return decimals <= 10 && digits - decimals <= 28 ? undefined : 'loses';
  const wider = WIDER.find(([pattern]) => pattern.test(from))?.[1];
  return wider === to ? undefined : wider === undefined ? 'loses' : riskOf(wider, to);
};

/** What is not known to be safe on both engines counts as losing: `007` that becomes 7, a date that becomes 00:00:00. */
export const riskOf = (from: ColumnType, to: ColumnType): Risk | undefined => {
  if (KEEPS[from]?.includes(to)) return undefined;
  if (REFUSES[from]?.includes(to)) return 'refuses';
  return from in KEEPS || from === 'JSON' ? 'loses' : riskOfOther(from, to);
};
