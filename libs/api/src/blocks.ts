/** The blocks of an endpoint: what it does, one after the other. */
import { z } from 'zod';
import { countShape, filterShape, ordersShape, projectionShape, referencesShape } from './filters';
import { LIMITS } from './limits';
import { fromShape, mappingShape, nameShape, valueShape } from './values';

/** How other blocks name its result: `chain.order`. Without a name, by its number: `chain.0`. */
const common = { name: nameShape.optional(), chainBlockMap: mappingShape.optional() };
const ofRows = { ...common, entity: nameShape };
const shown = { projection: projectionShape.optional(), references: referencesShape.optional() };
const dataShape = z
  .record(nameShape, valueShape)
  .refine((given) => Object.keys(given).length <= LIMITS.fields, `at most ${LIMITS.fields} attributes`);

/** Without filters, an update or a delete is about every row, so it has to say so. */
const changed = { filters: filterShape, all: z.literal(true).optional() };

export const listShape = z.strictObject({
  ...ofRows,
  ...shown,
  type: z.literal('list'),
  filters: filterShape.optional(),
  order: ordersShape.optional(),
  skip: countShape(0, LIMITS.skip).optional(),
  take: countShape(1, LIMITS.take).optional(),
});
/** Exactly one row: none is 404, several are an error. */
export const detailShape = z.strictObject({
  ...ofRows,
  ...shown,
  type: z.literal('detail'),
  filters: filterShape,
});
/** Answers the new row. */
export const insertShape = z.strictObject({ ...ofRows, type: z.literal('insert'), data: dataShape });
/** One row for each item of a list, in one statement. In `data`, `item` is the item. */
export const insertMultipleShape = z.strictObject({
  ...ofRows,
  type: z.literal('insertMultiple'),
  each: fromShape,
  data: dataShape,
});
/** Answers `{ changed: number }`. */
export const updateShape = z.strictObject({
  ...ofRows,
  ...changed,
  type: z.literal('update'),
  data: dataShape,
});
/** Answers `{ changed: number }`. */
export const deleteShape = z.strictObject({ ...ofRows, ...changed, type: z.literal('delete') });
/** TypeScript that runs as a guest. Its value is the block's result. */
export const snippetShape = z.strictObject({
  ...common,
  type: z.literal('snippet'),
  ts: z.string().max(LIMITS.text),
});

export const blockShape = z.discriminatedUnion(
  'type',
  [listShape, detailShape, insertShape, updateShape, deleteShape, insertMultipleShape, snippetShape],
  'Type unknown',
);
export type Block = z.infer<typeof blockShape>;
export type BlockType = Block['type'];
export type CrudBlock = Exclude<Block, { type: 'snippet' }>;
export type ReadBlock = Extract<Block, { type: 'list' | 'detail' }>;
export type WriteBlock = Exclude<CrudBlock, ReadBlock>;

export const BLOCK_TYPES = blockShape.options.map(({ shape }) => shape.type.value);
/** Those that read or write rows, in the order of the specification. */
export const CRUD_TYPES = ['list', 'detail', 'insert', 'update', 'delete', 'insertMultiple'] as const;

/** It changes rows. A snippet may do so too, which only its calls tell. */
export const isWriting = ({ type }: { readonly type: BlockType }): boolean =>
  type !== 'snippet' && type !== 'list' && type !== 'detail';
