/** `npm run demo`: see e2e/demo/demo.ts. */
import './supported-node.mjs';
import fs from 'node:fs';
import path from 'node:path';
import { buildWhenNeeded } from './build.mjs';
import { bundle } from './bundle.mjs';
import { endWithNpm } from './end-with-npm.mjs';

process.chdir(path.resolve(import.meta.dirname, '..'));

if (!fs.existsSync('/usr/sbin/sshd')) {
  console.error('the demo needs an SSH server to connect to: apt-get install openssh-server');
  process.exit(1);
}

await buildWhenNeeded();
const program = await bundle('e2e/demo/demo.ts');
process.setSourceMapsEnabled(true);
endWithNpm();
await import(program);
