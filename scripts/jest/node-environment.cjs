const { TestEnvironment } = require('jest-environment-node');

/**
 * Globals that tests share with packages, which `node-runtime.cjs` loads outside the test's context: packages check
 * values with `instanceof`, and decorators store metadata on `Reflect`.
 */
const SHARED = [
  'AggregateError',
  'Date',
  'Error',
  'EvalError',
  'Map',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'Set',
  'SyntaxError',
  'TypeError',
  'URIError',
];

module.exports = class NodeEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    for (const name of SHARED) this.global[name] = globalThis[name];
  }
};
