/** The packages that were deployed to a server, from its log. Pure. */
import type { PackagePullView } from '@quarterdeck/projections';

export interface KnownPackage {
  /** Its newest log entry, which is sent to deploy it again. */
  entry: { id: string };
  slug: string;
  /** The address as shown; several packages may share it. */
  cdUrl: string;
  /** The newest version that was deployed; absent if no deploy succeeded. */
  version?: string;
  /** Id of its service, if one was given. */
  service?: string;
}

/** Older entries have no reference; if their shown address is shortened, only the name distinguishes them. */
const keyOf = ({ address, cdUrl, slug }: PackagePullView): string =>
  address?.ref ?? (cdUrl.includes('…') ? `${cdUrl} ${slug}` : cdUrl);

/**
 * Each address once, under its newest name, the last one deployed first.
 * @param log newest first
 */
export const packagesOf = (log: readonly PackagePullView[]): KnownPackage[] => {
  const known = new Map<string, KnownPackage>();
  for (const entry of log) {
    const { id, slug, cdUrl, version } = entry;
    const before = known.get(keyOf(entry));
    const newest = before?.version ?? version;
    const service = before?.service ?? entry.serviceDeploy?.id;
    known.set(keyOf(entry), {
      ...(before ?? { entry: { id }, slug, cdUrl }),
      ...(newest === undefined ? {} : { version: newest }),
      ...(service === undefined ? {} : { service }),
    });
  }
  return [...known.values()];
};
