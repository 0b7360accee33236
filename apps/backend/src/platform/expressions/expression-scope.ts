/** What expressions may name, and what they are given. Pure: threads import it too. */

/**
 * A variable: `json` is given as the text of a JSON value, which is read in the thread; a text that is no JSON is `null`.
 * Its numbers without a fraction are integers in CEL.
 */
export type VariableKind = 'int' | 'double' | 'string' | 'map<string, string>' | 'json';

export interface ExpressionScope {
  readonly variables: Readonly<Record<string, VariableKind>>;
  /** Of each variable. A larger one is not evaluated; the reason says so. */
  readonly maxBytes: number;
}

/** A value for each variable of the scope. */
export type Facts = Readonly<Record<string, number | string | Readonly<Record<string, string>>>>;

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Why an expression cannot be used. Line and column count from 1. */
export interface Refusal {
  reason: string;
  line?: number;
  column?: number;
}

/** `undecided`: it has no value, because it failed or took too long. It is never taken for `false`. */
export type Outcome = { is: 'value'; value: Json } | { is: 'undecided'; reason: string };

/** The sentence of a refusal, with its place in the text. */
export const placed = ({ reason, line, column }: Refusal, ofLine?: number): string => {
  const places = [
    ...(ofLine !== undefined ? [`line ${ofLine}`] : (line ?? 1) > 1 ? [`line ${line}`] : []),
    ...(column === undefined ? [] : [`column ${column}`]),
  ];
  return places.length === 0 ? reason : `${places.join(', ')}: ${reason}`;
};
