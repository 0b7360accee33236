/**
 * Loads packages with Node's own `require`, once per worker. Jest would load them again for each test file: they are
 * 1,600 of the 2,180 modules of a back-end test. Our own code and Node's modules still go through jest.
 */
const { createRequire, isBuiltin } = require('node:module');
const path = require('node:path');
const Runtime = require('./runtime.cjs');

/** Loaded by jest, with their dependencies: they accept plain objects only from their own context. */
const BY_JEST = ['oidc-provider'];

/** Keyed by folder, since workspaces may have different versions of a package. */
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
