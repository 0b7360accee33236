import { mappedPackages } from './scripts/jest/console-packages.mjs';
import { jestOfOthers, turnOf } from './scripts/test/turns.mjs';

/**
 * Two projects: `node` (libraries, back end, whole-system tests, and what the console works out without a page) and
 * `console` (what needs a page, in jsdom).
 */
const rootDir = import.meta.dirname;

const typescript = [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: true, decorators: true },
      transform: {
        legacyDecorator: true,
        decoratorMetadata: true,
        useDefineForClassFields: false,
        react: { runtime: 'automatic' },
      },
      keepClassNames: true,
    },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

const shared = {
  rootDir,
  transform: {
    '/apps/console/.+\\.tsx?$': ['<rootDir>/scripts/jest/late-parts.cjs', typescript[1]],
    '^.+\\.tsx?$': typescript,
    '^.+\\.[mc]?js$': '<rootDir>/scripts/jest/esm-to-cjs.cjs',
    '\\.sh$': '<rootDir>/scripts/jest/shell-to-cjs.mjs',
  },
  transformIgnorePatterns: ['/scripts/jest/[^/]*js$'],
  moduleNameMapper: {
    '^\\./(thread|guest|api-process|standalone)-file$': '<rootDir>/scripts/jest/$1-file.cjs',
    '^@quarterdeck/(api|contract|data-model|events|log|projections|texts)$': '<rootDir>/libs/$1/src/index.ts',
    '^@quarterdeck/events/(inputs|catalogue)$': '<rootDir>/libs/events/src/$1.ts',
    '^@quarterdeck/events/store$': '<rootDir>/libs/events/src/store.ts',
    '^@quarterdeck/log/store$': '<rootDir>/libs/log/src/store/index.ts',
    '^@quarterdeck/projections/runner$': '<rootDir>/libs/projections/src/runner/index.ts',
    '\\.css\\?url$': '<rootDir>/apps/console/src/testing/style-address.ts',
    '\\.css$': 'identity-obj-proxy',
  },
};

export default {
  // For what hangs: a busy machine takes up to ten times as long as an idle one.
  testTimeout: 600_000,
  // Together with the browser tests, three workers keep two cores busy. More would only slow each other down.
  maxWorkers: 3,
  // Between two files. Without it, three workers grow to 6.6 GB, and a machine with 8 GB ends one of them.
  workerIdleMemoryLimit: '1GB',
  // Half a second, the default, is too little on a busy machine (scripts/jest/end-of-worker.cjs).
  workerGracefulExitTimeout: 30_000,
  testSequencer: '<rootDir>/scripts/jest/longest-first.cjs',
  projects: [
    {
      ...shared,
      displayName: 'node',
      testEnvironment: '<rootDir>/scripts/jest/node-environment.cjs',
      runtime: '<rootDir>/scripts/jest/node-runtime.cjs',
      roots: ['libs', 'apps/backend/src', 'apps/console/src', 'testing', 'e2e', 'bench'].map(
        (name) => `<rootDir>/${name}`,
      ),
      testMatch: ['**/*.spec.ts', '!**/graph/picture.spec.ts'],
      // One trial of each takes ten minutes of two processors and proves little: `npm run faults` repeats them.
      testPathIgnorePatterns: [
        '/node_modules/',
        ...(process.env.FAULTS_REPORT ? [] : ['/e2e/faults/long/']),
        ...jestOfOthers(turnOf(process.env.TEST_TURN)).map((name) => `/${name.replaceAll('.', '\\.')}$`),
      ],
      globalSetup: '<rootDir>/scripts/jest/node-setup.mjs',
      globalTeardown: '<rootDir>/scripts/jest/postgres-teardown.mjs',
    },
    {
      ...shared,
      displayName: 'console',
      runtime: '<rootDir>/scripts/jest/runtime.cjs',
      roots: ['<rootDir>/apps/console/src'],
      globalSetup: '<rootDir>/scripts/jest/console-packages.mjs',
      moduleNameMapper: { ...shared.moduleNameMapper, ...mappedPackages() },
      transformIgnorePatterns: [...shared.transformIgnorePatterns, '<rootDir>/dist/'],
      testMatch: ['**/*.spec.tsx', '**/graph/picture.spec.ts'],
      testEnvironment: '<rootDir>/scripts/jest/browser-environment.mjs',
      testEnvironmentOptions: { customExportConditions: ['require', 'node'] },
      setupFilesAfterEnv: ['<rootDir>/scripts/jest/browser-setup.ts'],
    },
  ],
};
