/** Which values fit a type, and the form in which a database gets them. */
import type { ApiAttribute, ApiType } from './api-model';
import { LIMITS } from './limits';

/** What a statement gets: texts of numbers that a JavaScript number would cut, dates and times as ISO. */
export type Parameter = string | number | boolean | null | readonly (string | number | boolean)[];
type Scalar = string | number | boolean;

/** Undefined if the value does not fit. */
type Check = (given: Scalar) => Scalar | undefined;

const WHOLE = /^-?\d{1,20}$/;

const wholeText = (given: Scalar): string | undefined =>
  (typeof given === 'string' && WHOLE.test(given)) ||
  (typeof given === 'number' && Number.isSafeInteger(given))
    ? BigInt(given).toString()
    : undefined;

const within = (least: bigint, most: bigint) => (given: Scalar) => {
  const text = wholeText(given);
  return text !== undefined && BigInt(text) >= least && BigInt(text) <= most ? text : undefined;
};

/** `Date.parse` takes the 30th of February for the 2nd of March. */
const isDay = (text: string): boolean => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return Number(year) >= 1 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
};
const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(text);
const ofText =
  (fits: (text: string) => string | undefined): Check =>
  (given) =>
    typeof given === 'string' ? fits(given) : undefined;

const text = (given: string): string | undefined =>
  given.length <= LIMITS.text && !given.includes('\0') && !/\p{Surrogate}/u.test(given) ? given : undefined;

const CHECKS: Record<ApiType, Check> = {
  String: ofText(text),
  Int: within(-(2n ** 31n), 2n ** 31n - 1n),
  Long: within(-(2n ** 63n), 2n ** 63n - 1n),
  Boolean: (given) =>
    given === true || given === 'true' ? true : given === false || given === 'false' ? false : undefined,
  LocalDate: ofText((given) => (isDay(given) ? given : undefined)),
  LocalDateTime: ofText((given) => {
    const [day = '', time = ''] = given.split(/[T ]/);
    const fits = given.length === day.length + 1 + time.length && isDay(day) && isTime(time);
    return fits ? `${day} ${time}` : undefined;
  }),
  LocalTime: ofText((given) => (isTime(given) ? given : undefined)),
  BigDecimal: (given) => {
    const written = typeof given === 'boolean' ? '' : String(given);
    return /^-?\d{1,28}(\.\d{1,10})?$/.test(written) ? written : undefined;
  },
  Double: (given) =>
    typeof given !== 'boolean' &&
    /^-?\d+(\.\d+)?(e[-+]?\d{1,3})?$/i.test(String(given)) &&
    Number.isFinite(Number(given))
      ? Number(given)
      : undefined,
  JSON: ofText(text),
  Uuid: ofText((given) =>
    /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(given) ? given.toLowerCase() : undefined,
  ),
};

/** What would be right. */
export const EXPECTED: Record<ApiType, string> = {
  String: 'a text',
  Int: 'a whole number from -2147483648 to 2147483647',
  Long: 'a whole number of at most 64 bits, as a text or a number',
  Boolean: 'true or false',
  LocalDate: 'a date such as 2026-11-28',
  LocalDateTime: 'a date and a time such as 2026-11-28T13:30:00',
  LocalTime: 'a time such as 13:30:00',
  BigDecimal: 'a decimal with at most 28 digits before the point and 10 after it, as a text or a number',
  Double: 'a number such as 1.5',
  JSON: 'JSON',
  Uuid: 'a UUID such as 01930000-0000-7000-8000-000000000001',
};

/** @returns undefined if the value does not fit the type. An object or a list fits none. */
export const scalarOf = (type: ApiType, given: unknown): Scalar | undefined =>
  typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean'
    ? CHECKS[type](given)
    : undefined;

const fitsJson = (given: unknown): string | undefined => {
  let written: string | undefined;
  try {
    written = JSON.stringify(given);
  } catch {
    return undefined;
  }
  // PostgreSQL stores no such character.
  return written !== undefined && written.length <= LIMITS.text && !written.includes(String.raw`\u0000`)
    ? written
    : undefined;
};

/** Whole numbers of an unsigned column of MySQL. */
const unsigned = within(0n, 2n ** 64n - 1n);
const isUnsigned = ({ native, type }: ApiAttribute): boolean =>
  native !== undefined && (type === 'Int' || type === 'Long') && /unsigned/i.test(native);

/** A value that filters may compare an attribute with. */
export const compared = (attribute: ApiAttribute, given: unknown): Scalar | undefined =>
  isUnsigned(attribute) && (typeof given === 'string' || typeof given === 'number')
    ? unsigned(given)
    : scalarOf(attribute.type, given);

/** @returns a message instead, if it is no value that the attribute may have; undefined if it is one */
export function writeProblem(attribute: ApiAttribute, given: unknown): string | undefined {
  if (given === null) return attribute.optional ? undefined : 'cannot be empty';
  if (attribute.type === 'JSON')
    return fitsJson(given) === undefined
      ? `at most ${LIMITS.text} characters of JSON are accepted`
      : undefined;
  const value = compared(attribute, given);
  if (value === undefined) return `expected ${EXPECTED[attribute.type]}`;
  const { length, options } = attribute;
  if (length !== undefined && [...String(value)].length > length)
    return `at most ${length} characters are accepted`;
  if (options && !options.includes(Number(value)))
    return `expected one of the options ${options.slice(0, 20).join(', ')}`;
  return undefined;
}

/** The form of a value that `writeProblem` accepts. */
export const written = (attribute: ApiAttribute, given: unknown): Parameter =>
  given === null
    ? null
    : attribute.type === 'JSON'
      ? (fitsJson(given) ?? null)
      : (compared(attribute, given) ?? null);
