import { LogDamaged, LogElsewhere, LogForbidden, StoreUnavailable } from '../event-store';

/** What an error of the driver or the server means to a writer. */
export type Fault = 'duplicate' | 'refused' | 'retry' | 'unavailable';

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';

/** SQLSTATE classes 21, 22 and 23 are about the data; 40 wants another try; all else is the server's or the line's. */
export function faultOf(error: unknown): Fault {
  const code = codeOf(error);
  if (code === '23505') return 'duplicate';
  if (/^2[123]/.test(code)) return 'refused';
  if (code.startsWith('40')) return 'retry';
  return 'unavailable';
}

/** SQLSTATE of what schema `log` itself finds wrong; its message is for operators. */
const DAMAGED = 'QD001';

/** SQLSTATE of a right that is missing, a user that is unknown, a password that is wrong. */
const FORBIDDEN = new Set(['42501', '28000', '28P01']);

/** Its message is where the log goes on. */
const ELSEWHERE = 'QD002';

export const unavailable = (error: unknown): StoreUnavailable => {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  if (code === DAMAGED) return new LogDamaged(message, error);
  if (code === ELSEWHERE) return new LogElsewhere(message, error);
  return FORBIDDEN.has(code) ? new LogForbidden(error) : new StoreUnavailable(error);
};

/** The stream that lacks events before those that were to be taken in. */
export const gapIn = (error: unknown): string | undefined =>
  codeOf(error) === 'QD004' ? (error as Error).message : undefined;
