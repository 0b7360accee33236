/** CEL within its limits: what compiles, what is refused, and where. Only threads import it. */
import { Environment, type ASTNode, type ParseResult } from '@marcbachmann/cel-js';
import type { ExpressionScope, Refusal } from './expression-scope';

const MAX_NODES = 200;
const MAX_NESTED = 2;
const MACROS: ReadonlySet<string> = new Set(['map', 'filter', 'all', 'exists', 'exists_one']);

const environments = new Map<string, Environment>();

const environmentOf = ({ variables }: ExpressionScope): Environment => {
  const key = JSON.stringify(variables);
  const known = environments.get(key);
  if (known) return known;
  // A value that is sent may mix types, as JSON does.
  const made = new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: MAX_NODES },
  });
  for (const [name, kind] of Object.entries(variables))
    made.registerVariable(name, kind === 'json' ? 'dyn' : kind);
  environments.set(key, made);
  return made;
};

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'op' in value && 'args' in value;

const nodesIn = (value: unknown): ASTNode[] => {
  if (isNode(value)) return [value];
  return Array.isArray(value) ? value.flatMap(nodesIn) : [];
};

const refusalAt = (reason: string, text: string, at: number | undefined): Refusal => {
  if (at === undefined) return { reason };
  const before = text.slice(0, at).split('\n');
  return { reason, line: before.length, column: (before.at(-1) ?? '').length + 1 };
};

/** What takes too long in the worst case, although it compiles. */
const refusedIn = (node: ASTNode, nested = 0): Refusal | undefined => {
  const isMethod = node.op === 'rcall';
  const name = isMethod || node.op === 'call' ? String(node.args[0]) : '';
  if (name === 'matches') {
    const reason =
      'matches is not available, because some patterns never end: use contains, startsWith or endsWith';
    return refusalAt(reason, node.input, node.start);
  }
  const inside = MACROS.has(name) ? nested + 1 : nested;
  if (inside > MAX_NESTED) {
    const reason = `at most ${MAX_NESTED} of map, filter, all and exists fit into each other`;
    return refusalAt(reason, node.input, node.start);
  }
  // One macro after the other is not nested: the receiver of a macro is evaluated once.
  const [before, within] = isMethod ? [node.args[1], node.args[2]] : [[], node.args];
  for (const [children, depth] of [[before, nested] as const, [within, inside] as const])
    for (const child of nodesIn(children)) {
      const refusal = refusedIn(child, depth);
      if (refusal) return refusal;
    }
  return undefined;
};

/** The first line of what the library says, and where. */
export const refusalOf = (error: unknown, text: string): Refusal => {
  const { summary, message, range } = error as {
    summary?: string;
    message?: string;
    range?: { start: number };
  };
  return refusalAt((summary ?? message ?? String(error)).split('\n')[0] ?? '', text, range?.start);
};

export type Wanted = 'condition' | 'value';

/** An expression that may be evaluated, or why it may not. */
export const compiled = (
  text: string,
  scope: ExpressionScope,
  wanted: Wanted,
): { expression: ParseResult } | { refusal: Refusal } => {
  try {
    const expression = environmentOf(scope).parse(text);
    const refusal = refusedIn(expression.ast);
    if (refusal) return { refusal };
    const { valid, type, error } = expression.check();
    if (!valid) return { refusal: refusalOf(error, text) };
    if (wanted === 'condition' && type !== 'bool' && type !== 'dyn')
      return { refusal: { reason: `this is ${type}, and it has to be true or false` } };
    return { expression };
  } catch (error) {
    return { refusal: refusalOf(error, text) };
  }
};
