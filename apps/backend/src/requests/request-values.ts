/** Values of a request: texts that name others, and what fits which data type. Pure. */
import type { requestDataTypes } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';

export type DataType = (typeof requestDataTypes)[number];

const NAMES = /\{\{\s*([\w.-]+)\s*\}\}/g;
/** Of a field with everything filled in: a short text may name long values many times. */
const MAX_FILLED = 1_000_000;

export const namesIn = (template: string): string[] =>
  [...template.matchAll(NAMES)].map(([, name = '']) => name);

/** @throws DomainError if the result is too long */
export const filledIn = (template: string, valueOf: (name: string) => string): string => {
  let length = template.length;
  return template.replaceAll(NAMES, (_, name: string) => {
    const value = valueOf(name);
    length += value.length;
    if (length > MAX_FILLED)
      throw new DomainError(
        'unprocessable',
        `with {{${name}}} filled in, this has more than ${MAX_FILLED} characters`,
      );
    return value;
  });
};

/** Why a value does not fit its type; undefined if it does. */
export const wrong: Record<DataType, (value: string) => string | undefined> = {
  String: () => undefined,
  Number: (value) => (/^-?\d+$/.test(value) ? undefined : 'a whole number is expected'),
  Decimal: (value) =>
    /^-?\d+(\.\d+)?$/.test(value) ? undefined : 'a decimal number is expected, such as 12.50',
  Array: (value) => (isJson(value, '[') ? undefined : 'a JSON array is expected, such as [1, 2]'),
  Object: (value) => (isJson(value, '{') ? undefined : 'a JSON object is expected, such as {"open": true}'),
};

const isJson = (text: string, begins: string): boolean => {
  try {
    JSON.parse(text);
    return text.trim().startsWith(begins);
  } catch {
    return false;
  }
};
