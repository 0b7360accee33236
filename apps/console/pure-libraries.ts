/**
 * What is computed while a module of our libraries loads has no effect: they are pure. Says so to the bundler, which
 * cannot see it in a schema made by a chain of calls, so that a page loads only the schemas that it uses.
 */
import path from 'node:path';
import type { Plugin } from 'vite';

const libraries = path.resolve(import.meta.dirname, '../../libs');
/** Their evaluation has no effect, and the bundler sees that by itself. */
const PLAIN = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'Literal', 'Identifier']);

export const pureLibraries = (): Plugin => ({
  name: 'quarterdeck:pure-libraries',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    if (!id.startsWith(libraries)) return undefined;
    const constants = this.parse(code).body.flatMap((statement) => {
      const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      return declared?.type === 'VariableDeclaration' && declared.kind === 'const'
        ? declared.declarations
        : [];
    });
    let text = code;
    for (const { init } of constants.toReversed()) {
      if (!init || PLAIN.has(init.type)) continue;
      const { start, end } = init;
      text = `${text.slice(0, start)}/* @__PURE__ */ (() => (${text.slice(start, end)}))()${text.slice(end)}`;
    }
    // Lines stay where they are, so the map of before is still right to the line.
    return { code: text, map: null, moduleSideEffects: false };
  },
});
