/** The names of a domain's certificate. The only place that decides them. Pure. */
import { namesOfSite } from '@quarterdeck/projections';
import type { PresentDomain } from '../domains';
import { invalidField } from '../platform/errors';
import { isNamedIn, type Lineage } from '../webserver';

type Named = Pick<PresentDomain, 'serverName' | 'names' | 'certificate'>;

/** Names of an order, the main one first. The names of an adopted certificate are those that its owner gave it. */
export const orderedNames = (domain: Named, lineage: Lineage | undefined): string[] =>
  lineage?.adopted ? (domain.certificate.issued?.names ?? [domain.serverName]) : namesOfSite(domain);

/**
 * The names of an order that the live configuration answers for. If nobody watches, a name that is not applied yet keeps
 * the others from nothing.
 * @throws DomainError `invalid` with the names that are missing in the live configuration
 */
export const provableNames = (
  names: readonly string[],
  live: string | undefined,
  { unseen }: { unseen: boolean },
): string[] => {
  if (live === undefined) return [...names];
  const [, ...others] = names;
  const missing = others.filter((name) => !isNamedIn(live, name));
  if (missing.length > 0 && !unseen)
    throw invalidField(
      'id',
      `the live configuration does not answer for ${missing.join(', ')} yet: apply the configuration first`,
    );
  return names.filter((name) => !missing.includes(name));
};

/**
 * What the console's certificate of a domain may be for, the main name first. A certificate with another name on its
 * server was made by somebody else.
 */
export const knownNames = (domain: Named): string[] => [
  ...new Set([...namesOfSite(domain), ...(domain.certificate.issued?.names ?? [])]),
];
