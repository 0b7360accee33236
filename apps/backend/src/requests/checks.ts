/** Checks of answers: expressions in CEL over `status`, `headers`, `json`, `text` and `ms`, one on each line. */
import { evaluateAll, judge, placed, type ExpressionScope } from '../platform/expressions';

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

const scope: ExpressionScope = {
  variables: { status: 'int', ms: 'double', text: 'string', headers: 'map<string, string>', json: 'json' },
  // A byte that is no UTF-8 becomes a character of three.
  maxBytes: 3 * MAX_FACT_BYTES,
};

/** Empty lines count, so that the message names the line. */
export const refusedChecks = async (checks: string): Promise<string | undefined> => {
  const lines = checks
    .split('\n')
    .map((line, at) => ({ text: line.trim(), indent: line.length - line.trimStart().length, line: at + 1 }))
    .filter(({ text }) => text !== '');
  if (lines.length === 0) return undefined;
  const refusals = await judge({ expressions: lines.map(({ text }) => text), scope, wanted: 'condition' });
  const found = lines.flatMap(({ line, indent }, at) => {
    const refusal = refusals[at];
    if (!refusal) return [];
    const { reason, column } = refusal;
    return [placed({ reason, ...(column !== undefined && { column: column + indent }) }, line)];
  });
  return found[0];
};

export const expressionsOf = (checks: string): string[] =>
  checks
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const factsFor = ({ status, headers, ms, text }: AnswerFacts) => ({
  status,
  ms,
  text,
  headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  json: text,
});

/** For each answer, what each check of it is. */
export const evaluateChecks = async (
  checks: string,
  answers: readonly AnswerFacts[],
): Promise<CheckResult[][]> => {
  const expressions = expressionsOf(checks);
  if (expressions.length === 0 || answers.length === 0) return answers.map(() => []);
  const outcomes = await evaluateAll({
    expressions,
    scope,
    wanted: 'condition',
    facts: answers.map(factsFor),
  });
  return outcomes.map((ofAnswer) =>
    ofAnswer.map((outcome, at) => {
      const expression = expressions[at] ?? '';
      if (outcome.is === 'undecided') return { expression, is: 'undecided', reason: outcome.reason };
      return { expression, is: outcome.value === true ? 'passed' : 'failed' };
    }),
  );
};
