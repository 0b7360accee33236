/**
 * A small typed tree of nginx directives with its only printer. No other code writes nginx configuration, so no
 * argument can be left unquoted.
 *
 * A bare string is a word of our own code (`on`, `10m`). All external input goes into `text(...)`, in which only
 * `variable(...)` is an nginx variable. In most places nginx cannot express a literal `$`, so it is refused.
 */

/** `$name`, unquoted: the name of a declared variable, or a whole argument. */
export interface Variable {
  variable: string;
}
/** The first group of the pattern of a `rewrite`. */
export interface FirstGroup {
  group: 1;
}
export type Part = string | number | Variable | FirstGroup;
/** Always quoted. String parts are literal. */
export interface Text {
  text: readonly Part[];
}
/** A regular expression, always quoted. In it `$` is the end of the line. */
export interface Pattern {
  pattern: string;
}
/** The condition of an `if`: true unless the variable is empty or 0, or if it matches the pattern. */
export interface Condition {
  whether: Variable;
  matches?: string;
}
export type Token = string | number | Variable | Text | Pattern | Condition;

export interface Directive {
  name: Token;
  args: readonly Token[];
  /** Printed as a block, even an empty one. */
  children?: readonly Statement[];
  /** The field that the statement belongs to, such as `locations.2.url`. Children without one inherit it. */
  origin?: string;
}
export interface Comment {
  comment: string;
  origin?: string;
}
export type Statement = Directive | Comment;

export const variable = (name: string): Variable => ({ variable: name });
export const firstGroup: FirstGroup = { group: 1 };
export const text = (...parts: readonly Part[]): Text => ({ text: parts });
export const pattern = (source: string): Pattern => ({ pattern: source });
export const whether = (name: string, matches?: string): Condition => ({
  whether: variable(name),
  ...(matches !== undefined && { matches }),
});
export const comment = (words: string): Comment => ({ comment: words });
export const directive = (name: Token, ...args: Token[]): Directive => ({ name, args });
export const block = (name: Token, args: readonly Token[], children: readonly Statement[]): Directive => ({
  name,
  args,
  children,
});

/** The same statements, assigned to the field `origin` unless they have one already. */
export const because = <S extends Statement>(origin: string, ...statements: readonly S[]): S[] =>
  statements.map((statement) => (statement.origin === undefined ? { ...statement, origin } : statement));

const WORD = /^[A-Za-z0-9_~^=*+@%&!|,.:/?-]+$/;
const NAME = /^[a-z][a-z0-9_]*$/;
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
const MAX_TOKEN = 4000;

const refuse = (what: string, value: string): never => {
  throw new Error(`${what} cannot be used in nginx's configuration: ${JSON.stringify(value)}`);
};

/** Inside double quotes nginx unescapes only `\\ \" \t \r \n`. */
const escaped = (value: string): string =>
  unprintable.test(value) ? refuse('A control character', value) : value.replace(/["\\]/g, '\\$&');

const nameOf = ({ variable: name }: Variable): string =>
  NAME.test(name) ? name : refuse('This variable name', name);

const printPart = (part: Part): string => {
  // In braces it would be a variable named 1.
  if (typeof part === 'object' && 'group' in part) return `$${part.group}`;
  if (typeof part === 'object') return `\${${nameOf(part)}}`;
  const value = String(part);
  return value.includes('$') ? refuse('A literal $', value) : escaped(value);
};

const printToken = (token: Token): string => {
  if (typeof token === 'string') return WORD.test(token) ? token : refuse('This bare word', token);
  if (typeof token === 'number')
    return Number.isFinite(token) ? String(token) : refuse('This number', String(token));
  if ('variable' in token) return `$${nameOf(token)}`;
  if ('whether' in token)
    return `($${nameOf(token.whether)}${token.matches === undefined ? '' : ` ~ "${escaped(token.matches)}"`})`;
  const quoted = 'text' in token ? token.text.map(printPart).join('') : escaped(token.pattern);
  // nginx reads its files through a buffer of 4096 bytes, and a token has to fit into it.
  return Buffer.byteLength(quoted) > MAX_TOKEN
    ? refuse('A text of this length', quoted.slice(0, 80))
    : `"${quoted}"`;
};

export interface Printed {
  text: string;
  /** The field that each line of `text` belongs to. */
  origins: (string | undefined)[];
}

/**
 * One statement per line, so that a line in an nginx error belongs to one field. Throws on text that cannot be quoted.
 */
export const print = (statements: readonly Statement[]): Printed => {
  const lines: string[] = [];
  const origins: (string | undefined)[] = [];
  const line = (depth: number, words: string, origin: string | undefined) => {
    lines.push(words === '' ? '' : `${'    '.repeat(depth)}${words}`);
    origins.push(origin);
  };
  const walk = (all: readonly Statement[], depth: number, inherited: string | undefined) => {
    for (const [index, statement] of all.entries()) {
      const origin = statement.origin ?? inherited;
      if ('comment' in statement) {
        line(depth, `# ${statement.comment.replace(new RegExp(unprintable, 'gu'), ' ')}`.trimEnd(), origin);
        continue;
      }
      const head = [statement.name, ...statement.args].map(printToken).join(' ');
      if (statement.children === undefined) {
        line(depth, `${head};`, origin);
        continue;
      }
      if (index > 0 && !('comment' in (all[index - 1] ?? {}))) line(depth, '', undefined);
      line(depth, `${head} {`, origin);
      walk(statement.children, depth + 1, origin);
      line(depth, '}', origin);
    }
  };
  walk(statements, 0, undefined);
  return { text: `${lines.join('\n')}\n`, origins };
};
