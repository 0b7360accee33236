/**
 * Compiles each module once per worker, and evaluates modules without state once. Jest itself does both again for each
 * test file, which includes the console's packages and our own 800 modules.
 */
const path = require('node:path');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const NodeEnvironment = require('./node-environment.cjs');

require('./end-of-worker.cjs');

/** Compiled code by file. All projects transform a file in the same way. */
const scripts = new Map();

function scriptOf(file, code, parameters) {
  const known = scripts.get(file);
  if (known?.code === code) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${code}\n})`, { filename: file, columnOffset: -head.length });
  scripts.set(file, { code, script });
  return script;
}

/** Runtimes that hold the modules kept across test files, by project. */
const lasting = new Map();
/** Shared by all runtimes, since a stack trace may cross them. */
const sourceMaps = new Map();

const root = path.resolve(__dirname, '../..');
const isIn = (folder, file) => file.startsWith(path.join(root, folder) + path.sep);

module.exports = class Runtime extends JestRuntime {
  constructor(config, environment, ...more) {
    super(config, environment, ...more);
    this.transformCache.sourceMaps = sourceMaps;
    this.#keepScripts();
    if (lasting.has(config.id)) return;
    lasting.set(config.id, this); // Set first, so that the constructor below does not recurse.
    const context = { globalConfig: more.at(-1), projectConfig: config };
    const ofNode = new NodeEnvironment(context, { console, docblockPragmas: {} });
    lasting.set(config.id, new this.constructor(config, ofNode, ...more));
  }

  requireModuleOrMock(from, name) {
    const kept = lasting.get(this._config.id);
    return kept !== this && /^[.@z]/.test(name) && this.#stays(this._resolution.resolveCjs(from, name))
      ? kept.requireModule(from, name)
      : super.requireModuleOrMock(from, name);
  }

  /**
   * True for modules kept across test files. The libraries and zod have no state. Nor has the back end, but
   * its unit tests replace its clock and file system, so it is kept only for e2e tests.
   */
  #stays(file) {
    if (/\.spec\.tsx?$/.test(file)) return false;
    if (isIn('apps/backend/src', file)) return isIn('e2e', this._testPath);
    return isIn('libs', file) || file === path.join(root, 'dist/console-packages/zod.cjs');
  }

  #keepScripts() {
    const { environment, injectedModuleParameters } = this.executor;
    const compile = this.executor.compile.bind(this.executor);
    this.executor.compile = (code, file) => {
      const context = path.isAbsolute(file) && environment.getVmContext();
      return context
        ? scriptOf(file, code, injectedModuleParameters).runInContext(context)
        : compile(code, file);
    };
  }
};
