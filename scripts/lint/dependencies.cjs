/**
 * Import rules. The quick half is in .oxlintrc.json and marks lines in the editor. This half checks the real import
 * graph, so it also finds cycles and indirect imports.
 */
const BACKEND_FEATURE = '^apps/backend/src/(?!platform/)([^/]+)/';
const CONSOLE_FEATURE = '^apps/console/src/features/([^/]+)/';
const PLATFORM_ROOM = '^apps/backend/src/platform/([^/]+)/';
const PLATFORM_DOOR = '^apps/backend/src/platform/[^/]+/(index|[^/]+\\.(jobs|program))\\.ts$';
/** Each imports only what is to its left. */
const CONSOLE_LAYERS = ['core', 'ui', 'records', 'features', 'app'];
const CONSOLE_TESTING = '^apps/console/src/testing/';
const TEST = '\\.spec\\.tsx?$';

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

module.exports = {
  forbidden: [
    forbid(
      'no-circle',
      'Import circles break decorator metadata and understanding.',
      {},
      {
        circular: true,
        viaOnly: { dependencyTypesNot: ['type-only'] },
      },
    ),
    // Types included: a reader follows them too.
    forbid(
      'no-circle-of-rooms',
      'Rooms of the platform stand on each other in one direction.',
      { path: PLATFORM_ROOM, pathNot: TEST },
      { circular: true, via: { pathNot: '^apps/backend/src/platform/$1/' } },
    ),
    forbid(
      'no-circle-on-the-ground',
      'The files directly in the platform stand on no room that stands on them.',
      { path: '^apps/backend/src/platform/[^/]+$', pathNot: TEST },
      { circular: true },
    ),
    // Only Vite resolves imports of a stylesheet's address.
    forbid(
      'no-unresolved',
      'An import that leads nowhere.',
      {},
      {
        couldNotResolve: true,
        pathNot: String.raw`\.css\?url$`,
      },
    ),
    forbid(
      'data-model-stands-alone',
      'libs/data-model stands on nothing of ours.',
      { path: '^libs/data-model/', pathNot: TEST },
      { path: '^(libs/(?!data-model/)|apps|testing|e2e|bench|scripts)' },
    ),
    forbid(
      'api-stands-on-data-model',
      'libs/api stands on libs/data-model only.',
      { path: '^libs/api/', pathNot: TEST },
      { path: '^(libs/(?!api/|data-model/)|apps|testing|e2e|bench|scripts)' },
    ),
    forbid(
      'texts-stand-alone',
      'libs/texts stands on nothing of ours.',
      { path: '^libs/texts/', pathNot: TEST },
      { path: '^(libs/(?!texts/)|apps|testing|e2e|bench|scripts)' },
    ),
    forbid(
      'log-stands-alone',
      'libs/log stands on nothing of ours.',
      { path: '^libs/log/', pathNot: TEST },
      { path: '^(libs/(?!log/)|apps|testing|e2e|bench|scripts)' },
    ),
    forbid(
      'form-of-events-runs-in-a-browser',
      'What libs/log exports for browsers does not need its engines.',
      { path: '^libs/log/src/[^/]+$', pathNot: TEST },
      { path: '^libs/log/src/store/' },
    ),
    forbid(
      'events-stand-on-log-and-data-model',
      'libs/events stands on libs/log and libs/data-model only.',
      { path: '^libs/events/', pathNot: TEST },
      { path: '^(libs/(projections|contract)|apps|testing|e2e|bench|scripts)/' },
    ),
    forbid(
      'projections-stand-on-events',
      'libs/projections stands on libs/events only.',
      { path: '^libs/projections/', pathNot: TEST },
      { path: '^(libs/contract|apps|testing|e2e|bench|scripts)/' },
    ),
    forbid(
      'contract-stands-on-projections',
      'libs/contract stands on libs/events and libs/projections only, and not on what needs Node.',
      { path: '^libs/contract/', pathNot: TEST },
      { path: '^(apps|testing|e2e|bench|scripts|libs/log/src/store|libs/projections/src/runner)/' },
    ),
    forbid(
      'tests-of-the-whole-are-at-the-top',
      'Nothing stands on the tests of the whole, not even a test of a part: what they share is in testing/.',
      { path: '^(apps|libs|testing)/' },
      { path: '^(e2e|bench)/' },
    ),
    forbid(
      'e2e-not-bench',
      'Tests do not stand on measurements: what they share is in testing/.',
      { path: '^e2e/' },
      { path: '^bench/' },
    ),
    forbid(
      'backend-not-console',
      'Back end and console never import each other.',
      { path: '^apps/backend/' },
      { path: '^apps/console/' },
    ),
    forbid(
      'console-not-backend',
      'Back end and console never import each other.',
      { path: '^apps/console/' },
      { path: '^apps/backend/' },
    ),
    forbid(
      'console-runs-in-a-browser',
      'The event store and the projection runner need Node.',
      { path: '^apps/console/src/', pathNot: TEST },
      { path: '^libs/(log/src/store|projections/src/runner)/' },
    ),
    forbid(
      'features-stand-on-platform',
      'Platform knows no feature.',
      { path: '^apps/backend/src/platform/', pathNot: TEST },
      { path: BACKEND_FEATURE },
    ),
    forbid(
      'one-door-platform',
      'A room of the platform is entered through its index.ts.',
      { path: `^(?!${PLATFORM_ROOM})apps/backend/src/`, pathNot: TEST },
      { path: PLATFORM_ROOM, pathNot: PLATFORM_DOOR },
    ),
    forbid(
      'one-door-between-rooms',
      'A room of the platform is entered through its index.ts.',
      { path: PLATFORM_ROOM, pathNot: TEST },
      { path: PLATFORM_ROOM, pathNot: ['^apps/backend/src/platform/$1/', PLATFORM_DOOR] },
    ),
    forbid(
      'decisions-need-no-room',
      'A decider is pure: a room of the platform takes the framework and the outside along.',
      { path: '\\.decider\\.ts$' },
      { path: PLATFORM_ROOM, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'one-door-backend',
      'A feature is entered through its index.ts, or by a program of its own, which loads no framework.',
      { path: BACKEND_FEATURE },
      {
        path: BACKEND_FEATURE,
        pathNot: ['^apps/backend/src/$1/', '^apps/backend/src/[^/]+/(index|[^/]+\\.program)\\.ts$'],
      },
    ),
    forbid(
      'one-door-backend-from-outside',
      'A feature is entered through its index.ts, or its tables and its jobs through their own files.',
      { path: '^apps/backend/src/[^/]+\\.ts$' },
      {
        path: BACKEND_FEATURE,
        pathNot: '^apps/backend/src/[^/]+/(index|[^/]+\\.(tables|jobs|program))\\.ts$',
      },
    ),
    forbid(
      'console-features-apart',
      'Console features do not import each other; routes compose them.',
      { path: CONSOLE_FEATURE },
      { path: CONSOLE_FEATURE, pathNot: '^apps/console/src/features/$1/' },
    ),
    forbid(
      'one-door-console',
      'A feature is entered through its index.ts.',
      { path: '^apps/console/src/(app/|[^/]+\\.tsx?$)', pathNot: TEST },
      { path: CONSOLE_FEATURE, pathNot: '^apps/console/src/features/[^/]+/index\\.tsx?$' },
    ),
    ...CONSOLE_LAYERS.slice(0, -1).map((layer, at) =>
      forbid(
        `console-layer-${layer}`,
        `The console's layers: ${CONSOLE_LAYERS.join(' <- ')}.`,
        { path: `^apps/console/src/${layer}/`, pathNot: TEST },
        { path: `^apps/console/src/((${CONSOLE_LAYERS.slice(at + 1).join('|')})/|[^/]+$)` },
      ),
    ),
    forbid(
      'no-tests-in-code',
      'Code does not import tests.',
      { pathNot: [TEST, '^(testing|e2e|bench)/', CONSOLE_TESTING] },
      { path: [TEST, '^testing/', CONSOLE_TESTING] },
    ),
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
};
