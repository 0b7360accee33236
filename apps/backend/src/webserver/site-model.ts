/** A site as the web server has to know it: a domain, its locations, its options, and where things lie on its server. */
export interface SiteLocation {
  id: string;
  /** The path that requests begin with (prefix) or have (exact), or the pattern of a regex. */
  location: string;
  match?: 'prefix' | 'exact' | 'regex';
  /** Where requests are passed to; with `isRedirect` where they are sent. */
  url?: string;
  isRedirect?: boolean;
  redirectCode?: number;
  is404?: boolean;
  /** The folder whose files are served where there is no `url`. */
  volumes?: string;
  isCorsEnabled?: boolean;
  /** Seconds that the upstream has to accept, to read and to answer. */
  timeout?: number;
  websocket?: boolean;
}

export interface Site {
  /** ASCII, lower case, no dot at the end. */
  serverName: string;
  /** The name as people write it. */
  displayName?: string;
  options: { docker: boolean; ssl: boolean; gzip: boolean };
  locations: readonly SiteLocation[];
  /** Of the server: static files, home of the console's own files, sites. */
  folders: { path: string; root: string; nginxPath: string };
  /** Default: where certbot puts them. */
  certificate?: { fullchain: string; key: string };
  /** The server has IPv6: nginx does not start where it is told to listen on what is not there. */
  ipv6: boolean;
  /** Default: ports 80 and 443 of every address. `address`: IPv4. */
  listen?: { http: number; https: number; address?: string };
}

/** What a location does. `is404` goes before a redirect, that before an upstream, that before files. */
export type Action =
  | { does: 'notFound' }
  | { does: 'redirect'; target: string; code: number }
  | { does: 'pass'; upstream: string }
  | { does: 'serve'; folder: string };

export const actionOf = (site: Site, location: SiteLocation): Action => {
  if (location.is404 === true) return { does: 'notFound' };
  if (location.isRedirect === true)
    return { does: 'redirect', target: location.url ?? '', code: location.redirectCode ?? 301 };
  if (location.url !== undefined) return { does: 'pass', upstream: location.url };
  return {
    does: 'serve',
    folder: within(location.volumes ?? within(site.folders.path, site.serverName)),
  };
};

/** A path below a folder, whether or not the folder was written with slashes at its end. */
export const within = (folder: string, ...names: string[]): string =>
  [folder.replace(/\/+$/, ''), ...names].join('/');

export const siteFileName = (serverName: string): string => `${serverName}.conf`;

/** certbot's webroot: it puts `.well-known/acme-challenge/<token>` there. */
export const acmeWebroot = (path: string): string => within(path, '.acme');
export const ACME_PATH = '/.well-known/acme-challenge/';

/** The folder has to be there before nginx reads the text: nginx creates files, not folders. */
export const siteLogFolder = (site: { serverName: string; folders: { root: string } }): string =>
  within(site.folders.root, '.quarterdeck', 'logs', site.serverName);

/** The logs of one location, or with `undefined` those of what no location answers. */
export const siteLogs = (
  site: { serverName: string; folders: { root: string } },
  locationId?: string,
): { access: string; error: string } => {
  const name = locationId ?? 'site';
  const folder = siteLogFolder(site);
  return { access: within(folder, `${name}.access.log`), error: within(folder, `${name}.error.log`) };
};

export const certificateOf = ({ certificate, serverName }: Site): { fullchain: string; key: string } =>
  certificate ?? {
    fullchain: `/etc/letsencrypt/live/${serverName}/fullchain.pem`,
    key: `/etc/letsencrypt/live/${serverName}/privkey.pem`,
  };

/**
 * What nginx tells locations apart by. Files below a path without a slash at its end are served from the path with one:
 * else `/static` would also lead to the neighbour `<folder>foo` by `/staticfoo`.
 */
export const matchOf = (site: Site, location: SiteLocation): { how: '' | '=' | '~'; what: string } => {
  if (location.match === 'regex') return { how: '~', what: location.location };
  if (location.match === 'exact') return { how: '=', what: location.location };
  const isFolder = actionOf(site, location).does === 'serve' && !location.location.endsWith('/');
  return { how: '', what: isFolder ? `${location.location}/` : location.location };
};
