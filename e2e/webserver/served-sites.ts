/** Sites of every kind behind one running nginx, and an upstream behind them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site, SiteLocation } from '../../apps/backend/src/webserver/site-model';
import { freePort } from '../../testing/free-port';
import { NginxPrefix } from './nginx-prefix';
import { ask, startUpstream, type Answer } from './site-traffic';

export const idOf = (index: number) => `0190a000-0000-7000-8000-${String(index).padStart(12, '0')}`;

export interface ServedSites {
  ports: { http: number; https: number };
  sites: Record<string, Site>;
  /** Uses TLS if the site has it. */
  get(
    site: string,
    path: string,
    options?: { method?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
  end(): Promise<void>;
}

export const startServedSites = async (): Promise<ServedSites> => {
  const nginx = new NginxPrefix();
  const sites: Record<string, Site> = {};
  const upstream = await startUpstream();
  const ports = { http: await freePort(), https: await freePort() };
  const dead = await freePort();
  const add = (name: string, options: Partial<Site['options']>, locations: Omit<SiteLocation, 'id'>[]) => {
    const site: Site = {
      serverName: `${name}.site.test`,
      options: { docker: false, ssl: false, gzip: false, ...options },
      locations: locations.map((location, index) => ({ id: idOf(index), ...location })),
      folders: { path: join(nginx.folder, 'static'), root: nginx.folder, nginxPath: nginx.sites },
      certificate: nginx.certificate,
      ipv6: false,
      listen: { ...ports, address: '127.0.0.1' },
    };
    sites[name] = site;
    nginx.write(site);
  };
  const file = (path: string, content: string) => {
    const place = join(nginx.folder, path);
    mkdirSync(join(place, '..'), { recursive: true });
    writeFileSync(place, content);
  };
  const app = `http://127.0.0.1:${upstream.port}`;
  const forwarding = [
    { location: '/', url: app },
    { location: '/plain/', url: app },
    { location: '/api/', url: `${app}/v1` },
    { location: '/bare', url: `${app}/v1/` },
    { location: '/strip', url: `${app}/` },
    { location: '/strip.too/', url: `${app}/` },
    { location: '/one', match: 'exact' as const, url: `${app}/v2/other` },
    { location: '^/re[0-9]{2}/', match: 'regex' as const, url: app },
  ];
  add('pass', {}, forwarding);
  add('docker', { docker: true }, forwarding);
  add('down', { docker: true }, [
    { location: '/', url: `http://127.0.0.1:${dead}` },
    { location: '/up/', url: app },
  ]);
  add('mixed', { ssl: true, gzip: true }, [
    { location: '/', url: app, websocket: true },
    { location: '/cors/', url: app, isCorsEnabled: true },
    { location: '/slow', url: app, timeout: 1 },
    { location: '/gone/', is404: true },
    { location: '/old/', isRedirect: true, url: 'https://new.test', redirectCode: 308 },
    { location: '/fixed', match: 'exact', isRedirect: true, url: 'https://new.test/here?x=1#y' },
    { location: '/local', match: 'exact', isRedirect: true, url: '/cors/', redirectCode: 302 },
    { location: '/files', volumes: join(nginx.folder, 'my files') },
    { location: '/robots.txt', match: 'exact', volumes: join(nginx.folder, 'my files') },
    { location: '\\.css$', match: 'regex', volumes: join(nginx.folder, 'my files') },
  ]);
  add('files', { gzip: true }, [{ location: '/' }, { location: '/start/', match: 'exact' }]);
  add('closed', {}, [{ location: '/', is404: true }]);
  add('empty', {}, []);
  file('my files/a.txt', 'a file');
  file('my files/robots.txt', 'robots');
  file('my files/sub/page.css', 'css');
  file('my files/.env', 'SECRET');
  file('my files.neighbour/a.txt', 'not for you');
  file('static/files.site.test/index.html', `<h1>front</h1>${' '.repeat(2000)}`);
  file('static/files.site.test/.git/config', 'SECRET');
  file('static/.acme/.well-known/acme-challenge/token-1', 'token-1.thumbprint');
  const { status, message } = nginx.test();
  if (status !== 0) throw new Error(message);
  await nginx.start(ports.http);
  const get: ServedSites['get'] = (name, path, options) => {
    const tls = sites[name]?.options.ssl === true;
    return ask({ host: `${name}.site.test`, port: tls ? ports.https : ports.http, tls }, path, options);
  };

  const end = async () => {
    await nginx.end();
    upstream.server.closeAllConnections();
    await new Promise((resolve) => upstream.server.close(resolve));
  };
  return { ports, sites, get, end };
};
