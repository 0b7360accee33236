/** `node scripts/cli.mjs <command> …`: runs the back end's own commands, after building what they need. */
import './supported-node.mjs';
import module from 'node:module';
import path from 'node:path';
import { buildWhenNeeded } from './build.mjs';
import { endWithNpm } from './end-with-npm.mjs';

const root = path.resolve(import.meta.dirname, '..');

try {
  process.chdir(root);
  await buildWhenNeeded(['backend']);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

process.env.NODE_ENV ??= 'production';
process.setSourceMapsEnabled(true);
endWithNpm();
// As in start.mjs.
module.enableCompileCache?.(path.join(root, 'dist/backend/.compiled'));
const program = path.join(root, 'dist/backend/cli.js');
process.argv.splice(1, 1, program);
await import(program);
