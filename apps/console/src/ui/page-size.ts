/** Rows on a page of a table. */
export const PAGE_SIZE = 25;
