import { z } from 'zod';
import { integer, messages, object, optionalLine, text } from './rules';

export const MAX_PAGE_SIZE = 200;
const MAX_FILTERS = 20;

/** Filters have the same syntax as in a table's URL: `10..20` for numbers, `up,down` for categories. */
const filters = z
  .record(text(50), text(2000), { error: messages.type('object') })
  .refine((chosen) => Object.keys(chosen).length <= MAX_FILTERS, { error: messages.tooMany(MAX_FILTERS) });

const asked = {
  search: optionalLine(),
  /** `alias`, or `-alias` for descending order. Default: the list's own order. */
  sort: text(50).optional(),
  filters: filters.optional(),
  /** Counts from 1. Default 1. */
  page: integer()
    .min(1, { error: messages.tooSmall(1) })
    .optional(),
  /** Rows on a page. Default 25. */
  size: integer(MAX_PAGE_SIZE)
    .min(1, { error: messages.tooSmall(1) })
    .optional(),
};

/** Input of every call that answers with one page of a list. */
export const listPage = object(asked);
export interface ListPageAsked extends z.output<typeof listPage> {}

/** Input for a list inside a parent, with extra fields: `listPageWithin({ server: byId })`. */
export const listPageWithin = <S extends z.core.$ZodLooseShape>(place: S) => object({ ...place, ...asked });
