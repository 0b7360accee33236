/** Fixtures: a real bind9, and TLS endpoints at port 443 of their own address, whose connections can be held. */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { Bind } from '../../testing/bind';
import { startTlsEndpoints, type EndpointKind, type TlsEndpoints } from '../../testing/tls-endpoints';
import { call, test as base } from './domains-house';
import type { House } from './house';

/** The standard port; listening on it needs root. */
const HTTPS = 443;

export interface Shown {
  /** Address that all names point to. */
  address: string;
  serve: TlsEndpoints['serve'];
  /** Lets this many connections through, and keeps later ones waiting. */
  holdAfter(connections: number): void;
  /** Lets all connections through, including those that wait. */
  letGo(): void;
}

const startShown = async (endpoints: TlsEndpoints) => {
  const open = new Set<Socket>();
  let left = Infinity;
  let waiting: (() => void)[] = [];
  const door = createServer((client) => {
    const through = (): void => {
      const behind = connect(endpoints.port, endpoints.address);
      for (const socket of [client, behind]) {
        open.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          open.delete(socket);
          client.destroy();
          behind.destroy();
        });
      }
      client.pipe(behind).pipe(client);
    };
    client.on('error', () => undefined);
    left -= 1;
    if (left >= 0) through();
    else waiting.push(through);
  });
  const address = `127.${randomInt(64, 250)}.${randomInt(250)}.${randomInt(2, 250)}`;
  await new Promise<void>((resolve, reject) => {
    door.once('error', reject).listen(HTTPS, address, resolve);
  });
  const letGo = (): void => {
    left = Infinity;
    for (const through of waiting.splice(0)) through();
  };
  const shown: Shown = {
    address,
    serve: endpoints.serve,
    holdAfter: (connections) => {
      left = connections;
      waiting = [];
    },
    letGo,
  };
  const stop = (): Promise<void> => {
    letGo();
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => door.close(() => resolve()));
  };
  return { shown, stop };
};

interface Ground {
  endpoints: TlsEndpoints;
  shown: Shown;
}

export const test = base.extend<object, Ground>({
  endpoints: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const endpoints = await startTlsEndpoints();
      await use(endpoints);
      await endpoints.stop();
    },
    { scope: 'worker' },
  ],
  shown: [
    async ({ endpoints }, use) => {
      const { shown, stop } = await startShown(endpoints);
      await use(shown);
      await stop();
    },
    { scope: 'worker' },
  ],
  env: [
    async ({ bind, endpoints }, use) => {
      const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-authority-'));
      const authority = join(folder, 'root.pem');
      writeFileSync(authority, endpoints.ca);
      const dns = { DNS_SERVERS: bind.server, OUTBOUND_ALLOW: '127.0.0.0/8' };
      await use({ ...dns, NODE_EXTRA_CA_CERTS: authority });
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
});

/** Registers a server at the endpoints' address, without SSH. @returns its id */
export const registerSilentServer = async (
  page: Page,
  { sshd }: House,
  { address }: Shown,
): Promise<string> => {
  const { privateKey } = await sshd.keyFor('ed25519');
  const { id } = await call<{ id: string }>(page, 'server/insert', {
    alias: 'silent-1',
    host: address,
    port: 9,
    username: 'root',
    root: '/root',
    path: '/root/static',
    nginxPath: '/root/sites',
    privateKey,
  });
  return id;
};

/** Adds domains that point to the endpoints, each with its kind of certificate or failure. */
export const addShownDomains = async (
  page: Page,
  { bind, shown, server }: { bind: Bind; shown: Shown; server: string },
  kinds: Record<string, EndpointKind>,
): Promise<void> => {
  const names = Object.entries(kinds).map(([label, kind]) => ({ name: `${label}.${bind.zone}`, kind }));
  bind.change(...names.map(({ name }) => `add ${name} 60 A ${shown.address}`));
  for (const { name, kind } of names) {
    shown.serve(name, kind);
    await call(page, 'domain/insert', { serverName: name, server: { id: server } });
  }
};
