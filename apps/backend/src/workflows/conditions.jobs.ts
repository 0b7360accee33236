/**
 * Conditions of transitions: CEL over `data`, `result`, `choice` and `end`. They run in a thread, and each is ended after a
 * quarter of a second. One that fails is undecided, never false.
 */
import { createContext, Script } from 'node:vm';
import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import type { Job } from '../platform/threads';
import type { Facts } from './instance-next';

const DEADLINE_MS = 250;
const MAX_NESTED = 2;
const MACROS: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

const environment = new Environment({ limits: { maxAstNodes: 200 } })
  .registerVariable('data', 'dyn')
  .registerVariable('result', 'dyn')
  .registerVariable('choice', 'string')
  .registerVariable('end', 'string');

const partsOf = (value: unknown): ASTNode[] => {
  if (Array.isArray(value)) return value.flatMap(partsOf);
  return typeof value === 'object' && value !== null && 'op' in value ? [value as ASTNode] : [];
};

const costly = ({ op, args }: ASTNode, nested = 0): string | undefined => {
  const called = op === 'call' || op === 'rcall' ? String((args as unknown[])[0]) : '';
  if (called === 'matches')
    return 'matches is not available, because some patterns never end: use contains, startsWith or endsWith';
  const depth = nested + (MACROS.has(called) ? 1 : 0);
  if (depth > MAX_NESTED) return `at most ${MAX_NESTED} of map, filter, all and exists fit into each other`;
  return partsOf(args)
    .map((part) => costly(part, depth))
    .find((why) => why !== undefined);
};

const firstLine = (error: unknown): string => {
  const { summary, message } = error as { summary?: string; message?: string };
  return String(summary ?? message ?? error).split('\n', 1)[0] ?? '';
};

const refused = (condition: string): string | null => {
  try {
    const parsed = environment.parse(condition);
    const { valid, type, error } = parsed.check();
    if (!valid) return firstLine(error);
    if (type !== 'bool' && type !== 'dyn') return `this is ${type}, and a condition has to be true or false`;
    return costly(parsed.ast) ?? null;
  } catch (error) {
    return firstLine(error);
  }
};

/** Why each is no condition; null if it is one. */
export const judgeConditions: Job<readonly string[], (string | null)[]> = {
  name: 'judgeConditions',
  work: (conditions) => conditions.map(refused),
};

/** Numbers without a fraction are integers in CEL. */
const inCel = (value: unknown): unknown => {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(inCel);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inCel(one)]));
};

const run = new Script('decide()');
const holds = (condition: string, facts: object): boolean | string => {
  try {
    const decide = (): unknown => environment.evaluate(condition, facts);
    const value: unknown = run.runInContext(createContext({ decide }), { timeout: DEADLINE_MS });
    return typeof value === 'boolean' ? value : 'it is neither true nor false';
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      ? `it was not decided within ${DEADLINE_MS} ms`
      : firstLine(error);
  }
};

/** The first that is true, or the one that could not be decided. Neither: none is true. */
export interface Decided {
  at?: number;
  undecided?: { at: number; reason: string };
}

export const decideConditions: Job<{ conditions: readonly string[]; facts: Facts }, Decided> = {
  name: 'decideConditions',
  work: ({ conditions, facts: { data, result, choice, end } }) => {
    const facts = { data: inCel(data), result: inCel(result), choice, end };
    for (const [at, condition] of conditions.entries()) {
      const is = condition.trim() === '' || (refused(condition) ?? holds(condition, facts));
      if (is === true) return { at };
      if (is !== false) return { undecided: { at, reason: is } };
    }
    return {};
  },
};
