/** How many lines of a live configuration differ from what would be applied now. Pure. */
import type { ConfigurationWriter, Configured } from '../domains';
import { sha256OfText } from './apply-scripts/apply';
import { siteText } from './site-config';
import { addressesOfNames, siteFrom } from './site-of';
import { isWritable } from './site-problems';
import type { Site } from './site-model';

/** A changed line counts once. Moved lines do not count: a glance needs the extent, and the page shows the difference. */
export const differingLines = (before: string, after: string): number => {
  const left = new Map<string, number>();
  const lines = after.split('\n');
  for (const line of lines) left.set(line, (left.get(line) ?? 0) + 1);
  const old = before.split('\n');
  let same = 0;
  for (const line of old) {
    const count = left.get(line) ?? 0;
    if (count === 0) continue;
    left.set(line, count - 1);
    same += 1;
  }
  return Math.max(1, lines.length - same, old.length - same);
};

const writtenOf = (site: Site): string | undefined => (isWritable(site) ? siteText(site).text : undefined);

/** The text that would be applied, if it is not the live one. */
export const pendingText = ({ domain, folders }: Configured): string | undefined => {
  const { config, dns, certificate } = domain;
  if (!config || !folders) return undefined;
  const site = siteFrom({
    ...domain,
    folders,
    options: config.options,
    lineage: certificate?.lineage,
    addresses: [...dns.addresses, ...addressesOfNames(dns)],
  });
  const written = writtenOf(site);
  if (written === undefined || sha256OfText(written) === config.sha256) return undefined;
  // While DNS does not answer for a family, its last known state still counts.
  const complete = [dns, ...(dns.names ?? [])].every(
    ({ outcome, code }) => outcome === 'none' || (outcome === 'found' && code === undefined),
  );
  const other = complete ? undefined : writtenOf({ ...site, ipv6: !site.ipv6 });
  if (other !== undefined && sha256OfText(other) === config.sha256) return undefined;
  return written;
};

export const configurationWriter: ConfigurationWriter = { pending: pendingText, differingLines };
