/** The names of a domain's certificate. The only place that decides them. Pure. */
import type { PresentDomain } from '../domains';
import type { Lineage } from '../webserver';

type Named = Pick<PresentDomain, 'serverName' | 'certificate'>;

/** Names of an order, the main one first. The names of an adopted certificate are those that its owner gave it. */
export const orderedNames = (domain: Named, lineage: Lineage | undefined): string[] =>
  lineage?.adopted ? (domain.certificate.issued?.names ?? [domain.serverName]) : [domain.serverName];

/**
 * What the console's certificate of a domain may be for, the main name first. A certificate with another name on its
 * server was made by somebody else.
 */
export const knownNames = (domain: Named): string[] => [
  ...new Set([domain.serverName, ...(domain.certificate.issued?.names ?? [])]),
];
