/** What an error of a database means to the caller of an API. Its text stays inside: it has names and values. */
import type { Dialect } from '@quarterdeck/data-model';
import type { Refusal } from './bind';

/** `retry`: the transaction met another one, and may be tried once more. `away`: 503. */
export type DatabaseError = Refusal | 'retry' | 'away' | undefined;

const refusal = (status: Refusal['status'], message: string): Refusal => ({ status, field: '', message });

const TAKEN = refusal(409, 'a row with these values already exists');
const POINTED = refusal(
  409,
  'another row points to this one, or a row that this one points to does not exist',
);
const MISSING = refusal(400, 'a required attribute has no value');
const UNFIT = refusal(400, 'a value does not fit its attribute');

/** By number, of MySQL and MariaDB. */
const MYSQL: Readonly<Record<number, DatabaseError>> = {
  1062: TAKEN,
  1586: TAKEN,
  1216: POINTED,
  1217: POINTED,
  1451: POINTED,
  1452: POINTED,
  1048: MISSING,
  1364: MISSING,
  1205: 'retry',
  1213: 'retry',
  // A time limit of MySQL, and of MariaDB.
  3024: 'away',
  1969: 'away',
  1040: 'away',
  1053: 'away',
  1203: 'away',
};
/** Out of range, cut, wrong for the type, a broken check, wrong JSON. */
const UNFIT_IN_MYSQL = [1264, 1265, 1292, 1366, 1406, 1411, 1426, 3140, 3819, 4025];

/**
 * @param error has `code`: of PostgreSQL the SQLSTATE, of a connection such as ECONNRESET; of MySQL, `errno` as well
 * @returns undefined if it is a fault of ours
 */
export function meaningOf(error: unknown, dialect: Dialect): DatabaseError {
  const { code, errno } = (typeof error === 'object' && error !== null ? error : {}) as {
    code?: unknown;
    errno?: unknown;
  };
  if (typeof code === 'string' && /^(E(CONN|PIPE|TIMEDOUT|HOST|AI_)|PROTOCOL_)/.test(code)) return 'away';
  if (dialect === 'mysql')
    return typeof errno !== 'number' ? undefined : UNFIT_IN_MYSQL.includes(errno) ? UNFIT : MYSQL[errno];
  if (typeof code !== 'string') return undefined;
  switch (code) {
    case '23505':
    case '23P01':
      return TAKEN;
    case '23503':
    case '23001':
      return POINTED;
    case '23502':
      return MISSING;
    case '23514':
      return UNFIT;
    case '40001':
    case '40P01':
      return 'retry';
    default:
      // Data exceptions; then connections, resources, time limits and shutdowns.
      return code.startsWith('22') ? UNFIT : /^(08|53|57)/.test(code) ? 'away' : undefined;
  }
}

/** What a session has to say first, so that both engines read and write the same. */
export const sessionOf = (dialect: Dialect): string[] =>
  dialect === 'mysql'
    ? [
        "set session sql_mode = 'STRICT_ALL_TABLES'",
        "set session time_zone = '+00:00'",
        'set session transaction isolation level read committed',
      ]
    : [
        "set time zone 'UTC'",
        "set datestyle = 'ISO'",
        "set default_transaction_isolation = 'read committed'",
      ];
