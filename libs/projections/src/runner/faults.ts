/** What a database error means for the batch that caused it. */

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** A row that was assumed to be new exists. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505';

/** Somebody else holds a lock for longer than we want to wait. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/**
 * Postgres understood the statement but can never store these values: NUL in a text, a number out of range, an index
 * entry too large. All other errors (connection, serialisation, memory, disk, shutdown) are temporary.
 */
export const isRefusal = (error: unknown): boolean => {
  const code = codeOf(error);
  return code.length === 5 && ['22', '23', '54'].includes(code.slice(0, 2)) && code !== '23505';
};

export const isUnknownColumn = (error: unknown): boolean => codeOf(error) === '42703';
