/**
 * Packages are loaded by Node's own `require`, once for each worker. Jest loads them anew for each test file: 1,600 of the
 * 2,180 modules of a back-end test. Our own code and what comes with Node still go through jest.
 */
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const Runtime = require('./runtime.cjs');

/** It takes plain objects only if they come from its own globals. Only jest loads it, and so what it loads itself. */
const BY_JEST = ['oidc-provider'];

/** Per folder, since a workspace may have another version of a package than the rest. */
const known = new Map();

const isPackage = (name) =>
  !/^(?:[./]|@quarterdeck\/|@?jest\b)/.test(name) && !isBuiltin(name) && !BY_JEST.includes(name);
const isInPackage = (file) => file.includes(`${path.sep}node_modules${path.sep}`);

function requireFrom(from, name) {
  const folder = path.dirname(from);
  let modules = known.get(folder);
  if (modules === undefined)
    known.set(folder, (modules = { require: createRequire(from), loaded: new Map() }));
  if (!modules.loaded.has(name)) modules.loaded.set(name, modules.require(name));
  return modules.loaded.get(name);
}

module.exports = class NodeRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    return isPackage(name) && !isInPackage(from)
      ? requireFrom(from, name)
      : super.requireModuleOrMock(from, name);
  }
};
