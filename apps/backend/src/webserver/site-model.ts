/** A site in the terms of the web server: a domain, its locations, its options, and its paths on the server. */
import { createHash } from 'node:crypto';
import { nameOnDisk, type LocationSettings, type SiteSettings } from '@quarterdeck/events';

export interface SiteLocation extends LocationSettings {
  id: string;
  /** The path that requests begin with (prefix) or equal (exact), or the pattern of a regex. */
  location: string;
  match?: 'prefix' | 'exact' | 'regex';
  /** Upstream address; with `isRedirect` the redirect target. */
  url?: string;
  isRedirect?: boolean;
  redirectCode?: number;
  is404?: boolean;
  /** The folder whose files are served if there is no `url`. */
  volumes?: string;
  isCorsEnabled?: boolean;
  /** How many seconds the upstream may take to accept, to read and to answer. */
  timeout?: number;
  websocket?: boolean;
}

export interface Site {
  /** ASCII, lower case, no final dot. */
  serverName: string;
  /** Other names: served alike, or redirected to this one. */
  names?: readonly { name: string; does: 'serves' | 'redirects' }[];
  /** The name as people write it. */
  displayName?: string;
  options: { docker: boolean; ssl: boolean; gzip: boolean };
  /** Default: each setting has its own. */
  settings?: SiteSettings;
  locations: readonly SiteLocation[];
  /** Folders of the server: static files, the console's own files, sites. */
  folders: { path: string; root: string; nginxPath: string };
  /** Default: certbot's paths. */
  certificate?: { fullchain: string; key: string };
  /** The webroot of an adopted certificate's owner. Default: the console's. */
  acme?: string;
  /** Listen on IPv6 too. Without IPv6 on the server, nginx would not start. */
  ipv6: boolean;
  /** Default: ports 80 and 443 on every address. `address`: IPv4. */
  listen?: { http: number; https: number; address?: string };
}

/** The action of a location. The first that applies: `is404`, a redirect, an upstream, files. */
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
    folder: within(location.volumes ?? within(site.folders.path, nameOnDisk(site.serverName))),
  };
};

/** A pattern that matches only this text. */
export const literally = (path: string): string => path.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');

/** A pattern that matches the names of a site. */
export const namePattern = (siteName: string): string => literally(siteName).replace(/^\\\*/, '[^/]+');

/**
 * By default nginx has 64 bytes for a server name and its bookkeeping. A longer name would stop all sites, so it is written
 * as a pattern.
 */
export const LONGEST_HASHED_NAME = 46;

/** A variable of one site, or of one location. All sites of a server share their variables. */
export const ownName = (what: string, site: Pick<Site, 'serverName'>, location?: SiteLocation): string =>
  `qd_${what}_${createHash('sha256')
    .update(`${site.serverName} ${location?.id ?? ''}`)
    .digest('hex')
    .slice(0, 16)}`;

/** A path inside a folder, whether or not the folder ends with slashes. */
export const within = (folder: string, ...names: string[]): string =>
  [folder.replace(/\/+$/, ''), ...names].join('/');

export const siteFileName = (serverName: string): string => `${nameOnDisk(serverName)}.conf`;

/** certbot's webroot: certbot writes `.well-known/acme-challenge/<token>` there. */
export const acmeWebroot = (path: string): string => within(path, '.acme');
export const ACME_PATH = '/.well-known/acme-challenge/';

/** Each of our server blocks answers here with the site's proof: any other answer comes from another site. */
export const PROOF_PATH = '/.well-known/quarterdeck-site';
/** No secret: it only differs from the answers of other sites. */
export const proofOf = (serverName: string): string =>
  createHash('sha256').update(`quarterdeck site ${serverName}`).digest('hex').slice(0, 32);

/** Must exist before nginx reads the configuration: nginx creates files, but no folders. */
export const siteLogFolder = (site: { serverName: string; folders: { root: string } }): string =>
  within(site.folders.root, '.quarterdeck', 'logs', nameOnDisk(site.serverName));

/** The logs of one location, or with `undefined` those of requests without a location. */
export const siteLogs = (
  site: { serverName: string; folders: { root: string } },
  locationId?: string,
): { access: string; error: string } => {
  const name = locationId ?? 'site';
  const folder = siteLogFolder(site);
  return { access: within(folder, `${name}.access.log`), error: within(folder, `${name}.error.log`) };
};

/** The format of the site's access logs. nginx takes one definition of a name, so each site has a name of its own. */
export const logFormatOf = (site: { serverName: string; folders: { root: string } }): string =>
  `quarterdeck_${createHash('sha256').update(siteLogs(site).access).digest('hex').slice(0, 16)}`;

export const certificateOf = ({ certificate, serverName }: Site): { fullchain: string; key: string } =>
  certificate ?? {
    fullchain: `/etc/letsencrypt/live/${nameOnDisk(serverName)}/fullchain.pem`,
    key: `/etc/letsencrypt/live/${nameOnDisk(serverName)}/privkey.pem`,
  };

/**
 * How nginx identifies a location. Files below a path without a final slash are served under the path with one:
 * otherwise `/static` would also expose the neighbour `<folder>foo` as `/staticfoo`.
 */
export const matchOf = (site: Site, location: SiteLocation): { how: '' | '=' | '~'; what: string } => {
  if (location.match === 'regex') return { how: '~', what: location.location };
  if (location.match === 'exact') return { how: '=', what: location.location };
  const isFolder = actionOf(site, location).does === 'serve' && !location.location.endsWith('/');
  return { how: '', what: isFolder ? `${location.location}/` : location.location };
};

/** Beside the logs: an nginx in a container has that folder, too. Written by the script that applies a site. */
export const namesFolder = ({ folders }: Pick<Site, 'folders'>): string =>
  within(folders.root, '.quarterdeck', 'logs', '.names');
