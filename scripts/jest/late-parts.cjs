/**
 * Compiles the console, whose `import()` becomes a `require` that takes no time. In tests of pages, it takes the time that
 * `untilPartArrives` takes (browser-setup.ts).
 */
const swc = require('@swc/jest');

const AT_ONCE =
  /Promise\.resolve\(\)(\.then\(\(\)=>\/\*#__PURE__\*\/ _interop_require_wildcard\(require\(("[^"]+")\))/g;
const LATE = '(globalThis.untilPartArrives?.($2) ?? Promise.resolve())$1';

module.exports = {
  createTransformer(options) {
    const typescript = swc.createTransformer(options);
    return {
      ...typescript,
      getCacheKey: (...given) => `${typescript.getCacheKey(...given)}-late-parts-2`,
      process(...given) {
        const { code, ...more } = typescript.process(...given);
        return { ...more, code: code.replaceAll(AT_ONCE, LATE) };
      },
    };
  },
};
