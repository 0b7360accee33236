/**
 * The demo's domains: a writable name server, a throw-away server, an authority that issues its certificates, and hosts
 * with bad certificates. All of it is on loopback, and is removed when the process ends.
 */
import { randomInt } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '@quarterdeck/projections';
import { acmeLacks, startAcme } from '../../testing/acme';
import { startBind, type Bind } from '../../testing/bind';
import { packagesLack, unpackLine } from '../../testing/debian-packages';
import type { Operator } from '../../testing/operator';
import { startThrowawayHost, type ThrowawayHost } from '../../testing/throwaway-host';
import { throwawayHostLacks } from '../../testing/throwaway-lacks';
import { startTlsEndpoints, type EndpointKind, type TlsEndpoints } from '../../testing/tls-endpoints';

export interface DemoSites {
  /** Environment of the back end. */
  env: Record<string, string>;
  /** What this machine lacks, each with the missing part of the demo. */
  without: string[];
  /** Adds the domains and brings each into its demo state. */
  fill(by: Operator): Promise<void>;
  stop(): Promise<void>;
}

interface Ground {
  bind: Bind;
  host: ThrowawayHost;
  endpoints: TlsEndpoints;
  certificates: boolean;
}

const STATIC = '/root/volumes/static';
const UPSTREAM = 8090;
const DAY_SECONDS = 86_400;
const shop = `require('http').createServer((q, r) => r.end('The shop, asked for ' + q.url + ' over ' + q.headers['x-forwarded-proto'])).listen(${UPSTREAM}, '127.0.0.1')`;

/** Hosts that we have no SSH access to, and their certificates. */
const foreign: Record<string, EndpointKind> = {
  mail: 'expiring',
  intranet: 'expired',
  partner: 'selfSigned',
};

/** Nothing if the program exists or can be installed on the throw-away server. */
const programLacks = (path: string, name: string): string[] =>
  existsSync(path) || packagesLack([name]).length === 0
    ? []
    : [`there is no ${path}: apt-get install ${name}`];

const sitesLack = (): string[] =>
  process.env.THROWAWAY_SERVERS === 'off'
    ? ['THROWAWAY_SERVERS is off']
    : [
        ...['/usr/sbin/named', '/usr/bin/nsupdate']
          .filter((program) => !existsSync(program))
          .map((program) => `there is no ${program}: apt-get install bind9 bind9-dnsutils`),
        ...programLacks('/usr/sbin/nginx', 'nginx'),
        ...throwawayHostLacks(),
      ];

const certificatesLack = (): string[] => [...acmeLacks(), ...programLacks('/usr/bin/certbot', 'certbot')];

const none = (reasons: string[]): DemoSites => ({
  env: {},
  without: reasons.map((reason) => `without domains: ${reason}`),
  fill: () => Promise.resolve(),
  stop: () => Promise.resolve(),
});

/** @param folder for files of the demo. Parts that cannot be started are reported and left out. */
export const startDemoSites = async (folder: string): Promise<DemoSites> => {
  const lacking = sitesLack();
  if (lacking.length > 0) return none(lacking);
  const started: { stop(): Promise<void> }[] = [];
  const stop = async (): Promise<void> => {
    await Promise.allSettled(started.map((one) => one.stop()));
  };
  const toBeStopped = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting;
    started.push(one);
    return one;
  };
  const lackingCertificates = certificatesLack();
  const certificates = lackingCertificates.length === 0;
  const address = `127.${randomInt(64, 250)}.${randomInt(1, 250)}.${randomInt(1, 250)}`;
  const all = [
    toBeStopped(startBind()),
    toBeStopped(startThrowawayHost({ address: true, packages: packagesLack(['certbot']).length === 0 })),
    toBeStopped(startTlsEndpoints({ address, port: 443 })),
  ] as const;
  try {
    const [bind, host, endpoints] = await Promise.all(all);
    const authorities = [endpoints.ca, ...(certificates ? [await authorityOn(host)] : [])];
    const trusted = join(folder, 'demo-authorities.pem');
    writeFileSync(trusted, authorities.join('\n'));
    return {
      env: {
        DNS_SERVERS: bind.server,
        OUTBOUND_ALLOW: '127.0.0.0/8',
        NODE_EXTRA_CA_CERTS: trusted,
        ACME_DIRECTORY_URL: 'https://localhost:14000/dir',
      },
      without: lackingCertificates.map((reason) => `without certificates: ${reason}`),
      fill: (by) => fill(by, { bind, host, endpoints, certificates }),
      stop,
    };
  } catch (error) {
    await Promise.allSettled(all);
    await stop();
    return none([reasonIn(error)]);
  }
};

/** Names a port that is in use or not permitted. Other errors describe themselves. */
const reasonIn = (error: unknown): string => {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  const at = `port ${port} of ${address}`;
  if (code === 'EADDRINUSE') return `${at} is used by another program`;
  if (code === 'EACCES') return `${at} needs root: this account may not listen there`;
  return error instanceof Error ? error.message : String(error);
};

const inside = async (host: ThrowawayHost, line: string): Promise<void> => {
  const { code, out } = await host.inside(`set -e\n${line}`);
  if (code !== 0) throw new Error(`${line}: exit code ${code}: ${out}`);
};

/** Starts an authority that the server trusts. @returns its root certificate */
const authorityOn = async (host: ThrowawayHost): Promise<string> => {
  const acme = await startAcme(host, { validitySeconds: 90 * DAY_SECONDS });
  await acme.trust();
  if (packagesLack(['certbot']).length === 0) await inside(host, unpackLine('certbot'));
  return acme.root();
};

const fill = async (by: Operator, { bind, host, endpoints, certificates }: Ground): Promise<void> => {
  const call = async <T>(path: string, body: object): Promise<T> => {
    const answer = await by.post<T>(path, body);
    if (answer.status >= 300)
      throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const run = async (path: string, body: object): Promise<void> => {
    const { runId } = await call<{ runId: string }>(path, body);
    for (;;) {
      const { state, endedAt, label, reason } = await call<RunView>('run/detail', { id: runId });
      if (endedAt !== undefined && state !== 'succeeded') throw new Error(`${label} ${state}: ${reason}`);
      if (endedAt !== undefined) return;
      await new Promise((done) => setTimeout(done, 250));
    }
  };
  const server = async (alias: string, at: { host: string; port: number }, key: string): Promise<string> => {
    const folders = { root: '/root', path: STATIC, nginxPath: '/root/volumes/nginx_config' };
    const fields = { alias, ...at, username: 'root', ...folders, privateKey: key };
    return (await call<{ id: string }>('server/insert', fields)).id;
  };
  const domain = async (label: string, to: string, on: string): Promise<string> => {
    const serverName = `${label}.${bind.zone}`;
    bind.change(`add ${serverName} 60 A ${to}`);
    return (await call<{ id: string }>('domain/insert', { serverName, server: { id: on } })).id;
  };
  const location = (id: string, data: object): Promise<unknown> =>
    call('domain/location/insert', { domain: { id }, data });

  const { zone, key } = bind;
  await call('workspace/dns', {
    resolvers: [],
    ttl: 60,
    parent: zone,
    provider: {
      kind: 'rfc2136',
      zone,
      server: bind.host,
      port: bind.port,
      keyName: key.name,
      algorithm: key.algorithm,
      secret: key.secret,
    },
  });

  // We have no access to this server, so its certificates can only be watched.
  const stranger = (await host.keyFor('stranger')).privateKey;
  const legacy = await server('legacy', { host: endpoints.address, port: 9 }, stranger);
  for (const [label, kind] of Object.entries(foreign)) {
    endpoints.serve(`${label}.${zone}`, kind);
    await domain(label, endpoints.address, legacy);
  }

  const { privateKey } = await host.keyFor('ed25519');
  const sites = await server('sites', { host: host.host, port: host.port }, privateKey);
  await call('server/contact', { id: sites });
  await run('server/init', { id: sites });
  await inside(
    host,
    `systemd-run --quiet --collect --unit=shop ${process.execPath} -e "${shop}"
    mkdir -p ${STATIC}/docs.${zone}
    echo '<h1>Documentation</h1>' > ${STATIC}/docs.${zone}/index.html`,
  );

  const [shopId, docs, blog, moved] = [
    await domain('shop', host.host, sites),
    await domain('docs', host.host, sites),
    await domain('blog', host.host, sites),
    await domain('moved', host.host, sites),
  ];
  const upstream = `http://127.0.0.1:${UPSTREAM}`;
  await location(shopId, { location: '/', url: upstream, websocket: true });
  await location(shopId, { location: '/api/', url: `${upstream}/v1`, isCorsEnabled: true, timeout: 60 });
  await location(shopId, { location: '/help/', url: `https://docs.${zone}`, isRedirect: true });
  await location(docs, { location: '/' });
  await location(blog, { location: '/', url: upstream });
  await run('nginx/exec', { id: docs });
  await run(certificates ? 'nginx/certbot' : 'nginx/exec', { id: shopId });
  bind.change(`delete moved.${zone} A`, `add moved.${zone} 60 A 127.99.99.99`);
  await call('domain/dns/check', { id: moved });
  await run('ssl/run', {});
};
