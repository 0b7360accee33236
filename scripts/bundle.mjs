/** Bundles a TypeScript program of this repository for Node: packages stay outside, our own code is included. */
import fs from 'node:fs/promises';
import path from 'node:path';
import { shellFiles } from './shell-files.mjs';

const root = path.resolve(import.meta.dirname, '..');
const isOurs = (id) => /^[./\0]/.test(id) || id.startsWith('@quarterdeck/') || id.startsWith('@oxc-project/');

/** `thread-file.ts` names the program `thread.js`, and so on. */
const PARTS = ['thread', 'guest', 'api-process'];

/** @param {string} entry such as `bench/appends.ts` @returns {Promise<string>} the file to run */
export async function bundle(entry) {
  // Not imported at the top: a new checkout has no packages yet.
  const { build } = await import('rolldown');
  const name = path.basename(entry, '.ts');
  const dir = path.join(root, 'dist', path.dirname(entry));
  const { output } = await build({
    cwd: root,
    input: { [name]: entry },
    platform: 'node',
    tsconfig: path.join(root, 'tsconfig.json'),
    external: (id) => !isOurs(id),
    plugins: [shellFiles],
    logLevel: 'silent',
    output: {
      dir,
      format: 'esm',
      sourcemap: true,
      entryFileNames: '[name].js',
      keepNames: true,
      codeSplitting: false,
    },
  });
  // The back end looks for the programs of its threads and children beside its own file.
  for (const part of PARTS) {
    const names = ({ moduleIds = [] }) => moduleIds.some((id) => id.endsWith(`/${part}-file.ts`));
    if (!output.some(names)) continue;
    const built = await bundle(`apps/backend/src/${part}.ts`);
    if (path.dirname(built) !== dir) await fs.copyFile(built, path.join(dir, `${part}.js`));
  }
  return path.join(dir, `${name}.js`);
}
