/** A domain as its web server has to know it. Pure. */
import type { PresentDomain } from '../domains';
import type { Site, SiteLocation } from './site-model';

/** Of the server: where the files of its sites lie. */
export interface Folders {
  path: string;
  root: string;
  nginxPath: string;
}

export type SiteOptions = Site['options'];

/** Until the first one is applied: plain HTTP, by the server's own nginx. */
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
  // It does not listen on what may not be there: somebody gave the name an address of that family. While DNS is
  // silent it goes on listening on what was there.
  ipv6: (dns.known ?? dns.addresses).some(({ family }) => family === 6),
});

/** With a location as it is being edited in place of the one that is there. */
export const withDraft = (site: Site, draft: SiteLocation): Site => ({
  ...site,
  locations: site.locations.some(({ id }) => id === draft.id)
    ? site.locations.map((location) => (location.id === draft.id ? draft : location))
    : [...site.locations, draft],
});
