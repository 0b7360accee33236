/**
 * Loaded before a program: kills it with SIGKILL right after its change number KILLED_AT_CHANGE in the folder DATA_DIR,
 * as a power cut could. The folder itself counts.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

const folder = path.resolve(process.env.DATA_DIR);
const isInside = (name) =>
  typeof name === 'string' && `${path.resolve(name)}${path.sep}`.startsWith(`${folder}${path.sep}`);
let left = Number(process.env.KILLED_AT_CHANGE);

const counted =
  (change) =>
  (...args) => {
    const made = change(...args);
    if (args.some(isInside) && --left === 0) process.kill(process.pid, 'SIGKILL');
    return made;
  };

for (const name of [
  'mkdirSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'writeFileSync',
  'chmodSync',
  'chownSync',
])
  fs[name] = counted(fs[name]);
const { openSync } = fs;
const written = counted(openSync);
fs.openSync = (file, flags, ...more) => (flags === 'r' ? openSync : written)(file, flags, ...more);
syncBuiltinESMExports();
