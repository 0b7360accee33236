/** Bundles a TypeScript program of this repository for Node: packages stay outside, our own code is included. */
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const isOurs = (id) => /^[./\0]/.test(id) || id.startsWith('@quarterdeck/') || id.startsWith('@oxc-project/');

/** @param {string} entry such as `bench/appends.ts` @returns {Promise<string>} the file to run */
export async function bundle(entry) {
  // Not imported at the top: a new checkout has no packages yet.
  const { build } = await import('rolldown');
  const name = path.basename(entry, '.ts');
  const dir = path.join(root, 'dist', path.dirname(entry));
  await build({
    cwd: root,
    input: { [name]: entry },
    platform: 'node',
    tsconfig: path.join(root, 'tsconfig.json'),
    external: (id) => !isOurs(id),
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
  return path.join(dir, `${name}.js`);
}
