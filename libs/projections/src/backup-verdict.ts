/** Verdicts about backups: whether there is a recent one, and whether a restore was proven to work. Pure. */
import type { ArchiveView, BackupsView } from './backups';
import type { Verdict } from './verdict';

const HOUR_MS = 60 * 60_000;
/** A day, plus time to take the backup. */
export const BACKUP_OVERDUE_MS = 26 * HOUR_MS;
/** A week, plus a day for a retry. */
export const DRILL_OVERDUE_MS = 8 * 24 * HOUR_MS;

export interface BackupVerdict extends Verdict {
  is: 'failed' | 'none' | 'overdue' | 'good';
}

export interface RestoreVerdict extends Verdict {
  is: 'failed' | 'broken' | 'unproven' | 'old' | 'restorable';
}

/** The newest archive that is not missing. */
export const newestInPlace = <A extends Pick<ArchiveView, 'takenAt' | 'missing'>>(
  archives: readonly A[],
): A | undefined =>
  archives
    .filter(({ missing }) => !missing)
    .reduce<A | undefined>((last, one) => (last && last.takenAt > one.takenAt ? last : one), undefined);

/** The archives needed to restore this one, the full one first; undefined if one of them is missing. */
export const chainTo = <A extends Pick<ArchiveView, 'id' | 'base' | 'missing'>>(
  archive: A,
  archives: readonly A[],
): A[] | undefined => {
  const chain = [archive];
  for (let { base } = archive; base !== null; base = chain[0]!.base) {
    const before = archives.find(({ id, missing }) => id === base && !missing);
    if (!before || chain.includes(before)) return undefined;
    chain.unshift(before);
  }
  return chain;
};

const isOlder = (at: string, ms: number, now: Date): boolean => now.getTime() - Date.parse(at) > ms;

export const backupVerdict = (
  { archives, failed, plan }: Pick<BackupsView, 'archives' | 'failed' | 'plan'>,
  now: Date,
): BackupVerdict => {
  const newest = newestInPlace(archives);
  if (failed) return { is: 'failed', tone: 'bad', label: 'Last backup failed' };
  if (!newest) return { is: 'none', tone: 'warn', label: 'No backup yet' };
  return plan.schedule !== null && isOlder(newest.takenAt, BACKUP_OVERDUE_MS, now)
    ? { is: 'overdue', tone: 'bad', label: 'Overdue' }
    : { is: 'good', tone: 'good', label: 'Backed up' };
};

const unproven: RestoreVerdict = { is: 'unproven', tone: 'warn', label: 'Not yet proven' };

/**
 * Only a passed drill proves that a restore works. It must be recent and from the current place of the archives.
 * Neither the archive that it restored nor one that the newest archive needs may be missing.
 */
export const restoreVerdict = (
  {
    archives,
    proven,
    drillFailed,
    target,
  }: Pick<BackupsView, 'archives' | 'proven' | 'drillFailed' | 'target'>,
  now: Date,
): RestoreVerdict => {
  if (drillFailed) return { is: 'failed', tone: 'bad', label: 'Last drill failed' };
  const newest = newestInPlace(archives.filter(({ place }) => place === target.name));
  if (!newest || !proven) return unproven;
  if (!chainTo(newest, archives)) return { is: 'broken', tone: 'bad', label: 'Newest cannot be restored' };
  // Retention may have deleted the restored archive since. The proof then still holds for later archives.
  const restored = archives.find(
    ({ takenAt, provenAt }) => takenAt === proven.takenAt && provenAt === proven.at,
  );
  if (restored && (restored.place !== newest.place || restored.missing || !chainTo(restored, archives)))
    return unproven;
  return isOlder(proven.at, DRILL_OVERDUE_MS, now)
    ? { is: 'old', tone: 'warn', label: 'Last drill is old' }
    : { is: 'restorable', tone: 'good', label: 'Restorable' };
};
