/** The names of a domain's certificate. The only place that decides them. Pure. */
import { isWildcard } from '@quarterdeck/events';
import { covers, namesOfSite } from '@quarterdeck/projections';
import type { PresentDomain } from '../domains';
import { invalidField } from '../platform/errors';
import { isNamedIn, type Lineage } from '../webserver';

type Named = Pick<PresentDomain, 'serverName' | 'names' | 'certificate'>;

/** Let's Encrypt refuses a name in the same order as a wildcard that covers it. */
const withoutCovered = (names: readonly string[]): string[] => {
  const wildcards = names.filter(isWildcard);
  return names.filter((name) => isWildcard(name) || !covers(wildcards, name));
};

/**
 * Names of an order, the main one first unless a wildcard covers it. The names of an adopted certificate are those that
 * its owner gave it.
 */
export const orderedNames = (domain: Named, lineage: Lineage | undefined): string[] =>
  lineage?.adopted
    ? (domain.certificate.issued?.names ?? [domain.serverName])
    : withoutCovered(namesOfSite(domain));

/**
 * The names of an order that the live configuration answers for. If nobody watches, a name that is not applied yet keeps
 * the others from nothing.
 * @throws DomainError `invalid` with the names that are missing in the live configuration
 */
export const provableNames = (
  domain: Named,
  live: string | undefined,
  { unseen }: { unseen: boolean },
): string[] => {
  const names = namesOfSite(domain);
  if (live === undefined) return withoutCovered(names);
  const [, ...others] = names;
  const missing = others.filter((name) => !isNamedIn(live, name));
  if (missing.length > 0 && !unseen)
    throw invalidField(
      'id',
      `the live configuration does not answer for ${missing.join(', ')} yet: apply the configuration first`,
    );
  return withoutCovered(names.filter((name) => !missing.includes(name)));
};

/**
 * What the console's certificate of a domain may be for, the main name first. A certificate with another name on its
 * server was made by somebody else.
 */
export const knownNames = (domain: Named): string[] => [
  ...new Set([...namesOfSite(domain), ...(domain.certificate.issued?.names ?? [])]),
];
