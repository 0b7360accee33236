const { TestEnvironment } = require('jest-environment-node');

/**
 * `node-runtime.cjs` loads packages outside of the globals of a test. Packages recognise these by `instanceof`, and
 * decorators of both note their data at `Reflect`.
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
