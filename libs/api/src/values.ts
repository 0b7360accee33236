/** Values of a definition: a literal, the clock, or a place in the request, the signed-in user or the chain. */
import { z } from 'zod';
import { LIMITS } from './limits';

/** A name that is usable in JSON, in TypeScript, after a dot, and as a column's name in an answer of PostgreSQL. */
export const nameShape = z
  .string()
  .regex(
    /^[A-Za-z]\w{0,62}$/,
    'a name has letters, digits and underscores, begins with a letter, and has at most 63',
  );

export const literalShape = z.union(
  [z.string().max(LIMITS.text), z.number(), z.boolean(), z.null()],
  'a text, a number, true, false or null',
);
export type Literal = z.infer<typeof literalShape>;

/** Where a value may come from. `in`: what the block's `chainBlockMap` names. `item`: the row of `insertMultiple`. */
export const SOURCES = ['params', 'query', 'body', 'user', 'chain', 'in', 'item'] as const;
export type Source = (typeof SOURCES)[number];

export const placeShape = z
  .string()
  .max(500)
  .regex(
    /^(params|query|body|user|chain|in|item)(\.(?:[A-Za-z_]\w*|\d+))*$/,
    `a place such as query.status: ${SOURCES.join(', ')}, then names after dots`,
  );

/**
 * `optional`: an absent value drops the condition; only in filters of lists. `default`: used instead of an absent value.
 */
export const fromShape = z.strictObject({
  $: placeShape,
  optional: z.literal(true).optional(),
  default: literalShape.optional(),
});
export type From = z.infer<typeof fromShape>;

export const nowShape = z.strictObject({ $now: z.enum(['date', 'dateTime', 'time']) });

export const valueShape = z.union(
  [literalShape, fromShape, nowShape],
  'a text, a number, true, false, null, { "$": "query.name" } or { "$now": "dateTime" }',
);
export type Value = z.infer<typeof valueShape>;

export const isFrom = (given: unknown): given is From =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, '$');

export const isNow = (given: unknown): given is z.infer<typeof nowShape> =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, '$now');

export const isValue = (given: unknown): given is Value =>
  typeof given !== 'object' || given === null || isFrom(given) || isNow(given);

/** Names of the chain or of a block's `in`, and where their values come from. Null: nothing is mapped. */
export const mappingShape = z
  .record(nameShape, valueShape)
  .refine((given) => Object.keys(given).length <= LIMITS.fields, `at most ${LIMITS.fields} names`)
  .nullable();
export type Mapping = z.infer<typeof mappingShape>;
