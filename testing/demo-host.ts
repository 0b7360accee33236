/**
 * A throw-away server for trying out the console: a real sshd on the loopback network, with static sites, and with
 * nginx if it is installed. It ends with the process that started it. This file uses only Node's own modules, so that a
 * script can bundle and run it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeNginxFiles, nginxIsInstalled } from './nginx-files';
import { startSshd } from './sshd';
import { canUnshare } from './sshd-root';

export interface DemoHost {
  host: string;
  port: number;
  username: string;
  privateKey: string;
  hostKey: { algorithm: string; fingerprint: string };
  /** Values for the console's form. */
  root: string;
  path: string;
  nginxPath: string;
  stop(): Promise<void>;
}

/** Hidden on the server. It shares this machine's programs, so setting it up would install packages on this machine. */
const packageManagers = ['apt-get', 'dpkg', 'apk', 'dnf', 'yum', 'sudo'].flatMap((name) => [
  `/usr/bin/${name}`,
  `/bin/${name}`,
  `/sbin/${name}`,
]);

const sites: Record<string, Record<string, string>> = {
  'shop.example.test': { 'index.html': '<h1>Shop</h1>\n', 'app.js': `${'// the shop\n'.repeat(4000)}` },
  'docs.example.test': { 'index.html': '<h1>Documentation</h1>\n' },
  'status.example.test': {
    'index.html': '<h1>All systems go</h1>\n',
    'data.json': `${'{"up":true}\n'.repeat(90_000)}`,
  },
};

const writeSites = (root: string): void => {
  for (const [site, files] of Object.entries(sites)) {
    const folder = join(root, 'volumes', 'static', site);
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(root, 'volumes', 'nginx_config'), { recursive: true });
};

export const startDemoHost = async (): Promise<DemoHost> => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-host-'));
  const isolated = canUnshare();
  const nginx = isolated && nginxIsInstalled() ? await makeNginxFiles(folder) : undefined;
  const sshd = await startSshd({
    ...(isolated && { absent: packageManagers }),
    ...(nginx && { mounts: nginx.mounts, boot: 'nginx || true' }),
  });
  writeSites(sshd.home ?? sshd.folder);
  const root = sshd.home ? '/root' : sshd.folder;
  const { privateKey } = await sshd.keyFor('ed25519');
  return {
    host: sshd.host,
    port: sshd.port,
    username: sshd.username,
    privateKey,
    hostKey: sshd.hostKey,
    root,
    path: join(root, 'volumes', 'static'),
    nginxPath: join(root, 'volumes', 'nginx_config'),
    async stop() {
      await sshd.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
