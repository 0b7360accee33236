/** The packages that were pulled onto a server, by its log. Pure. */
import type { DeployView } from '@quarterdeck/projections';

export interface KnownPackage {
  /** The newest entry of it, by which it is pulled again. */
  deployLog: { id: string };
  slug: string;
  /** As it is shown: several packages may have the same. */
  cdUrl: string;
  /** The newest that was deployed; absent when it never worked. */
  version?: string;
  /** The service that it is of, if that was said. */
  service?: string;
}

/** Older entries have no reference, and differ in their names at most. */
const keyOf = ({ address, cdUrl, slug }: DeployView): string =>
  address?.ref ?? (cdUrl.includes('…') ? `${cdUrl} ${slug}` : cdUrl);

/** Each address once, under its newest name, the one that was pulled last first. @param log newest first */
export const packagesOf = (log: readonly DeployView[]): KnownPackage[] => {
  const known = new Map<string, KnownPackage>();
  for (const entry of log) {
    const { id, slug, cdUrl, version } = entry;
    const before = known.get(keyOf(entry));
    const newest = before?.version ?? version;
    const service = before?.service ?? entry.serviceDeploy?.id;
    known.set(keyOf(entry), {
      ...(before ?? { deployLog: { id }, slug, cdUrl }),
      ...(newest === undefined ? {} : { version: newest }),
      ...(service === undefined ? {} : { service }),
    });
  }
  return [...known.values()];
};
