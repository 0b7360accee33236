/**
 * Builds the back end (rolldown) and the console (Vite) if their sources differ from the last build. `npm run build`,
 * and the first step of everything that runs built code.
 */
import './supported-node.mjs';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installWhenNeeded } from './install.mjs';

const root = path.resolve(import.meta.dirname, '..');
const libraries = [
  'package-lock.json',
  'tsconfig.base.json',
  'libs/data-model',
  'libs/api',
  'libs/texts',
  'libs/log',
  'libs/events',
  'libs/projections',
  'libs/contract',
];

const parts = {
  backend: {
    sources: [...libraries, 'tsconfig.json', 'scripts/shell-files.mjs', 'apps/backend'],
    command: (target) => [
      'node_modules/rolldown/bin/cli.mjs',
      '--config',
      'apps/backend/rolldown.config.mjs',
      '--dir',
      target,
      '--log-level',
      'warn',
    ],
  },
  console: {
    sources: [...libraries, 'apps/console'],
    command: (target) => [
      'node_modules/vite/bin/vite.js',
      'build',
      'apps/console',
      '--outDir',
      target,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
  },
};

/** @param {('backend' | 'console')[]} names */
export async function buildWhenNeeded(names = ['backend', 'console']) {
  installWhenNeeded();
  await Promise.all(names.map((name) => buildPart(name, parts[name])));
}

async function buildPart(name, { sources, command }) {
  const target = path.join(root, 'dist', name);
  const stampFile = path.join(target, '.sources');
  const stamp = hashOf(sources);
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, 'utf8') === stamp) return;
  console.error(`building the ${name === 'backend' ? 'back end' : name}`);
  // Built in another folder and swapped in: a running back end keeps serving the old console until the new one is
  // complete.
  const aside = path.join(root, 'dist', `.${name}-${process.pid}`);
  try {
    await run(command(aside));
    fs.writeFileSync(path.join(aside, '.sources'), stamp);
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(aside, target);
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

/** The builders' output is shown if they fail; stdout belongs to the requested command. */
function run(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      // Always: tests and operators use the same build, without React's slow checks.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said += text));
    child.once('error', reject);
    child.once('close', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${said}\n${args[0]} ended with ${code ?? signal}`)),
    );
  });
}

function hashOf(sources) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesOf(path.join(root, source)))) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesOf(place) {
  if (!fs.statSync(place).isDirectory()) return [place];
  return fs
    .readdirSync(place, { withFileTypes: true })
    .filter(
      (entry) => !entry.name.startsWith('.') && !['node_modules', 'dist', 'samples'].includes(entry.name),
    )
    .filter((entry) => !/\.spec\.tsx?$/.test(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesOf(path.join(place, entry.name)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildWhenNeeded();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
