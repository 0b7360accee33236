/** Expressions are compiled and evaluated in a thread. Each evaluation is ended after a quarter of a second. */
import { Script, createContext } from 'node:vm';
import type { Job } from '../threads';
import { withBoundedSearch } from './bounded-search';
import { compiled, refusalOf, type Wanted } from './expression-language';
import { placed, type ExpressionScope, type Facts, type Outcome, type Refusal } from './expression-scope';
import { factsInCel, jsonOf } from './expression-values';

export const EXPRESSION_MS = 250;

export interface Judged {
  expressions: readonly string[];
  scope: ExpressionScope;
  wanted: Wanted;
}

export interface Evaluated extends Judged {
  /** Every expression is evaluated over each of them. */
  facts: readonly Facts[];
  /** Conditions after the first one that is not `false` are left out. */
  first?: boolean;
}

/** One answer for each expression; `null` if it may be used. */
export const judgeExpressions: Job<Judged, (Refusal | null)[]> = {
  name: 'judgeExpressions',
  work: ({ expressions, scope, wanted }) =>
    expressions.map((text) => {
      const result = compiled(text, scope, wanted);
      return 'refusal' in result ? result.refusal : null;
    }),
};

const limited = new Script('work()');
const inContext: { work?: () => unknown } = {};
const context = createContext(inContext);

const isLate = (error: unknown): boolean =>
  (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';

/** The deadline counts the evaluation only, however long the thread took to begin. */
const withDeadline = <T>(work: () => T): T => {
  inContext.work = work;
  try {
    return withBoundedSearch(() => limited.runInContext(context, { timeout: EXPRESSION_MS }) as T);
  } finally {
    delete inContext.work;
  }
};

/** A busy machine can hold up an evaluation that takes microseconds, so one that was late is tried once more. */
const evaluatedTwice = <T>(work: () => T): T => {
  try {
    return withDeadline(work);
  } catch (error) {
    if (!isLate(error)) throw error;
    return withDeadline(work);
  }
};

const evaluate = (
  text: string,
  { scope, wanted }: Judged,
  facts: Readonly<Record<string, unknown>>,
): Outcome => {
  const result = compiled(text, scope, wanted);
  if ('refusal' in result) return { is: 'undecided', reason: placed(result.refusal) };
  try {
    const value = jsonOf(evaluatedTwice(() => result.expression(facts) as unknown));
    return wanted === 'value' || typeof value === 'boolean'
      ? { is: 'value', value }
      : { is: 'undecided', reason: 'it is neither true nor false' };
  } catch (error) {
    const reason = isLate(error)
      ? `it was not decided within ${EXPRESSION_MS} ms`
      : placed(refusalOf(error, text));
    return { is: 'undecided', reason };
  }
};

const bytesOf = (fact: unknown): number =>
  typeof fact === 'string' ? Buffer.byteLength(fact) : Buffer.byteLength(JSON.stringify(fact) ?? '');

/** Why the facts are not given to expressions. */
const tooLarge = ({ variables, maxBytes }: ExpressionScope, facts: Facts): string | undefined => {
  const name = Object.keys(variables).find((one) => bytesOf(facts[one]) > maxBytes);
  return name === undefined
    ? undefined
    : `${name} has ${bytesOf(facts[name])} bytes, and an expression may read at most ${maxBytes}`;
};

const evaluateOver = (asked: Evaluated, facts: Facts): Outcome[] => {
  const reason = tooLarge(asked.scope, facts);
  const inCel = reason === undefined ? factsInCel(asked.scope, facts) : {};
  const outcomes: Outcome[] = [];
  for (const text of asked.expressions) {
    const outcome: Outcome =
      reason === undefined ? evaluate(text, asked, inCel) : { is: 'undecided', reason };
    outcomes.push(outcome);
    if (asked.first === true && !(outcome.is === 'value' && outcome.value === false)) break;
  }
  return outcomes;
};

/** For each of the facts, what each expression is. */
export const evaluateExpressions: Job<Evaluated, Outcome[][]> = {
  name: 'evaluateExpressions',
  work: (asked) => asked.facts.map((facts) => evaluateOver(asked, facts)),
};
