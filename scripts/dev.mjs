/**
 * `npm run dev`: whenever a source changes, the back end is built and restarted, and the console updates itself in the
 * browser. The sign-in link leads to Vite, which forwards /api and /socket.io to the back end.
 */
import './supported-node.mjs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { installWhenNeeded } from './install.mjs';

process.chdir(path.resolve(import.meta.dirname, '..'));
installWhenNeeded();
const { watch } = await import('rolldown');
const { withoutPackages: config } = await import('../apps/backend/rolldown.config.mjs');

// Not the folder of `npm start`, which would mistake an experiment for the build of its sources.
const folder = 'dist/dev';
const { PORT = '4000', HOST = '127.0.0.1', PUBLIC_URL = 'http://127.0.0.1:5173' } = process.env;
const backendUrl = `http://${HOST === '0.0.0.0' ? '127.0.0.1' : HOST}:${PORT}`;

const run = (args, env) =>
  spawn(process.execPath, args, {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'development', ...env },
  });

const vite = run(
  [
    'node_modules/vite/bin/vite.js',
    'apps/console',
    '--host',
    '127.0.0.1',
    '--port',
    new URL(PUBLIC_URL).port,
    '--strictPort',
  ],
  { BACKEND_URL: backendUrl },
);
vite.once('exit', () => void end());

let backend;
let ending = false;

async function stop(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** One after the other: two back ends cannot share a port. */
let restarting = Promise.resolve();
function restart() {
  restarting = restarting.then(async () => {
    await stop(backend);
    if (!ending)
      backend = run(['--enable-source-maps', `${folder}/main.js`], {
        PORT,
        HOST,
        PUBLIC_URL,
        DRAIN_SECONDS: '0',
      });
  });
}

const watcher = watch({ ...config, output: { ...config.output, dir: folder } });
watcher.on('event', (event) => {
  if (event.code === 'BUNDLE_END') restart();
  // The running back end continues until the mistake is fixed.
  if (event.code === 'ERROR') console.error(event.error.message);
  return 'result' in event ? event.result.close() : undefined;
});

async function end() {
  if (ending) return;
  ending = true;
  await watcher.close();
  await restarting;
  await Promise.all([stop(backend), stop(vite)]);
  process.exit();
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => void end());
endWithNpm();
