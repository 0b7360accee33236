import { DatabaseError } from 'pg';

/** `statement_completion_unknown` */
const UNKNOWN = '40003';

/** Which failures mean that a database may be available again soon. */
const LOST = new Set([
  // Failures of the server through which the database is reached.
  'refused',
  'unreachable',
  'timeout',
  'connectionLost',
  'frozen',
  'forwardFailed',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',

  'PROTOCOL_CONNECTION_LOST',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_QUERY_INTERRUPTED',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08000',
]);

/** The connection was lost, or the server is starting or stopping. The database may be available again soon. */
export const isLost = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return (
    LOST.has(code ?? '') ||
    /connection terminated|connection ended|closed state|not queryable|ECONNREFUSED/i.test(error.message) ||
    (error instanceof AggregateError && error.errors.some(isLost)) ||
    isLost(error.cause)
  );
};

/** The server refused a statement of PostgreSQL, so nothing of its transaction has happened. */
export const isUndone = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code !== UNKNOWN && !isLost(error);
