/** Converts a domain to the terms of its web server. Pure. */
import type { SiteSettings } from '@quarterdeck/events';
import type { PresentDomain } from '../domains';
import { withLineage, type Lineage } from './site-lineage';
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

/** Inputs of a site, whatever their source. */
interface SiteSource {
  serverName: string;
  options: SiteOptions;
  settings?: SiteSettings | undefined;
  names?: Site['names'] | undefined;
  locations: readonly SiteLocation[];
  folders: Folders;
  /** Addresses to which the name points. */
  addresses: readonly { family: number }[];
  /** What certbot keeps the certificate as. Default: the console's own. */
  lineage?: Lineage | undefined;
}

export const siteFrom = ({
  serverName,
  names = [],
  options,
  settings,
  locations,
  folders,
  addresses,
  lineage,
}: SiteSource): Site =>
  withLineage(
    {
      serverName,
      ...(names.length > 0 && { names }),
      options,
      ...(settings && { settings }),
      locations,
      folders: { path: folders.path, root: folders.root, nginxPath: folders.nginxPath },
      // Listens only on families for which DNS has an address, since the server may lack the other one.
      ipv6: addresses.some(({ family }) => family === 6),
    },
    lineage,
  );

/** Those of the other names. */
export const addressesOfNames = ({ names = [] }: Pick<PresentDomain['dns'], 'names'>) =>
  names.flatMap(({ addresses }) => addresses);

/** While DNS is silent, the last known addresses count. */
export const siteOf = (
  { serverName, names, locations, dns, config, settings, certificate }: PresentDomain,
  folders: Folders,
  options: SiteOptions = config?.options ?? firstOptions,
): Site =>
  siteFrom({
    serverName,
    names,
    options,
    settings,
    locations,
    folders,
    addresses: [...(dns.known ?? dns.addresses), ...addressesOfNames(dns)],
    lineage: certificate.issued?.lineage,
  });

/** With an edited location in place of the stored one. */
export const withDraft = (site: Site, draft: SiteLocation): Site => ({
  ...site,
  locations: site.locations.some(({ id }) => id === draft.id)
    ? site.locations.map((location) => (location.id === draft.id ? draft : location))
    : [...site.locations, draft],
});
