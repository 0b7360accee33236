/**
 * Filters, orders and references of a block, as JSON. Literals are never interpreted, and a place never becomes a
 * condition: it yields one value of the attribute's type.
 */
import { z } from 'zod';
import { LIMITS } from './limits';
import { fromShape, literalShape, nameShape, nowShape, valueShape, type From, type Value } from './values';

const most = (word: string) => `at most ${LIMITS.list} ${word}`;
const listShape = z.union(
  [fromShape, z.array(z.union([literalShape, fromShape, nowShape])).max(LIMITS.list, most('values'))],
  'a list of values, or { "$": "query.name" }',
);

export const operatorsShape = z
  .strictObject({
    eq: valueShape,
    neq: valueShape,
    lt: valueShape,
    lte: valueShape,
    gt: valueShape,
    gte: valueShape,
    in: listShape,
    notIn: listShape,
    // Of texts only. The value is searched literally: `%` and `_` have no meaning.
    contains: valueShape,
    startsWith: valueShape,
    endsWith: valueShape,
    isNull: z.boolean(),
    /** Of texts only. Default: true. */
    caseSensitive: z.boolean(),
  })
  .partial();
export type Operators = z.infer<typeof operatorsShape>;
export type Operator = Exclude<keyof Operators, 'caseSensitive'>;

export const OPERATORS = Object.keys(operatorsShape.shape) as (keyof Operators)[];

/** Rows that point here: `OrderLine.order`. */
export const backShape = z
  .string()
  .regex(
    /^[A-Za-z]\w{0,99}\.[A-Za-z]\w{0,99}$/,
    'an entity and its relation that points here: OrderLine.order',
  );

/** Words of a filter that no attribute is called. */
export const FILTER_WORDS = ['and', 'or', 'not', 'some', 'none', 'every'] as const;

export interface Filter {
  and?: Filter[] | undefined;
  or?: Filter[] | undefined;
  not?: Filter | undefined;
  /** At least one row, no row, or every row that points here fits. The key is a relation. No row at all: `every` holds. */
  some?: Record<string, Filter> | undefined;
  none?: Record<string, Filter> | undefined;
  every?: Record<string, Filter> | undefined;
  /** An attribute with a value or operators, or a to-one relation with a filter. */
  [attribute: string]: Value | Operators | Filter | Filter[] | Record<string, Filter> | undefined;
}

export interface Order {
  by: string;
  desc?: boolean | undefined;
}

/** Related rows in the answer. With `from`, the rows that point here; otherwise the one that this row points to. */
export interface Reference {
  from?: string | undefined;
  projection?: string[] | undefined;
  filters?: Filter | undefined;
  order?: Order | Order[] | undefined;
  take?: number | undefined;
  references?: Record<string, Reference> | undefined;
}

const filtersOf: z.ZodType<Filter> = z.lazy(() => {
  const ofRelations = z.record(backShape, filtersOf);
  return z
    .object({
      and: z.array(filtersOf).min(1, 'at least one filter').max(50, 'at most 50 filters'),
      or: z.array(filtersOf).min(1, 'at least one filter').max(50, 'at most 50 filters'),
      not: filtersOf,
      some: ofRelations,
      none: ofRelations,
      every: ofRelations,
    })
    .partial()
    .catchall(
      z.union(
        [valueShape, operatorsShape, filtersOf],
        `a value, a filter of the related row, or operators: ${OPERATORS.join(', ')}`,
      ),
    )
    .superRefine((given, context) => {
      for (const key of Object.keys(given))
        if (!nameShape.safeParse(key).success)
          context.addIssue({
            code: 'custom',
            path: [key],
            message: key.startsWith('$')
              ? 'write { "$": "query.name" } or { "$now": "dateTime" }'
              : 'the name of an attribute, of a relation, or a word such as `and`',
          });
    });
}) as unknown as z.ZodType<Filter>;

/** Levels of objects and lists, and how many there are; stops as soon as there are too many. */
const isWithin = (given: unknown, levels: number): boolean => {
  let nodes = 0;
  const fits = (one: unknown, depth: number): boolean => {
    if ((nodes += 1) > LIMITS.nodes || depth > levels) return false;
    return (
      typeof one !== 'object' || one === null || Object.values(one).every((each) => fits(each, depth + 1))
    );
  };
  return fits(given, 0);
};

/** A recursive schema would run out of stack on hostile JSON, so its size is looked at first. */
const bounded = <T>(schema: z.ZodType<T>, levels: number, what: string): z.ZodType<T> =>
  z.unknown().superRefine((given, context) => {
    if (!isWithin(given, levels)) {
      context.addIssue({ code: 'custom', message: `${what}, and at most ${LIMITS.nodes} parts` });
      return;
    }
    for (const issue of schema.safeParse(given).error?.issues ?? [])
      context.addIssue({ code: 'custom', message: issue.message, path: issue.path });
  }) as unknown as z.ZodType<T>;

export const filterShape = bounded(
  filtersOf,
  // A level of `some` has three objects: the word, the relation and the filter.
  LIMITS.filterDepth * 3 + 3,
  `at most ${LIMITS.filterDepth} levels of filters`,
);

/** Names of attributes. Default: all that are not hidden. */
export const projectionShape = z.array(nameShape).min(1, 'at least one attribute').max(200);

export const orderShape = z.strictObject({ by: nameShape, desc: z.boolean().optional() });
/** The key is always added last, so pages never overlap. */
export const ordersShape = z.union([orderShape, z.array(orderShape).max(5, 'at most 5 attributes')]);

const referencesOf: z.ZodType<Record<string, Reference>> = z.lazy(() =>
  z.record(
    nameShape,
    z.strictObject({
      from: backShape.optional(),
      projection: projectionShape.optional(),
      filters: filtersOf.optional(),
      order: ordersShape.optional(),
      take: z.int().min(1).max(LIMITS.related).optional(),
      references: referencesOf.optional(),
    }),
  ),
) as unknown as z.ZodType<Record<string, Reference>>;

export const referencesShape = bounded(
  referencesOf,
  LIMITS.referenceDepth * 2 + LIMITS.filterDepth * 3 + 3,
  `at most ${LIMITS.referenceDepth} levels of references`,
);

/** A number, or the place of one. */
export const countShape = (least: number, most: number) =>
  z.union(
    [z.int().min(least).max(most), fromShape],
    `a whole number from ${least} to ${most}, or { "$": "query.name" }`,
  );
export type Count = number | From;
