/**
 * Jest on Node 20 cannot `require` ES modules, and Nest, uuid and others ship nothing else. This transformer turns the
 * ES modules inside node_modules into CommonJS and leaves everything that is CommonJS already as it is.
 */
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const swc = require('@swc/core');

const moduleFolders = new Map();

function isModule(file) {
  if (file.endsWith('.mjs')) return true;
  if (file.endsWith('.cjs')) return false;
  const folder = path.dirname(file);
  const known = moduleFolders.get(folder);
  if (known !== undefined) return known;
  const answer = nearestPackageType(folder) === 'module';
  moduleFolders.set(folder, answer);
  return answer;
}

function nearestPackageType(folder) {
  for (let at = folder; at !== path.dirname(at); at = path.dirname(at)) {
    const manifest = path.join(at, 'package.json');
    if (fs.existsSync(manifest)) return JSON.parse(fs.readFileSync(manifest, 'utf8')).type;
    if (path.basename(at) === 'node_modules') return undefined;
  }
  return undefined;
}

/** Replaces `import()` in CommonJS, as in @fastify/cookie: jest lacks it, and the imported module is CommonJS here. */
const requireInstead = (source) =>
  source.replace(/\bimport\(\s*(['"][^'"\n]+['"])\s*\)/g, 'Promise.resolve().then(() => require($1))');

module.exports = {
  getCacheKey: (source, file) =>
    crypto.createHash('sha1').update(`2\0${file}\0`).update(source).digest('hex'),
  process(source, file) {
    if (!isModule(file)) return { code: requireInstead(source) };
    return swc.transformSync(source, {
      filename: file,
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } },
      module: { type: 'commonjs' },
    });
  },
};
