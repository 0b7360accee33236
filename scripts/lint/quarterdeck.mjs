/** Lint rules of this repository that no existing rule covers. */
import { names } from './names.mjs';
import { ownTables } from './own-tables.mjs';
import { typedPaths } from './typed-paths.mjs';

const IMPURE_GLOBALS = new Set([
  'process',
  'fetch',
  'crypto',
  'performance',
  'console',
  'globalThis',
  'window',
  'document',
  'localStorage',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
]);
const IMPURE_MEMBERS = new Set(['Date.now', 'Math.random']);

const isLocalIn = (context) => (node) => {
  for (let scope = context.sourceCode.getScope(node); scope; scope = scope.upper) {
    const variable = scope.set.get(node.name);
    if (variable) return variable.defs.length > 0;
  }
  return false;
};

/**
 * Deciders and folds must always give the same result for the same events: no clock, no randomness, no side effects.
 */
const pure = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const isLocal = isLocalIn(context);
    const refuse = (node, what) => context.report({ node, message: `${what} has no place in pure code` });
    return {
      Identifier(node) {
        if (!IMPURE_GLOBALS.has(node.name) || isPropertyName(node) || isLocal(node)) return;
        refuse(node, node.name);
      },
      MemberExpression(node) {
        const name = `${node.object.name}.${node.property.name ?? node.property.value}`;
        if (IMPURE_MEMBERS.has(name)) refuse(node, name);
      },
      NewExpression(node) {
        if (node.callee.name === 'Date' && node.arguments.length === 0) refuse(node, 'new Date()');
      },
      CallExpression(node) {
        if (node.callee.name === 'Date') refuse(node, 'Date()');
      },
      AwaitExpression: (node) => refuse(node, 'await'),
    };
  },
};

const DIFFERS = new Set(['URL', 'URLSearchParams', 'Intl']);
const DIFFERING_METHODS = /^(?:localeCompare|toLocale\w+)$/;
/** Unicode guarantees never to change these; every other property grows with each version. */
const GROWING_PROPERTY = /\\p\{(?!(?:Cc|Cs|Co|Surrogate|Noncharacter_Code_Point)\})/i;

/**
 * Recorded values, and everything derived from them, must be judged the same way on every version of Node and in every
 * browser. Their URL parsers, locales and character tables differ.
 */
const sameEverywhere = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const refuse = (node, what) =>
      context.report({
        node,
        message: `${what} differs between runtimes: use a pinned library or a fixed list`,
      });
    const isLocal = isLocalIn(context);
    return {
      Identifier(node) {
        if (DIFFERS.has(node.name) && !isPropertyName(node) && !isLocal(node)) refuse(node, node.name);
      },
      MemberExpression(node) {
        if (DIFFERING_METHODS.test(node.property.name ?? '')) refuse(node, node.property.name);
      },
      Literal(node) {
        if (node.regex && GROWING_PROPERTY.test(node.regex.pattern)) refuse(node, 'this class of characters');
      },
      TemplateElement(node) {
        if (GROWING_PROPERTY.test(node.value.raw)) refuse(node, 'this class of characters');
      },
    };
  },
};

/** `a.process`, `{ process: … }` and types are names, not the global. */
function isPropertyName(node) {
  const { parent } = node;
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  if (parent.type === 'Property') return parent.key === node && !parent.shorthand && !parent.computed;
  return parent.type.startsWith('TS');
}

/** Only fixed scripts run on a server; variable parts are quoted arguments, never part of the text. */
const fixedScript = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      Property(node) {
        const key = node.key.name ?? node.key.value;
        if ((key === 'script' || key === 'command') && isComposed(node.value)) {
          context.report({
            node: node.value,
            message: 'a remote script is fixed text: pass what differs as an argument',
          });
        }
      },
    };
  },
};

const isComposed = (node) =>
  (node.type === 'TemplateLiteral' && node.expressions.length > 0) ||
  (node.type === 'BinaryExpression' && node.operator === '+');

export default {
  meta: { name: 'quarterdeck' },
  rules: {
    'fixed-script': fixedScript,
    names,
    'own-tables': ownTables,
    pure,
    'same-everywhere': sameEverywhere,
    'typed-paths': typedPaths,
  },
};
