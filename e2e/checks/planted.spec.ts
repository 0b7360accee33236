/**
 * Proves that each lint rule works. Each violation is planted in a copy of the repository, and the rule that forbids it
 * must report the file.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { copyRepository, type Copy } from './copy';

const root = path.resolve(__dirname, '../..');
let copy: Copy;

interface Planted {
  what: string;
  file: string;
  code: string;
  /** Rules of oxlint. */
  lint?: string;
  /** Rules of the dependency cruiser. */
  boundary?: string;
}

const backend = 'apps/backend/src';
const features = 'apps/console/src/features';

const violations: Planted[] = [
  {
    what: 'libs/events standing on libs/projections',
    file: 'libs/events/src/planted.ts',
    code: `export * from '@quarterdeck/projections';`,
    lint: 'no-restricted-imports',
    boundary: 'events-stand-on-log-and-data-model',
  },
  {
    what: 'libs/log standing on libs/events',
    file: 'libs/log/src/store/planted.ts',
    code: `export * from '@quarterdeck/events';`,
    lint: 'no-restricted-imports',
    boundary: 'log-stands-alone',
  },
  {
    what: 'the form of events taking the engines along',
    file: 'libs/log/src/planted.ts',
    code: `export * from './store';`,
    boundary: 'form-of-events-runs-in-a-browser',
  },
  {
    what: 'libs/data-model standing on libs/events',
    file: 'libs/data-model/src/planted.ts',
    code: `export * from '@quarterdeck/events';`,
    lint: 'no-restricted-imports',
    boundary: 'data-model-stands-alone',
  },
  {
    what: 'libs/api standing on libs/events',
    file: 'libs/api/src/planted.ts',
    code: `export * from '@quarterdeck/events';`,
    lint: 'no-restricted-imports',
    boundary: 'api-stands-on-data-model',
  },
  {
    what: 'libs/texts standing on libs/events',
    file: 'libs/texts/src/planted.ts',
    code: `export * from '@quarterdeck/events';`,
    lint: 'no-restricted-imports',
    boundary: 'texts-stand-alone',
  },
  {
    what: 'a difference of data models using the clock',
    file: 'libs/data-model/src/planted-clock.ts',
    code: `export const now = () => Date.now();`,
    lint: 'quarterdeck(pure)',
  },
  {
    what: 'libs/projections standing on the back end',
    file: 'libs/projections/src/runner/planted.ts',
    code: `export * from '../../../../apps/backend/src/platform/planted-target';`,
    lint: 'no-restricted-imports',
    boundary: 'projections-stand-on-events',
  },
  {
    what: 'libs/projections standing on libs/contract',
    file: 'libs/projections/src/runner/planted-calls.ts',
    code: `export * from '@quarterdeck/contract';`,
    lint: 'no-restricted-imports',
    boundary: 'projections-stand-on-events',
  },
  {
    what: 'libs/contract standing on the back end',
    file: 'libs/contract/src/planted.ts',
    code: `export * from '../../../apps/backend/src/platform/planted-target';`,
    boundary: 'contract-stands-on-projections',
  },
  {
    what: 'the console importing the back end',
    file: `${features}/planted/backend.ts`,
    code: `export * from '../../../../backend/src/platform/planted-target';`,
    lint: 'no-restricted-imports',
    boundary: 'console-not-backend',
  },
  {
    what: 'the back end importing the console',
    file: `${backend}/planted/console.ts`,
    code: `export * from '../../../console/src/features/planted/inner';`,
    lint: 'no-restricted-imports',
    boundary: 'backend-not-console',
  },
  {
    what: 'the console taking the event store along',
    file: `${features}/planted/store.ts`,
    code: `export * from '@quarterdeck/log/store';`,
    lint: 'no-restricted-imports',
    boundary: 'console-runs-in-a-browser',
  },
  {
    what: 'a part of the console that is requested only once',
    file: `${features}/planted/lazy.ts`,
    code: `export { lazy } from 'react';`,
    lint: 'no-restricted-imports',
  },
  {
    what: 'a back-end feature entered past its door',
    file: `${backend}/planted/detour.ts`,
    code: `export * from '../planted-other/inner';`,
    boundary: 'one-door-backend',
  },
  {
    what: 'a room of the platform entered past its door by a feature',
    file: `${backend}/planted/room.ts`,
    code: `export * from '../platform/planted-room/inner';`,
    boundary: 'one-door-platform',
  },
  {
    what: 'a room of the platform entered past its door by another room',
    file: `${backend}/platform/planted-neighbour/room.ts`,
    code: `export * from '../planted-room/inner';`,
    boundary: 'one-door-between-rooms',
  },
  {
    what: 'a decider taking a room of the platform along',
    file: `${backend}/planted/room.decider.ts`,
    code: `export * from '../platform/planted-room';`,
    boundary: 'decisions-need-no-room',
  },
  {
    what: 'the platform knowing a feature',
    file: `${backend}/platform/planted.ts`,
    code: `export * from '../planted-other/index';`,
    boundary: 'features-stand-on-platform',
  },
  {
    what: 'back-end features in a circle, through their doors',
    file: `${backend}/planted/index.ts`,
    code: `import { other } from '../planted-other';\nexport const own = () => other;`,
    boundary: 'no-circle',
  },
  {
    what: 'rooms of the platform in a circle, if only of types',
    file: `${backend}/platform/planted-round/index.ts`,
    code: `import type { back } from '../planted-back';\nexport type Round = typeof back;`,
    boundary: 'no-circle-of-rooms',
  },
  {
    what: 'the ground of the platform standing on a room, if only on its types',
    file: `${backend}/platform/planted-ground.ts`,
    code: `import type { above } from './planted-above';\nexport type Ground = typeof above;`,
    boundary: 'no-circle-on-the-ground',
  },
  {
    what: 'a console feature importing another',
    file: `${features}/planted/neighbour.ts`,
    code: `export * from '../planted-other/index';`,
    boundary: 'console-features-apart',
  },
  {
    what: 'a console feature entered past its door',
    file: 'apps/console/src/app/planted.ts',
    code: `export * from '../features/planted/inner';`,
    boundary: 'one-door-console',
  },
  {
    what: 'the core of the console knowing a part of its pages',
    file: 'apps/console/src/core/planted.ts',
    code: `export * from '../ui/DataView';`,
    boundary: 'console-layer-core',
  },
  {
    what: 'a plain part of the console knowing records',
    file: 'apps/console/src/ui/planted.ts',
    code: `export * from '../records/history';`,
    boundary: 'console-layer-ui',
  },
  {
    what: 'a record of the console knowing a feature, if only its types',
    file: 'apps/console/src/records/planted.ts',
    code: `import type * as planted from '../features/planted/index';\nexport type Planted = typeof planted;`,
    boundary: 'console-layer-records',
  },
  {
    what: 'a console feature knowing the frame around it',
    file: `${features}/planted/frame.ts`,
    code: `export * from '../../app/store';`,
    boundary: 'console-layer-features',
  },
  {
    what: 'a page taking along what tests are made of',
    file: `${features}/planted/network.ts`,
    code: `export * from '../../testing/network';`,
    boundary: 'no-tests-in-code',
  },
  {
    what: 'the back end taking the test peers along',
    file: `${backend}/planted/peers.ts`,
    code: `export * from '../../../../testing/planted';`,
    boundary: 'no-tests-in-code',
  },
  {
    what: 'a test of a part standing on the tests of the whole',
    file: `${backend}/planted/world.spec.ts`,
    code: `import '../../../../e2e/planted';`,
    boundary: 'tests-of-the-whole-are-at-the-top',
  },
  {
    what: 'a test peer standing on the tests of the whole',
    file: 'testing/planted-peer.ts',
    code: `export * from '../e2e/planted';`,
    boundary: 'tests-of-the-whole-are-at-the-top',
  },
  {
    what: 'a test of the whole standing on a measurement',
    file: 'e2e/planted-measurement.ts',
    code: `export * from '../bench/planted';`,
    boundary: 'e2e-not-bench',
  },
  {
    what: 'a decider importing the framework',
    file: `${backend}/planted/framework.decider.ts`,
    code: `import { Injectable } from '@nestjs/common';\nexport const framework = Injectable;`,
    lint: 'no-restricted-imports',
  },
  {
    what: 'a decider importing Node',
    file: `${backend}/planted/node.decider.ts`,
    code: `import { randomUUID } from 'node:crypto';\nexport const id = randomUUID();`,
    lint: 'no-restricted-imports',
  },
  ...['new Date()', 'Date.now()', 'Math.random()', 'process.env', `fetch('/')`, 'crypto.randomUUID()'].map(
    (impure, index) => ({
      what: `a decider using ${impure}`,
      file: `${backend}/planted/impure-${index}.decider.ts`,
      code: `export const impure = () => ${impure};`,
      lint: 'quarterdeck(pure)',
    }),
  ),
  {
    what: 'the platform querying a table of a feature',
    file: `${backend}/platform/planted-room/table.ts`,
    code: "export const samples = 'select ok from app.health_samples where server = $1';",
    lint: 'quarterdeck(own-tables)',
  },
  {
    what: 'the platform querying a read model of a feature',
    file: `${backend}/platform/planted-room/read-model.ts`,
    code: 'export const servers = (id: string) => `select view\n from read.servers where id = ${id}`;',
    lint: 'quarterdeck(own-tables)',
  },
  {
    what: 'the platform naming a table of a feature',
    file: `${backend}/platform/planted-room/timed.ts`,
    code: "export const timed = { 'app.ssl_checks': 'select 1' };",
    lint: 'quarterdeck(own-tables)',
  },
  ...[`view->>'alias'`, `s.view #>> '{health,state}'`, `d.view - 'text'`, `view ? 'drift'`].map(
    (path, index) => ({
      what: `a query that names what is inside a view by text: ${path}`,
      file: `${backend}/planted/path-${index}.ts`,
      code: `export const query = "select ${path} as found from read.servers";`,
      lint: 'quarterdeck(typed-paths)',
    }),
  ),
  {
    what: 'a fold using the clock',
    file: 'libs/projections/src/planted.ts',
    code: `export const now = () => Date.now();`,
    lint: 'quarterdeck(pure)',
  },
  ...[
    `new URL('http://a')`,
    `'a'.localeCompare('b')`,
    `new Intl.NumberFormat('en')`,
    `/\\p{L}/u`,
    '`${1}\\\\p{L}`',
  ].map((differs, index) => ({
    what: `a rule for what is recorded that uses ${differs}`,
    file: `libs/events/src/planted-${index}.ts`,
    code: `export const differs = () => ${differs};`,
    lint: 'quarterdeck(same-everywhere)',
  })),
  {
    what: 'a decider using the runtime’s reader of URLs',
    file: `${backend}/planted/address.decider.ts`,
    code: `export const host = (url: string) => new URL(url).host;`,
    lint: 'quarterdeck(same-everywhere)',
  },
  {
    what: 'a remote script put together from text',
    file: `${backend}/planted/script.ts`,
    code: 'export const composed = (name: string) => ({ script: `rm ${name}` });',
    lint: 'quarterdeck(fixed-script)',
  },
  {
    what: 'a program started by a feature',
    file: `${backend}/planted/program.ts`,
    code: `export { exec } from 'node:child_process';`,
    lint: 'no-restricted-imports',
  },
  {
    what: 'SSH spoken past the pool',
    file: `${backend}/planted/ssh.ts`,
    code: `export { Client } from 'ssh2';`,
    lint: 'no-restricted-imports',
  },
  {
    what: 'a promise that nobody waits for',
    file: `${backend}/planted/floating.ts`,
    code: `export const forget = (work: () => Promise<void>) => {\n  work();\n};`,
    lint: 'no-floating-promises',
  },
  {
    what: 'a switch that forgets a case',
    file: `${backend}/planted/switch.ts`,
    code: `export function size(of: 'a' | 'b'): number | undefined {\n  switch (of) {\n    case 'a':\n      return 1;\n  }\n  return undefined;\n}`,
    lint: 'switch-exhaustiveness-check',
  },
  ...[
    'const MOST_TRIES = 3;',
    'const run = (means: object) => means;',
    'interface RunMeans {\n  run: () => void;\n}',
    'const msToWait = 5;',
    'class Names {\n  whileClaimed(): void {}\n}',
    'class Reader {\n  readonly #whereabouts = 1;\n  at = () => this.#whereabouts;\n}',
    ...['Given', 'Asked', 'Kept', 'Found', 'Place', 'Wanted', 'Known'].map(
      (name) => `type ${name} = string;`,
    ),
  ].map((code, index) => ({
    what: `a name that was replaced everywhere: ${code.split('\n')[0]}`,
    file: `${backend}/planted/name-${index}.ts`,
    code: `export ${code}`,
    lint: 'quarterdeck(names)',
  })),
  {
    what: 'an object spread into another for nothing',
    file: `${backend}/planted/spread.ts`,
    code: `export const place = (id: string, name: string) => ({ ...{ id, name }, uuid: id });`,
    lint: 'no-useless-spread',
  },
  {
    what: 'an explicit any',
    file: `${backend}/planted/any.ts`,
    code: `export const anything = (value: any): unknown => value;`,
    lint: 'no-explicit-any',
  },
  {
    what: 'a file of more than 300 lines',
    file: `${backend}/planted/long.ts`,
    code: Array.from({ length: 301 }, (_, n) => `export const line${n} = ${n};`).join('\n'),
    lint: 'max-lines',
  },
  {
    what: 'a skipped test',
    file: `${backend}/planted/skipped.spec.ts`,
    code: `it.skip('is not run', () => {});`,
    lint: 'no-disabled-tests',
  },
  {
    what: 'a test that keeps the others from running',
    file: `${backend}/planted/focused.spec.ts`,
    code: `it.only('is run alone', () => {});`,
    lint: 'no-focused-tests',
  },
];

const lints = violations.filter((violation) => violation.lint !== undefined);
const boundaries = violations.filter((violation) => violation.boundary !== undefined);

/** Modules that the violations import. */
const targets: Record<string, string> = {
  [`${backend}/platform/planted-target.ts`]: 'export const target = 1;',
  'testing/planted.ts': 'export const target = 1;',
  'e2e/planted.ts': 'export const target = 1;',
  'bench/planted.ts': 'export const target = 1;',
  [`${backend}/platform/planted-room/index.ts`]: `export * from './inner';`,
  [`${backend}/platform/planted-room/inner.ts`]: 'export const inner = 1;',
  [`${backend}/platform/planted-back/index.ts`]: `import type { Round } from '../planted-round';\nexport const back: Round | 1 = 1;`,
  [`${backend}/platform/planted-above/index.ts`]: `import type { Ground } from '../planted-ground';\nexport const above: Ground | 1 = 1;`,
  [`${backend}/planted-other/index.ts`]: `import { own } from '../planted';\nexport const other = () => own;`,
  [`${backend}/planted-other/inner.ts`]: 'export const inner = 1;',
  [`${features}/planted/index.ts`]: 'export const page = 1;',
  [`${features}/planted/inner.ts`]: 'export const inner = 1;',
  [`${features}/planted-other/index.ts`]: 'export const page = 1;',
};

let lintFindings: { filename: string; code: string }[];
let boundaryFindings: { rule: { name: string }; from: string; cycle?: { name: string }[] }[];

beforeAll(() => {
  copy = copyRepository(['scripts/lint', '.oxlintrc.json']);
  for (const [file, code] of Object.entries(targets)) copy.plant(file, code);
  for (const { file, code } of violations) copy.plant(file, code);

  // Only the planted files: `npm run check` lints the others, which takes four times as long.
  lintFindings = (
    JSON.parse(
      run('oxlint/bin/oxlint', ['--type-aware', '-f', 'json', ...lints.map(({ file }) => file)]),
    ) as {
      diagnostics: typeof lintFindings;
    }
  ).diagnostics;
  boundaryFindings = (
    JSON.parse(
      run('dependency-cruiser/bin/dependency-cruise.mjs', [
        '--config',
        'scripts/lint/dependencies.cjs',
        '--output-type',
        'json',
        'libs',
        'apps/backend/src',
        'apps/console/src',
        'testing',
        'e2e',
      ]),
    ) as { summary: { violations: typeof boundaryFindings } }
  ).summary.violations;
});

afterAll(() => copy?.remove());

function run(program: string, args: string[]): string {
  const result = spawnSync(process.execPath, [path.join(root, 'node_modules', program), ...args], {
    cwd: copy.root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (!result.stdout.startsWith('{'))
    throw new Error(`${program} gave no answer: ${result.stderr}${result.stdout}`);
  return result.stdout;
}

it.each(lints)('the linter refuses $what', ({ file, lint }) => {
  const found = lintFindings.filter((finding) => finding.filename === file).map((finding) => finding.code);
  expect(found).toContainEqual(expect.stringContaining(lint as string));
});

it.each(boundaries)('the dependency graph refuses $what', ({ file, boundary }) => {
  const found = boundaryFindings
    .filter((finding) => finding.from === file || finding.cycle?.some((step) => step.name === file))
    .map((finding) => finding.rule.name);
  expect(found).toContain(boundary);
});
