/** Which archives a restore needs, up to which event it goes, and whether this version can restore them. */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { Step } from '../../platform/database';
import { VERSION } from '../../platform/version';
import { ArchiveRefused } from '../archive/head';
import type { Archive } from '../archive/read';

/** A position or an instant. Events recorded later are not restored. */
export type UpTo = { position: Position } | { instant: string };

/** @returns undefined if the text is neither a position nor an instant */
export const readUpTo = (text: string): UpTo | undefined => {
  if (/^\d{1,20}$/.test(text)) return { position: text };
  const at = /^\d{4}-\d{2}-\d{2}(T.*)?$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : { instant: new Date(at).toISOString() };
};

export const inWords = (upTo: UpTo): string => ('position' in upTo ? upTo.position : upTo.instant);

export const isBeyond = (
  upTo: UpTo | undefined,
  event: { position: Position; recordedAt: string },
): boolean =>
  upTo !== undefined &&
  ('position' in upTo
    ? comparePositions(event.position, upTo.position) > 0
    : event.recordedAt > upTo.instant);

const reaches = ({ head }: Archive, upTo: UpTo): boolean =>
  'position' in upTo
    ? comparePositions(head.log.end.position, upTo.position) >= 0
    : head.takenAt >= upTo.instant;

/**
 * The archives up to the first one that contains everything wanted. Its tables are the closest to that moment.
 * @param chain the full archive first
 * @param steps migrations of schema `app` that this version knows
 * @throws ArchiveRefused
 */
export const neededOf = (
  chain: readonly Archive[],
  upTo: UpTo | undefined,
  steps: readonly Step[],
): Archive[] => {
  const last = chain.at(-1)!;
  const known = new Set(steps.map(({ name }) => name));
  const newer = chain.find(({ head }) => head.schema.some((step) => !known.has(step)));
  if (newer)
    throw new ArchiveRefused(
      `${newer.file}: the archive is of version ${newer.head.version}, and this one is ${VERSION}: use that version or a newer one`,
    );
  if (upTo === undefined) return [...chain];
  const end = chain.findIndex((archive) => reaches(archive, upTo));
  if (end < 0)
    throw new ArchiveRefused(
      `${last.file}: the archive ends at position ${last.head.log.end.position}, taken at ${last.head.takenAt}: before ${inWords(upTo)}`,
    );
  return chain.slice(0, end + 1);
};
