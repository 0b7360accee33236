/** The packages that were pulled onto a server, by its log. Pure. */
import type { DeployView } from '@quarterdeck/projections';

export interface KnownPackage {
  slug: string;
  cdUrl: string;
  /** The newest that was deployed; absent when it never worked. */
  version?: string;
}

/** Each address once, under its newest name, the one that was pulled last first. @param log newest first */
export const packagesOf = (log: readonly DeployView[]): KnownPackage[] => {
  const known = new Map<string, KnownPackage>();
  for (const { slug, cdUrl, version } of log) {
    const before = known.get(cdUrl);
    const newest = before?.version ?? version;
    known.set(cdUrl, {
      slug: before?.slug ?? slug,
      cdUrl,
      ...(newest === undefined ? {} : { version: newest }),
    });
  }
  return [...known.values()];
};
