/**
 * Checks of answers: expressions in CEL over `status`, `headers`, `json`, `text` and `ms`. They run in a thread, and each
 * evaluation is ended after a quarter of a second.
 */
import { Script, createContext } from 'node:vm';
import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import type { Job } from '../platform/threads';

export interface AnswerFacts {
  status: number;
  headers: readonly (readonly [string, string])[];
  ms: number;
  /** UTF-8, at most `MAX_FACT_BYTES`. */
  text: string;
}

export interface CheckResult {
  expression: string;
  is: 'passed' | 'failed' | 'undecided';
  /** Why it could not be decided. */
  reason?: string;
}

export const MAX_FACT_BYTES = 1_000_000;
/** For the thread to begin on a busy machine, and for many checks. Each evaluation has its own deadline. */
export const CHECKS_MS = 60_000;
const DEADLINE_MS = 250;
const MAX_NODES = 200;
const MAX_NESTED = 2;
const MACROS: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

const environment = new Environment({ limits: { maxAstNodes: MAX_NODES } })
  .registerVariable('status', 'int')
  .registerVariable('ms', 'double')
  .registerVariable('text', 'string')
  .registerVariable('headers', 'map<string, string>')
  .registerVariable('json', 'dyn');

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

const childrenOf = (value: unknown): ASTNode[] => {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(childrenOf) : [];
};

/** What takes too long in the worst case, although it compiles. */
const refusedIn = (node: ASTNode, nested = 0): string | undefined => {
  const [, name = ''] = node.op === 'rcall' || node.op === 'call' ? ['', String(node.args[0])] : [];
  if (name === 'matches')
    return 'matches is not available, because some patterns never end: use contains, startsWith or endsWith';
  const inside = MACROS.has(name) ? nested + 1 : nested;
  if (inside > MAX_NESTED) return `at most ${MAX_NESTED} of map, filter, all and exists fit into each other`;
  for (const child of childrenOf(node.args)) {
    const why = refusedIn(child, inside);
    if (why !== undefined) return why;
  }
  return undefined;
};

const summaryOf = (error: unknown): string => {
  const { summary, message } = error as { summary?: string; message?: string };
  return (summary ?? message ?? String(error)).split('\n')[0] ?? '';
};

/** Why an expression is no check; undefined if it is one. */
const refused = (expression: string): string | undefined => {
  try {
    const parsed = environment.parse(expression);
    const why = refusedIn(parsed.ast);
    if (why !== undefined) return why;
    const { valid, type, error } = parsed.check();
    if (!valid) return summaryOf(error);
    return type === 'bool' || type === 'dyn'
      ? undefined
      : `this is ${type}, and a check has to be true or false`;
  } catch (error) {
    return summaryOf(error);
  }
};

/** One line each; empty lines and comments count, so that messages can name the line. */
export const judgeChecks: Job<string, { line: number; reason: string } | undefined> = {
  name: 'judgeChecks',
  work: (checks) => {
    for (const [at, line] of checks.split('\n').entries()) {
      const reason = line.trim() === '' ? undefined : refused(line.trim());
      if (reason !== undefined) return { line: at + 1, reason };
    }
    return undefined;
  },
};

/** Numbers without a fraction are integers in CEL. */
const celOf = (value: unknown): unknown => {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, celOf(one)]));
};

const jsonOf = (text: string): unknown => {
  try {
    return celOf(JSON.parse(text));
  } catch {
    return null;
  }
};

const factsFor = ({ status, headers, ms, text }: AnswerFacts) => ({
  status: BigInt(status),
  ms,
  text,
  headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  json: jsonOf(text),
});

/** The deadline counts the evaluation only, however long the thread took to begin. */
const limited = new Script('work()');
const withDeadline = (work: () => unknown): unknown =>
  limited.runInContext(createContext({ work }), { timeout: DEADLINE_MS });

const evaluated = (expression: string, facts: object): CheckResult => {
  const why = refused(expression);
  if (why !== undefined) return { expression, is: 'undecided', reason: why };
  try {
    const value = withDeadline(() => environment.evaluate(expression, facts));
    if (typeof value === 'boolean') return { expression, is: value ? 'passed' : 'failed' };
    return { expression, is: 'undecided', reason: 'it is neither true nor false' };
  } catch (error) {
    const isLate = (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    const reason = isLate ? `it was not decided within ${DEADLINE_MS} ms` : summaryOf(error);
    return { expression, is: 'undecided', reason };
  }
};

export const expressionsOf = (checks: string): string[] =>
  checks
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const evaluateChecks: Job<{ checks: string; answers: AnswerFacts[] }, CheckResult[][]> = {
  name: 'evaluateChecks',
  work: ({ checks, answers }) =>
    answers.map((answer) => {
      const facts = factsFor(answer);
      return expressionsOf(checks).map((expression) => evaluated(expression, facts));
    }),
};
