export { evaluateAll, firstTrue, judge, refusedConditions, refusedValues, valuesOf } from './expressions';
export type { FirstTrue } from './expressions';
export { placed } from './expression-scope';
export type { ExpressionScope, Facts, Json, Outcome, Refusal } from './expression-scope';
