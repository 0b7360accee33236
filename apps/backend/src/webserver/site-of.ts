/** Converts a domain to the terms of its web server. Pure. */
import type { PresentDomain } from '../domains';
import type { Site, SiteLocation } from './site-model';

/** Paths of the server for the files of its sites. */
export interface Folders {
  path: string;
  root: string;
  nginxPath: string;
}

export type SiteOptions = Site['options'];

/** Options before the first apply: plain HTTP with the server's own nginx. */
export const firstOptions: SiteOptions = { docker: false, ssl: false, gzip: false };

export const siteOf = (
  { serverName, locations, dns, config }: PresentDomain,
  { path, root, nginxPath }: Folders,
  options: SiteOptions = config?.options ?? firstOptions,
): Site => ({
  serverName,
  options,
  locations,
  folders: { path, root, nginxPath },
  // Listens only on families for which DNS has an address, since the server may lack the other one. While DNS is
  // silent, the last known addresses count.
  ipv6: (dns.known ?? dns.addresses).some(({ family }) => family === 6),
});

/** With an edited location in place of the stored one. */
export const withDraft = (site: Site, draft: SiteLocation): Site => ({
  ...site,
  locations: site.locations.some(({ id }) => id === draft.id)
    ? site.locations.map((location) => (location.id === draft.id ? draft : location))
    : [...site.locations, draft],
});
