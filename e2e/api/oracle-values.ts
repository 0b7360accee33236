/** The oracle's values: what a request gives, whether it fits a type, and how it is compared and shown. */
import type { ApiAttribute, ApiModel, Values } from '@quarterdeck/api';

export type Row = Record<string, unknown>;
export type State = Map<string, Row[]>;

export class Refusal extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

export interface Question {
  readonly model: ApiModel;
  readonly state: State;
  readonly values: Values;
}

export const refuse = (status = 400): never => {
  throw new Refusal(status);
};

/** Numbers as bigints, times with six digits: what two values of a type are compared by. */
export function comparableOf(type: string, given: unknown): bigint | number | string {
  const text = String(given);
  if (type === 'Int' || type === 'Long') return BigInt(text);
  if (type === 'Double' || type === 'Boolean') return Number(given);
  if (type === 'BigDecimal') {
    const [whole = '', digits = ''] = text.replace('-', '').split('.');
    const size = BigInt(whole + digits.padEnd(10, '0'));
    return text.startsWith('-') ? -size : size;
  }
  if (type === 'LocalDateTime' || type === 'LocalTime') {
    const [base = '', digits = ''] = text.replace(' ', 'T').split('.');
    const full = base.split(':').length === 2 ? `${base}:00` : base;
    return `${full}.${digits.padEnd(6, '0')}`;
  }
  return text;
}

/** A value as the answer shows it. */
export function jsonOf({ type }: ApiAttribute, given: unknown): unknown {
  if (given === null) return null;
  const one = comparableOf(type, given);
  if (type === 'JSON') return given;
  if (type === 'Int' || type === 'Double') return Number(one);
  if (type === 'Boolean') return given === true || given === 'true';
  if (type === 'Long') return String(one);
  if (type === 'BigDecimal') {
    const digits = String(one).replace('-', '').padStart(11, '0');
    return `${(one as bigint) < 0n ? '-' : ''}${digits.slice(0, -10)}.${digits.slice(-10)}`;
  }
  if (type === 'LocalDateTime' || type === 'LocalTime')
    return String(one)
      .replace(/\.?0*$/, '')
      .replace(/:$/, ':00')
      .replace(/:(\d)$/, ':$10');
  return String(one);
}

export const isPlace = (given: unknown): given is { $: string; default?: unknown; optional?: true } =>
  typeof given === 'object' && given !== null && '$' in given;

export function at({ values }: Question, value: unknown): unknown {
  if (!isPlace(value)) return value;
  let found: unknown = values;
  for (const key of value.$.split('.'))
    found =
      typeof found === 'object' && found !== null && Object.keys(found).includes(key)
        ? (found as Row)[key]
        : undefined;
  return found === undefined ? value.default : found;
}

const FITS: Record<string, (text: string) => boolean> = {
  Int: (text) => /^-?\d+$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31,
  Long: (text) => /^-?\d{1,19}$/.test(text),
  BigDecimal: (text) => /^-?\d{1,28}(\.\d{1,10})?$/.test(text),
  Double: (text) => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text),
  Boolean: (text) => text === 'true' || text === 'false',
  LocalDate: (text) =>
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && !text.endsWith('02-30'),
  LocalDateTime: (text) => /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text),
  LocalTime: (text) => /^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text),
  Uuid: (text) => /^[\da-f-]{36}$/i.test(text),
  String: () => true,
};
const OF_TEXT = ['LocalDate', 'LocalDateTime', 'LocalTime', 'Uuid', 'String'];

/** Refuses what is no value of the type. */
export function checked({ type }: ApiAttribute, given: unknown): unknown {
  const isText = typeof given === 'string';
  const fits = isText
    ? FITS[type]?.(given) === true && !given.includes('\0')
    : (typeof given === 'number' &&
        !OF_TEXT.includes(type) &&
        type !== 'Boolean' &&
        FITS[type]?.(String(given))) ||
      (typeof given === 'boolean' && type === 'Boolean');
  if (!fits) refuse();
  return type === 'Boolean'
    ? String(given) === 'true'
      ? 1
      : 0
    : type === 'Uuid'
      ? String(given).toLowerCase()
      : given;
}

export const count = (question: Question, given: unknown, least: number, most: number): number => {
  const found = at(question, given);
  const fits =
    (typeof found === 'number' && Number.isInteger(found)) ||
    (typeof found === 'string' && /^\d+$/.test(found));
  return fits && Number(found) >= least && Number(found) <= most ? Number(found) : refuse();
};
