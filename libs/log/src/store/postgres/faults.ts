import { LogDamaged, LogElsewhere, LogForbidden, StoreUnavailable } from '../event-store';

/** How a writer should treat an error of the driver or the server. */
export type Fault = 'duplicate' | 'refused' | 'retry' | 'unavailable';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/**
 * SQLSTATE classes 21, 22 and 23 are about the data. Class 40 asks for a retry. All others concern the server or the
 * connection.
 */
export function faultOf(error: unknown): Fault {
  const code = codeOf(error);
  if (code === '23505') return 'duplicate';
  if (/^2[123]/.test(code)) return 'refused';
  if (code.startsWith('40')) return 'retry';
  return 'unavailable';
}

/** SQLSTATE of inconsistencies that schema `log` itself detects. The message is for operators. */
const DAMAGED = 'QD001';

/** SQLSTATE of a missing permission, an unknown user, a wrong password. */
const FORBIDDEN = new Set(['42501', '28000', '28P01']);

/** The message is the log's new address. */
const ELSEWHERE = 'QD002';

export const unavailable = (error: unknown): StoreUnavailable => {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  if (code === DAMAGED) return new LogDamaged(message, error);
  if (code === ELSEWHERE) return new LogElsewhere(message, error);
  if (FORBIDDEN.has(code)) return new LogForbidden(error);
  // The server was reached. Classes 3F and 42: it has no such schema, table, column or function.
  return /^(3F|42)/.test(code)
    ? new StoreUnavailable(error, `the event log answers with an error: ${message}`)
    : new StoreUnavailable(error);
};

/** The stream that lacks events before those to be stored. */
export const gapIn = (error: unknown): string | undefined =>
  codeOf(error) === 'QD004' ? (error as Error).message : undefined;
