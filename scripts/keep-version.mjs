/**
 * `node scripts/keep-version.mjs`: stores a DATA_DIR of this version, with an archive in it, for the tests of later
 * versions, in e2e/backups/versions/<version>.tar.br. Part of every release (CONTRIBUTING.md).
 */
import './supported-node.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { buildWhenNeeded } from './build.mjs';

const root = path.dirname(import.meta.dirname);
const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const target = path.join(root, 'e2e/backups/versions', `${version}.tar.br`);
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'quarterdeck-keep-'));
// When root runs this, Postgres runs as another user, who must be able to reach the folder.
fs.chmodSync(home, 0o755);
const dataDir = path.join(home, 'data');
const env = {
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  PORT: '0',
  HEALTH_CHECKS: 'off',
  DNS_CHECKS: 'off',
  SITE_CHECKS: 'off',
};
const own = (name) => path.join(root, 'dist/backend', name);

await buildWhenNeeded(['backend']);
const child = spawn(process.execPath, [own('main.js')], {
  cwd: root,
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
});
const exited = once(child, 'exit');
try {
  await fill(await started());
  child.kill('SIGTERM');
  await exited;
  fs.mkdirSync(path.dirname(target), { recursive: true });
  fs.writeFileSync(target, packed());
  console.log(`${target}: ${fs.statSync(target).size} bytes`);
} finally {
  child.kill('SIGTERM');
  await exited;
  fs.rmSync(home, { recursive: true });
}

/** Resolves to the address of the `ready` line once the start has printed everything. */
async function started() {
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = /^ready (.*)$/.exec(line)?.[1] ?? url;
    if (line.startsWith('sign in ')) break;
  }
  child.stdout.resume();
  if (url === '') throw new Error('the back end did not start');
  return url;
}

async function fill(url) {
  let cookie = '';
  const post = async (call, body = {}) => {
    const answer = await fetch(`${url}/api/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'keep-version', cookie },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${call}: ${answer.status} ${await answer.text()}`);
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie;
    return answer.json();
  };
  const link = ['sign-in-link', '--workspace', 'main', '--role', 'superadmin', '--email', 'ada@example.org'];
  const printed = execFileSync(process.execPath, [own('cli.js'), ...link], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  await post('auth/link', { code: /code=(\S+)/.exec(printed)[1] });
  await post('product/insert', { data: { name: 'Kept product', description: `made by version ${version}` } });
  // A secret in the vault.
  await post('workspace/alerts', {
    thresholds: [21, 7],
    webhook: { url: 'https://hooks.example.org/console', secret: 'sixteen characters' },
  });
  const keep = { days: 7, weeks: 4, months: 12 };
  await post('backup/configure', { target: { kind: 'folder' }, schedule: null, keep, recipients: [] });
  await post('backup/take');
  for (let view; view?.archives.length !== 1 || view.current;) {
    await pause(100);
    view = await post('backup/overview');
    if (view.failed) throw new Error(view.failed.reason);
  }
  // Later than the archive, so that the folder and the archive differ.
  await post('product/insert', { data: { name: 'Later product', description: '' } });
}

function packed() {
  const tar = execFileSync('tar', ['-C', dataDir, '--owner=0', '--group=0', '--sort=name', '-cf', '-', '.'], {
    maxBuffer: 1 << 30,
  });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_PARAM_LARGE_WINDOW } = constants;
  // The best quality takes minutes and saves a few bytes. The large window finds what the folder's databases share.
  const params = {
    [BROTLI_PARAM_QUALITY]: 9,
    [BROTLI_PARAM_LARGE_WINDOW]: 1,
    [BROTLI_PARAM_LGWIN]: 27,
  };
  return brotliCompressSync(tar, { params });
}
