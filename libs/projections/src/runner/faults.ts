/** What a database error means for the batch that met it. */

const codeOf = (error: unknown): string => {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/** A row that was taken to be new exists. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505';

/** Somebody else holds a lock for longer than we want to wait. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03';

/**
 * Postgres understood the statement and cannot take these values, now or ever: NUL in a text, a number out of range,
 * an index entry too large. Everything else (connection, serialisation, memory, disk, shutdown) passes.
 */
export const isRefusal = (error: unknown): boolean => {
  const code = codeOf(error);
  return code.length === 5 && ['22', '23', '54'].includes(code.slice(0, 2)) && code !== '23505';
};
