import { defineConfig } from 'rolldown';

/** Packages stay in node_modules; our own libraries and the compiler's helpers are bundled. */
const isOurs = (id) => /^[./\0]/.test(id) || id.startsWith('@quarterdeck/') || id.startsWith('@oxc-project/');

const root = `${import.meta.dirname}/../..`;

export default defineConfig({
  cwd: root,
  input: { main: 'apps/backend/src/main.ts', cli: 'apps/backend/src/cli.ts' },
  platform: 'node',
  // Dependency injection reads the constructor types that the decorators leave behind.
  tsconfig: 'apps/backend/tsconfig.json',
  external: (id) => !isOurs(id),
  output: {
    dir: 'dist/backend',
    format: 'esm',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Class names are event, command and provider names.
    keepNames: true,
  },
});
