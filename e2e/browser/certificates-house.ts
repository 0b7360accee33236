/** Fixtures: a server with certbot, and a certificate authority that both the server and the back end trust. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acmeLacks, startAcme, type Acme } from '../../testing/acme';
import { unpackLine, packagesLack } from '../../testing/debian-packages';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { test as base } from './domains-house';

const PACKAGES = ['certbot', 'curl'];
export const UPSTREAM = 'http://127.0.0.1:8090';

/** What this machine lacks for the certificate tests, in words; empty if nothing. */
export const certificateTestsLack = (): string[] => [
  ...throwawayHostLacks(),
  ...packagesLack(PACKAGES),
  ...acmeLacks(),
];

/** Runs on the server at `UPSTREAM` and answers with the path that was requested. */
const upstream = `require('http').createServer((q, r) => r.end('upstream saw ' + q.url)).listen(8090, '127.0.0.1')`;

export const test = base.extend<object, { acme: Acme }>({
  packages: [true, { scope: 'worker' }],
  acme: [
    async ({ host }, use) => {
      const acme = await startAcme(host);
      await acme.trust();
      const { code, out } = await host.inside(
        `set -e
        ${unpackLine(...PACKAGES)}
        systemd-run --quiet --collect --unit=upstream ${process.execPath} -e "${upstream}"`,
      );
      if (code !== 0) throw new Error(`certbot could not be set up: ${out}`);
      await use(acme);
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  env: [
    async ({ bind, acme }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-authority-'));
      const root = join(folder, 'root.pem');
      writeFileSync(root, await acme.root());
      await use({
        DNS_SERVERS: bind.server,
        OUTBOUND_ALLOW: '127.0.0.0/8',
        ACME_DIRECTORY_URL: acme.directoryUrl,
        NODE_EXTRA_CA_CERTS: root,
      });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});
