/** What a number field of a form takes, in words for people. The schema of the call says `expected type number`. Pure. */
import { z } from 'zod';

const inner = (schema: unknown): unknown =>
  schema instanceof z.ZodOptional ||
  schema instanceof z.ZodNullable ||
  schema instanceof z.ZodDefault ||
  schema instanceof z.ZodPrefault
    ? inner(schema.unwrap())
    : schema;

/** The schema of a number at a dotted path; undefined if it is not plain to see. */
const numberAt = (schema: unknown, [name, ...rest]: readonly string[]): z.ZodNumber | undefined => {
  const here = inner(schema);
  if (name === undefined) return here instanceof z.ZodNumber ? here : undefined;
  if (here instanceof z.ZodArray) return numberAt(here.element, rest);
  return here instanceof z.ZodObject
    ? numberAt((here.shape as Record<string, unknown>)[name], rest)
    : undefined;
};

/** @returns how a number at this path is asked for: `a whole number from 1 to 65535` */
export const expectedNumber = (schema: z.ZodType | undefined, path: string): string => {
  const number = schema && numberAt(schema, path.split('.'));
  const { minValue: least, maxValue: most } = number ?? {};
  if (!number || typeof least !== 'number' || typeof most !== 'number') return 'a number is expected';
  const takes = (value: number): boolean => number.safeParse(value).success;
  // Ids and ports begin at 1, which is a rule beside the bound.
  const first = takes(least) ? least : least + 1;
  if (takes(first + 0.5)) return `a number from ${first} to ${most} is expected`;
  return most >= MAX_SHOWN
    ? `a whole number from ${first} is expected`
    : `a whole number from ${first} to ${most} is expected`;
};

/** A larger bound is only that of the storage. */
const MAX_SHOWN = 2 ** 31 - 1;
