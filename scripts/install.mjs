/** Installs the packages of the lock file, unless node_modules has exactly these, for this platform. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

export function installWhenNeeded() {
  const reason = whyInstall(root);
  if (reason === undefined) {
    linkOurs(root);
    return;
  }
  console.error(`installing packages: ${reason}`);
  // Install scripts of packages are not run: none is needed, and compiling optional speed-ups would make machines
  // differ.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(...npm(args), { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`npm ci ended with ${result.status ?? result.signal}`);
}

function npm(args) {
  const own = process.env.npm_execpath;
  return own?.endsWith('.js') ? [process.execPath, [own, ...args]] : ['npm', args];
}

/** npm writes node_modules/.package-lock.json last, so it lists exactly what is installed. */
export function whyInstall(folder) {
  const wanted = readPackages(folder, 'package-lock.json');
  const present = readPackages(folder, 'node_modules/.package-lock.json');
  if (present === undefined) return 'none are there';
  for (const [place, entry] of Object.entries(wanted)) {
    if (place === '' || entry.link || !place.startsWith('node_modules/')) continue;
    const found = present[place];
    if (found === undefined && !entry.optional) return `${place} is missing`;
    if (found !== undefined && found.version !== entry.version)
      return `${place} is not version ${entry.version}`;
  }
  for (const [place, entry] of Object.entries(present)) {
    if (!fits(entry.os, process.platform) || !fits(entry.cpu, process.arch))
      return `${place} is for another machine`;
    if (wanted[place] === undefined) return `${place} is not in the lock file`;
  }
  return undefined;
}

/** A library of ours that was added after the last installation only needs a link. */
export function linkOurs(folder) {
  for (const [place, { link, resolved }] of Object.entries(readPackages(folder, 'package-lock.json'))) {
    const target = path.join(folder, place);
    if (!link || fs.existsSync(target)) continue;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.symlinkSync(path.relative(path.dirname(target), path.join(folder, resolved)), target);
  }
}

function readPackages(folder, file) {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const fits = (allowed, own) =>
  allowed === undefined ||
  allowed.includes(own) ||
  (allowed.every((name) => name[0] === '!') && !allowed.includes(`!${own}`));
