/** Fixtures: a real bind9 as DNS server and provider, and a throw-away server with nginx on its own address. */
import type { Page } from '@playwright/test';
import { startBind, type Bind } from '../../testing/bind';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { test as base } from './house';

const SITES = '/root/volumes/nginx_config';
const STATIC = '/root/volumes/static';

/** The state after "Initialize Server", except for installing packages: this machine's nginx is already available. */
const setUp = `set -e
chmod 755 /root
mkdir -p ${SITES} ${STATIC}
echo 'include ${SITES}/*.conf;' > /etc/nginx/conf.d/quarterdeck.conf
systemctl start nginx`;

interface Ground {
  bind: Bind;
  /** The server that domains point to. */
  host: ThrowawayHost;
  /** Whether the server can install fetched packages. */
  packages: boolean;
}

export const startServer = async (packages: boolean): Promise<ThrowawayHost> => {
  const host = await startThrowawayHost({ address: true, packages });
  const { code, out } = await host.inside(setUp);
  if (code === 0) return host;
  await host.stop();
  throw new Error(`nginx could not be set up: ${out}`);
};

export const test = base.extend<object, Ground>({
  bind: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures from the pattern
    async ({}, use) => {
      const bind = await startBind();
      await use(bind);
      await bind.stop();
    },
    { scope: 'worker' },
  ],
  env: [
    ({ bind }, use) => use({ DNS_SERVERS: bind.server, OUTBOUND_ALLOW: '127.0.0.0/8' }),
    { scope: 'worker' },
  ],
  packages: [false, { option: true, scope: 'worker' }],
  host: [
    async ({ packages }, use) => {
      const host = await startServer(packages);
      await use(host);
      await host.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
});

/** Calls the API from the page, for setup whose own page is not under test. */
export const call = <T>(page: Page, path: string, body: object): Promise<T> =>
  page.evaluate(
    async ([to, sent]) => {
      const answer = await fetch(`/api/${to}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-requested-with': 'quarterdeck' },
        body: JSON.stringify(sent),
      });
      const said: unknown = await answer.json();
      if (!answer.ok) throw new Error(`${to}: ${JSON.stringify(said)}`);
      return said as never;
    },
    [path, body] as const,
  );

/** How to reach a server. */
type Reached = Pick<ThrowawayHost, 'host' | 'port' | 'username' | 'keyFor'>;

/** Registers the server. @returns its id */
export const registerServer = async (page: Page, host: Reached, alias: string): Promise<string> => {
  const { privateKey } = await host.keyFor('ed25519');
  const { id } = await call<{ id: string }>(page, 'server/insert', {
    alias,
    host: host.host,
    port: host.port,
    username: host.username,
    root: '/root',
    path: STATIC,
    nginxPath: SITES,
    privateKey,
  });
  return id;
};

/** Makes bind's zone the parent of new names, and lets the workspace write to it. */
export const letDnsBeWritten = (page: Page, { zone, host, port, key }: Bind): Promise<unknown> =>
  call(page, 'workspace/dns', {
    resolvers: [],
    ttl: 60,
    parent: zone,
    provider: {
      kind: 'rfc2136',
      zone,
      server: host,
      port,
      keyName: key.name,
      algorithm: key.algorithm,
      secret: key.secret,
    },
  });

/** Adds a domain whose name points to the server. */
export const addDomain = async (
  page: Page,
  { bind, host, server, label }: { bind: Bind; host: Pick<Reached, 'host'>; server: string; label: string },
): Promise<{ id: string; serverName: string }> => {
  const serverName = `${label}.${bind.zone}`;
  bind.change(`add ${serverName} 60 A ${host.host}`);
  const { id } = await call<{ id: string }>(page, 'domain/insert', { serverName, server: { id: server } });
  return { id, serverName };
};
