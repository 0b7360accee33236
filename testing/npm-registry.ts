/** An npm registry on a throw-away server. Packages are published with npm itself. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ThrowawayHost } from './throwaway-host';

export interface NpmRegistry {
  /** Valid both on the server and on this machine. */
  url: string;
  publish(name: string, version: string, files: Record<string, string>): Promise<void>;
  /** `mute`: no answer. `hang`: only the beginning of tarballs. `other`: tarballs have other contents than was said. */
  feel(how: 'well' | 'down' | 'mute' | 'hang' | 'other'): Promise<void>;
}

const PORT = 4873;

export const startNpmRegistry = async (
  host: Pick<ThrowawayHost, 'gate' | 'inside'>,
  token: string,
): Promise<NpmRegistry> => {
  const port = await host.gate(PORT);
  const url = `http://127.0.0.1:${port}`;
  // The server has its own /tmp, which hides a repository below this machine's /tmp.
  const text = readFileSync(resolve('testing/npm-registry-process.mjs'), 'utf8');
  const program = `'${process.execPath}' /tmp/registry.mjs ${PORT} ${port}`;
  const { code, out } = await host.inside(`cat >/tmp/registry.mjs <<'END OF PROGRAM'
${text}
END OF PROGRAM
    TOKEN='${token}' nohup ${program} >/tmp/registry.log 2>&1 &
    for one in $(seq 3000); do curl -s ${url} >/dev/null && exit; sleep 0.1; done; cat /tmp/registry.log; exit 1`);
  if (code !== 0) throw new Error(`the registry did not start: ${out}`);
  return {
    url,
    async publish(name, version, files) {
      const folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
      const at = join(folder, 'package');
      const write = (path: string, text: string): void => {
        mkdirSync(dirname(join(at, path)), { recursive: true });
        writeFileSync(join(at, path), text);
      };
      try {
        for (const [path, text] of Object.entries(files)) write(path, text);
        write('package.json', JSON.stringify({ name, version, publishConfig: { registry: url } }));
        write('.npmrc', `//127.0.0.1:${port}/:_authToken=${token}\n`);
        const options = ['--ignore-scripts', '--cache', join(folder, 'cache')];
        await promisify(execFile)('npm', ['publish', ...options], { cwd: at });
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    async feel(how) {
      const headers = { authorization: `Bearer ${token}` };
      const { ok } = await fetch(`${url}/-/feel`, { method: 'PUT', headers, body: JSON.stringify({ how }) });
      if (!ok) throw new Error('the registry was not told how it feels');
    },
  };
};
