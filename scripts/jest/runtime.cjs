/**
 * Each worker does once what is the same for each test file. Jest itself compiles all modules again for each file, and runs
 * them again: the packages of the console, and our own 800 modules.
 */
const path = require('node:path');
const vm = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');
const NodeEnvironment = require('./node-environment.cjs');

// Nothing is left to do by then, but freeing the memory of what was kept takes longer than the 500 ms after which jest
// ends a worker by force.
if (process.send) process.once('beforeExit', (code) => process.exit(code));

/** Compiled code, by file. All projects transform a file alike. */
const scripts = new Map();

function scriptOf(file, code, parameters) {
  const known = scripts.get(file);
  if (known?.code === code) return known.script;
  const head = `(function (${parameters.join(', ')}) {`;
  const script = new vm.Script(`${head}${code}\n})`, { filename: file, columnOffset: -head.length });
  scripts.set(file, { code, script });
  return script;
}

/** The runtimes with the modules that stay, by project. */
const lasting = new Map();
/** Of all runtimes: a stack trace goes through modules of both. */
const sourceMaps = new Map();

const root = path.resolve(__dirname, '../..');
const isIn = (folder, file) => file.startsWith(path.join(root, folder) + path.sep);

module.exports = class Runtime extends JestRuntime {
  constructor(config, environment, ...more) {
    super(config, environment, ...more);
    this.transformCache.sourceMaps = sourceMaps;
    this.#keepScripts();
    if (lasting.has(config.id)) return;
    lasting.set(config.id, this); // The next one must not make another.
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
   * The libraries, with the package that their schemas are made of, keep no state. Nor does the back end, but its unit tests
   * replace the clock and the file system that it sees.
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
