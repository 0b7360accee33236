/** The tag of the next release. Pure. */

interface Version {
  prefix: string;
  parts: [bigint, bigint, bigint];
}

/** Releases only: `v1.2.3-rc.1` is not one. */
const versionOf = (tag: string): Version | undefined => {
  const [, prefix = '', major, minor, patch] =
    /^(v?)(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:\+[\w.-]+)?$/.exec(tag) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return { prefix, parts: [BigInt(major), BigInt(minor), BigInt(patch)] };
};

const isNewer = (one: Version, other: Version): boolean => {
  const at = one.parts.findIndex((part, index) => part !== other.parts[index]);
  return at >= 0 && (one.parts[at] ?? 0n) > (other.parts[at] ?? 0n);
};

/** One patch above the newest release, in the same notation. The first release is `v1.0.0`. */
export const nextTag = (tags: readonly string[]): string => {
  const versions = tags.map(versionOf).filter((version) => version !== undefined);
  const [first, ...others] = versions;
  if (!first) return 'v1.0.0';
  const newest = others.reduce((best, version) => (isNewer(version, best) ? version : best), first);
  const [major, minor, patch] = newest.parts;
  return `${newest.prefix}${major}.${minor}.${patch + 1n}`;
};
