/** Fills the places of a compiled statement from one request. Every value is checked against its attribute. */
import type { Dialect } from '@quarterdeck/data-model';
import type { ApiAttribute } from './api-model';
import { compared, EXPECTED, writeProblem, written, type Parameter } from './checks';
import { LIMITS } from './limits';
import type { Earlier, Guarded, Like, Piece, Sql } from './sql';
import { isFrom, isNow, type From, type Value } from './values';

/** What the values of one request are. Objects are plain JSON. */
export interface Values {
  readonly params: object;
  readonly query: object;
  readonly body: unknown;
  readonly user: object | null;
  readonly chain: object;
  /** What the block's `chainBlockMap` names. */
  readonly in: object;
  readonly item?: unknown;
  /** In UTC: `2026-11-28T13:30:00.000000` */
  readonly now: string;
  /** The tenant of the caller. */
  readonly tenant?: string | number | undefined;
}

/** Why a request is refused, and which of its fields is meant: `query.since`. */
export interface Refusal {
  readonly status: 400 | 401 | 404 | 409 | 413;
  readonly field: string;
  readonly message: string;
}

export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.message);
  }
}

const refuse = (field: string, message: string, status: Refusal['status'] = 400): never => {
  throw new Refused({ status, field, message });
};

/** SQL with its placeholders (`$1` or `?`), and their values in that order. */
export interface Bound {
  readonly text: string;
  readonly values: Parameter[];
}

const ABSENT = Symbol('absent');

/** Own properties only: `constructor` and `__proto__` are absent. */
const placeIn = (values: Values, path: string): unknown => {
  let found: unknown = values;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return ABSENT;
    found = (found as Record<string, unknown>)[key];
  }
  return found === undefined ? ABSENT : found;
};

const CUT = { date: [0, 10], dateTime: [0, 26], time: [11, 26] } as const;

/** @returns undefined if the place is absent, and has no default */
export const resolved = (value: Value | From, values: Values): unknown => {
  if (isNow(value)) return values.now.slice(...CUT[value.$now]);
  if (!isFrom(value)) return value;
  const found = placeIn(values, value.$);
  return found === ABSENT ? value.default : found;
};

/** How a message names a value. */
const fieldOf = (value: unknown): string => (isFrom(value) ? value.$ : '');

const required = (value: Value, values: Values): unknown => {
  const found = resolved(value, values);
  return found === undefined ? refuse(fieldOf(value), 'This field is required') : found;
};

/** In patterns of `like`, what was asked for is searched literally. */
const pattern = (text: string, like: Like): string => {
  const safe = text.replaceAll(/[!%_]/g, '!$&');
  return `${like === 'startsWith' ? '' : '%'}${safe}${like === 'endsWith' ? '' : '%'}`;
};

const scalar = (attribute: ApiAttribute, given: unknown, field: string): string | number | boolean =>
  compared(attribute, given) ?? refuse(field, `expected ${EXPECTED[attribute.type]}`);

const listOf = (given: unknown, field: string): readonly unknown[] => {
  // A query has texts only: `?status=1,2`.
  const list = Array.isArray(given)
    ? given
    : typeof given === 'string'
      ? given === ''
        ? []
        : given.split(',')
      : [given];
  return list.length > LIMITS.list ? refuse(field, `at most ${LIMITS.list} values are accepted`) : list;
};

/** Items of `insertMultiple`. */
export const itemsOf = (each: From, values: Values): readonly unknown[] => {
  const given = required(each, values);
  if (!Array.isArray(given)) return refuse(each.$, 'expected a list');
  if (given.length > LIMITS.list) return refuse(each.$, `at most ${LIMITS.list} items are accepted`);
  return given;
};

/** The value that a block writes into an attribute. */
export const writtenValue = (attribute: ApiAttribute, value: Value, values: Values): Parameter => {
  const given = required(value, values);
  const wrong = writeProblem(attribute, given);
  return wrong === undefined ? written(attribute, given) : refuse(fieldOf(value) || attribute.name, wrong);
};

/**
 * @param earlier what an earlier statement of the block gave
 * @throws Refused
 */
export function bound(
  sql: Sql,
  dialect: Dialect,
  values: Values,
  earlier: Partial<Record<Earlier, Parameter>> = {},
): Bound {
  const parameters: Parameter[] = [];
  const isPostgresql = dialect === 'postgresql';
  const place = (given: Parameter): string => {
    // MySQL knows flags as numbers only.
    parameters.push(!isPostgresql && typeof given === 'boolean' ? Number(given) : given);
    return isPostgresql ? `$${parameters.length}` : '?';
  };
  const places = (
    list: readonly (string | number | boolean)[],
    each: (one: string) => string = (one) => one,
  ): string => (isPostgresql ? place(list) : list.map((one) => each(place(one))).join(', '));

  const textOf = (pieces: Sql, now: Values): string => {
    let text = '';
    for (const piece of pieces) text += typeof piece === 'string' ? piece : one(piece, now);
    return text;
  };
  const one = (piece: Exclude<Piece, string>, now: Values): string => {
    if ('guarded' in piece) return guarded(piece, now);
    if ('value' in piece) {
      const { value, of, like, isWritten } = piece;
      if (isWritten) return place(writtenValue(of, value, now));
      const given = scalar(of, required(value, now), fieldOf(value));
      return place(like ? pattern(String(given), like) : given);
    }
    if ('tenant' in piece) {
      if (now.tenant === undefined) return refuse('user', 'sign in as a user who belongs to a tenant', 401);
      return place(scalar(piece.tenant, now.tenant, 'user'));
    }
    if ('list' in piece) {
      const { list, of, lower, each } = piece;
      const all = isFrom(list)
        ? listOf(required(list, now), list.$).map((given) => scalar(of, given, list.$))
        : list.map((value) => scalar(of, required(value, now), fieldOf(value)));
      return places(lower ? all.map((given) => String(given).toLowerCase()) : all, each);
    }
    if ('count' in piece) {
      const { count, least, most } = piece;
      const given = required(count, now);
      const number =
        typeof given === 'number' || (typeof given === 'string' && /^\d{1,9}$/.test(given))
          ? Number(given)
          : NaN;
      if (!Number.isInteger(number) || number < least || number > most)
        return refuse(fieldOf(count), `expected a whole number from ${least} to ${most}`);
      // MySQL refuses numbers here, because its driver sends them as floating point numbers.
      return place(String(number));
    }
    if ('each' in piece)
      return itemsOf(piece.each, now)
        .map((item) => textOf(piece.sql, { ...now, item }))
        .join(', ');
    const given = earlier[piece.earlier];
    if (given === undefined) throw new Error(`no statement gave ${piece.earlier}`);
    return Array.isArray(given) ? places(given) : place(given as Parameter);
  };
  const guarded = (piece: Guarded, now: Values): string => {
    const { by, isList, isStrict, isSearch, ofNothing } = piece;
    const values = isList && !isFrom(by) ? (by as readonly Value[]) : [by as Value];
    for (const value of values) {
      const found = resolved(value, now);
      if (found === undefined && isFrom(value) && value.optional) return 'true';
      const isNothing = found === null || (isSearch && found === '');
      if (isNothing && isStrict)
        return refuse(fieldOf(value), 'cannot be empty here: it would fit more rows than meant');
      if (found === null) return isList ? refuse(fieldOf(value), 'a list has no empty values') : 'false';
    }
    if (isList) {
      const list = isFrom(by) ? listOf(required(by, now), by.$) : values;
      if (list.length === 0)
        return isStrict ? refuse(fieldOf(by), 'at least one value is required here') : ofNothing;
    }
    return textOf(piece.guarded, now);
  };
  return { text: textOf(sql, values), values: parameters };
}

/** As `bound`, with the refusal as a value. */
export function bind(
  sql: Sql,
  dialect: Dialect,
  values: Values,
  earlier: Partial<Record<Earlier, Parameter>> = {},
): Bound | Refusal {
  return caught(() => bound(sql, dialect, values, earlier));
}

export const caught = <T>(work: () => T): T | Refusal => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    throw error;
  }
};
