/** What a definition and a request may cost at most. */
export const LIMITS = {
  /** Levels of `and`, `or`, `not`, relations and `some`, `none`, `every` in one filter. */
  filterDepth: 8,
  /** Levels of related rows in an answer. */
  referenceDepth: 4,
  /** Related rows of one kind in an answer, for each row. */
  references: 20,
  /** Values of `in`, items of a list, rows of `insertMultiple`. */
  list: 1000,
  /** Rows of one list. */
  take: 500,
  takeByDefault: 25,
  skip: 100_000,
  /** Rows of a list of related rows, for each row. */
  related: 500,
  relatedByDefault: 100,
  blocks: 50,
  /** Fields of a body, keys of a mapping, attributes written. */
  fields: 200,
  /** Objects, lists and values in the filters or references of one block. */
  nodes: 5000,
  /** Characters. */
  text: 100_000,
  path: 200,
} as const;
