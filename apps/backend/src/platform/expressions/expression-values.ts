/** Values at the border between JSON and CEL. Pure. */
import type { ExpressionScope, Facts, Json } from './expression-scope';

/** Numbers without a fraction are integers in CEL. */
const celOf = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, celOf(one)]));
};

const readJson = (text: string): unknown => {
  try {
    return celOf(JSON.parse(text));
  } catch {
    return null;
  }
};

/** The variables of an expression. */
export const factsInCel = ({ variables }: ExpressionScope, facts: Facts): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(variables).map(([name, kind]) => {
      const fact = facts[name];
      if (kind === 'json') return [name, typeof fact === 'string' ? readJson(fact) : null];
      return [name, kind === 'int' ? BigInt(Number(fact)) : fact];
    }),
  );

const jsonOfNumber = (value: number): number => {
  if (!Number.isFinite(value)) throw new Error(`${value} is no number that can be kept`);
  return value;
};

const jsonOfInteger = (value: bigint): number => {
  if (!Number.isSafeInteger(Number(value))) throw new Error(`${value} is too large for a number`);
  return Number(value);
};

const jsonOfObject = (value: object): Json => {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, one]) => [String(key), jsonOf(one)]));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, jsonOf(one)]));
  const plain: unknown = value.valueOf();
  if (typeof plain === 'bigint' || typeof plain === 'number') return jsonOf(plain);
  throw new Error('the result is no text, number, list, map, true, false or null');
};

/** @throws Error if JSON cannot hold the value */
export const jsonOf = (value: unknown): Json => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return jsonOfNumber(value);
  if (typeof value === 'bigint') return jsonOfInteger(value);
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value === 'object') return jsonOfObject(value);
  throw new Error('the result is no text, number, list, map, true, false or null');
};
