/**
 * Texts in indexes, as hashes of four bytes: an id takes 37. Such a query compares the hashes, which finds the rows by
 * the index, and then the texts, which makes it exact.
 */

/** The part of an index. */
export const hashed = (column: string): string => `hashtext(${column})`;

/**
 * The part of an index of ids that begin with their time (version 7), down to a millisecond. New entries come
 * next to each other, where those of hashes change another page each, which is then written to the log of Postgres.
 */
export const timeOf = (column: string): string => `(left(${column}, 13) collate "C")`;

/**
 * Without the cast, Postgres would multiply the frequency of the hash with that of the text, and expect too few rows. It
 * expects a comparison of something unknown with a number to be true nearly always.
 */
const nearlyAlways = (condition: string): string => `(${condition})::int <> 0`;

/** A column of hashes that equals a value. @param part of the index, in place of the hash */
export const same = (column: string, value: string, part = hashed): string =>
  `(${part(column)} = ${part(value)} and ${nearlyAlways(`${column} = ${value}`)})`;

/** A column of hashes that equals one of the values, given one by one: Postgres then knows how frequent they are. */
export const sameAsAny = (column: string, values: readonly string[], part = hashed): string =>
  `(${part(column)} in (${values.map(part).join(', ')}) and ${nearlyAlways(`${column} in (${values.join(', ')})`)})`;

/** A column of hashes that equals one of many values, given as arrays of both: Postgres then knows how many there are. */
export const sameAsOneOf = (column: string, { hashes, values }: { hashes: string; values: string }): string =>
  `(${hashed(column)} = any(${hashes}::int[]) and ${nearlyAlways(`${column} = any(${values}::text[])`)})`;
