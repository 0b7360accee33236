/** Recognises temporary outages: of the log, of the database, or reported as such by our own code. Pure. */
import { StoreUnavailable } from '@quarterdeck/log/store';
import { DomainError } from '../errors';

const connection = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND']);
/** Messages of `pg` and the read models without a code: a connection was lost, never made, or does not answer. */
const gone =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|connection to Postgres was closed|Postgres does not answer/;
/** SQLSTATE classes: 08 connection, 53 resources, 57 operator intervention, 40 rolled back. */
const transientClasses = new Set(['08', '53', '57', '40']);

/** The SQLSTATE class of a Postgres error. */
export const sqlClassOf = (error: unknown): string | undefined => {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code.slice(0, 2) : undefined;
};

/** The innermost cause of an error. */
export const rootOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;

const fullDisk = new Set<unknown>(['53100', 'ENOSPC', 'EDQUOT']);

/** Whether the disk of the database or of one of our files is full. */
export const isDiskFull = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (fullDisk.has((error as { code?: unknown }).code) || isDiskFull((error as { cause?: unknown }).cause));

export const isDatabaseOutage = (error: { code?: unknown; message?: unknown }): boolean => {
  const code = typeof error.code === 'string' ? error.code : '';
  if (connection.has(code) || (code === '' && gone.test(String(error.message)))) return true;
  return transientClasses.has(sqlClassOf(error) ?? '');
};

/** Whether a retry may succeed. */
export const isTransient = (error: unknown): boolean => {
  if (error instanceof StoreUnavailable) return true;
  if (error instanceof DomainError) return error.code === 'unavailable';
  return typeof error === 'object' && error !== null && isDatabaseOutage(error);
};
