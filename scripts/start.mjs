/**
 * `npm start`: installs and builds what is missing, then runs the back end, which serves the console and starts the
 * embedded Postgres. Imports only from `node:`: this also runs before anything is installed.
 */
import './supported-node.mjs';
import module from 'node:module';
import path from 'node:path';
import { buildWhenNeeded } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';

const root = path.resolve(import.meta.dirname, '..');

try {
  process.chdir(root);
  await buildWhenNeeded();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);
endWithNpm();
// Node 22 and later cache compiled code, which makes later starts faster. A build deletes the cache.
module.enableCompileCache?.(path.join(root, 'dist/backend/.compiled'));
// In this process, not in a child: signals reach it directly, and killing this process kills the back end.
await import('../dist/backend/main.js');
// Writes the cache now: a killed process would not.
module.flushCompileCache?.();
