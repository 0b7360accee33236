/**
 * Expressions in CEL, the one language of conditions, checks and computed values. They run in threads (`platform/threads`),
 * so nothing that an operator writes holds up the main thread.
 *
 * A workflow declares `{ variables: { data: 'json', result: 'json', choice: 'string' }, maxBytes: 64_000 }` and calls
 * `refusedConditions` before it publishes, `firstTrue` when a node is left, and `valuesOf` for the inputs of an action. An
 * outcome is recorded by the caller: no fold evaluates an expression.
 */
import { JobOverran, threads } from '../threads';
import type { ExpressionScope, Facts, Outcome, Refusal } from './expression-scope';
import { evaluateExpressions, judgeExpressions, type Evaluated, type Judged } from './expressions.jobs';

/** For the thread to begin on a busy machine, and for many expressions. Each evaluation has its own deadline. */
const TIMEOUT_MS = 60_000;

export const judge = (asked: Judged): Promise<(Refusal | null)[]> =>
  threads.run(judgeExpressions, asked, { timeoutMs: TIMEOUT_MS });

const outOfMemory = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY';

/** What ended the thread was the expressions' own doing. Anything else, such as a queue that is full, is an error. */
const endedThread = (error: unknown): string => {
  if (outOfMemory(error)) return 'it needed too much memory';
  if (error instanceof JobOverran) return 'it was not decided in time';
  throw error;
};

export const evaluateAll = async (asked: Evaluated): Promise<Outcome[][]> => {
  try {
    return await threads.run(evaluateExpressions, asked, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    const reason = endedThread(error);
    return asked.facts.map(() => asked.expressions.map(() => ({ is: 'undecided', reason })));
  }
};

/** Why conditions cannot be used, in their order; `null` for a good one. An empty condition is always true. */
export const refusedConditions = async (
  scope: ExpressionScope,
  conditions: readonly string[],
): Promise<(Refusal | null)[]> => {
  const written = conditions.filter((text) => text.trim() !== '');
  if (written.length === 0) return conditions.map(() => null);
  const refusals = await judge({ expressions: written, scope, wanted: 'condition' });
  return conditions.map((text) => (text.trim() === '' ? null : (refusals.shift() ?? null)));
};

/** Why values cannot be used, in their order; `null` for a good one. */
export const refusedValues = async (
  scope: ExpressionScope,
  expressions: readonly string[],
): Promise<(Refusal | null)[]> =>
  expressions.length === 0 ? [] : judge({ expressions, scope, wanted: 'value' });

export type FirstTrue =
  | { is: 'taken'; index: number }
  /** All of them are false. */
  | { is: 'none' }
  /** The one that could not be decided. It is not `false`, so those after it are not asked. */
  | { is: 'undecided'; index: number; reason: string };

/** The first condition that is true, in order. */
export const firstTrue = async (
  scope: ExpressionScope,
  conditions: readonly string[],
  facts: Facts,
): Promise<FirstTrue> => {
  const empty = conditions.findIndex((text) => text.trim() === '');
  const written = empty < 0 ? conditions : conditions.slice(0, empty);
  const [outcomes = []] =
    written.length === 0
      ? []
      : await evaluateAll({ expressions: written, scope, wanted: 'condition', facts: [facts], first: true });
  const index = outcomes.findIndex((outcome) => outcome.is === 'undecided' || outcome.value === true);
  const last = outcomes[index];
  if (last?.is === 'undecided') return { is: 'undecided', index, reason: last.reason };
  if (last) return { is: 'taken', index };
  return empty < 0 ? { is: 'none' } : { is: 'taken', index: empty };
};

/** What each expression is. */
export const valuesOf = async (
  scope: ExpressionScope,
  expressions: readonly string[],
  facts: Facts,
): Promise<Outcome[]> => {
  if (expressions.length === 0) return [];
  const [outcomes = []] = await evaluateAll({ expressions, scope, wanted: 'value', facts: [facts] });
  return outcomes;
};
