/** Conditions of transitions: CEL over `data`, `result`, `choice` and `end`. One that fails is undecided, never false. */
import { Injectable } from '@nestjs/common';
import { MAX_WORKFLOW_DATA } from '@quarterdeck/events';
import { firstTrue, placed, refusedConditions, type ExpressionScope } from '../platform/expressions';
import type { Facts } from './instance-next';

const scope: ExpressionScope = {
  variables: { data: 'json', result: 'json', choice: 'string', end: 'string' },
  maxBytes: MAX_WORKFLOW_DATA,
};

/** The first that is true, or the one that could not be decided. Neither: none is true. */
export interface Decided {
  at?: number;
  undecided?: { at: number; reason: string };
}

@Injectable()
export class WorkflowConditions {
  /** Why each does not compile, with the place; null if it does. */
  async judge(conditions: readonly string[]): Promise<(string | null)[]> {
    const refusals = await refusedConditions(scope, conditions);
    return refusals.map((refusal) => refusal && placed(refusal));
  }

  /** The first that is true. An empty one always is. */
  async decide(conditions: readonly string[], { data, result, choice, end }: Facts): Promise<Decided> {
    const facts = { data: JSON.stringify(data), result: JSON.stringify(result), choice, end };
    const found = await firstTrue(scope, conditions, facts);
    if (found.is === 'none') return {};
    if (found.is === 'taken') return { at: found.index };
    return { undecided: { at: found.index, reason: found.reason } };
  }
}
