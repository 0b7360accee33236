/** When a backup is due, whether it is a full one, and which archives are kept. Pure. */
import type { EventData } from '@quarterdeck/events';

export type Plan = EventData<'BackupsConfigured'>;

/** The plan until somebody changes it. */
export const DEFAULT_PLAN: Plan = {
  target: { kind: 'folder' },
  schedule: { at: '02:30' },
  keep: { days: 7, weeks: 4, months: 12 },
  recipients: [],
};

/** The data of an archive that decide whether it is kept. */
export interface Dated {
  id: string;
  base: string | null;
  takenAt: string;
  /** Taken by a newer version before it migrated the database. */
  beforeMigration?: boolean | undefined;
}

const DAY_MS = 24 * 60 * 60_000;
/** Maximum age of a full archive that is continued: a restore reads it and all increments since. */
const FULL_EVERY_MS = 7 * DAY_MS;
const RETRY_MS = 30 * 60_000;

/** The last scheduled time at or before `now`. */
const lastOf = ({ at }: NonNullable<Plan['schedule']>, now: Date): string => {
  const today = `${now.toISOString().slice(0, 10)}T${at}:00.000Z`;
  return today <= now.toISOString() ? today : new Date(Date.parse(today) - DAY_MS).toISOString();
};

interface Due {
  schedule: Plan['schedule'];
  /** When the installation began. Scheduled times before are not made up for. */
  since: string;
  lastTakenAt?: string | undefined;
  lastFailedAt?: string | undefined;
  /** The scheduled time before a cancellation is skipped. */
  lastCancelledAt?: string | undefined;
}

/** A failed backup is retried every half hour. */
export const isDue = (
  { schedule, since, lastTakenAt, lastFailedAt, lastCancelledAt }: Due,
  now: Date,
): boolean => {
  if (schedule === null) return false;
  const at = lastOf(schedule, now);
  if ([since, lastTakenAt, lastCancelledAt].some((one) => one !== undefined && one >= at)) return false;
  return lastFailedAt === undefined || now.getTime() - Date.parse(lastFailedAt) >= RETRY_MS;
};

const DRILL_EVERY_MS = 7 * DAY_MS;
/** A drill costs as much as a restore, and a damaged archive will not recover, so retries are a day apart. */
const DRILL_AGAIN_MS = DAY_MS;

interface DrillDue {
  schedule: Plan['schedule'];
  /** There is an archive in the target. */
  hasArchive: boolean;
  passedAt?: string | undefined;
  /** When the last drill failed or was cancelled, unless one passed since. */
  failedAt?: string | undefined;
}

/** The first drill follows the first backup. Without a schedule, drills too run only on demand. */
export const isDrillDue = ({ schedule, hasArchive, passedAt, failedAt }: DrillDue, now: Date): boolean => {
  if (schedule === null || !hasArchive) return false;
  const ago = (at: string): number => now.getTime() - Date.parse(at);
  if (failedAt !== undefined) return ago(failedAt) >= DRILL_AGAIN_MS;
  return passedAt === undefined || ago(passedAt) >= DRILL_EVERY_MS;
};

/** @param chain what the next archive would continue, the full archive first */
export const isFullDue = (chain: readonly Pick<Dated, 'takenAt'>[], now: Date): boolean =>
  !chain[0] || now.getTime() - Date.parse(chain[0].takenAt) >= FULL_EVERY_MS;

const dayOf = (takenAt: string): string => takenAt.slice(0, 10);
const monthOf = (takenAt: string): string => takenAt.slice(0, 7);
/** Weeks begin on Monday, and 1970-01-01 was a Thursday. */
const weekOf = (takenAt: string): string => String(Math.floor((Date.parse(takenAt) / DAY_MS + 3) / 7));

/** The newest archive of each of the latest periods that have any. */
const newestOf = (
  newestFirst: readonly Dated[],
  periodOf: (at: string) => string,
  count: number,
): Dated[] => {
  const found = new Map<string, Dated>();
  for (const archive of newestFirst) {
    const period = periodOf(archive.takenAt);
    if (!found.has(period)) found.set(period, archive);
  }
  return [...found.values()].slice(0, count);
};

/**
 * The archives to remove, newest first, so that an interrupted removal leaves no increment without its base. The base
 * of a kept increment is kept too. Periods without archives do not count, so nothing is removed merely because time
 * passes.
 */
export const thinnedOf = <A extends Dated>(
  archives: readonly A[],
  { days, weeks, months }: Plan['keep'],
): A[] => {
  const newestFirst = archives.toSorted((a, b) => b.takenAt.localeCompare(a.takenAt));
  const byId = new Map(newestFirst.map((archive) => [archive.id, archive]));
  const kept = new Set<string>();
  const keep = (archive: Dated | undefined): void => {
    if (!archive || kept.has(archive.id)) return;
    kept.add(archive.id);
    if (archive.base !== null) keep(byId.get(archive.base));
  };
  keep(newestFirst[0]);
  for (const archive of newestOf(newestFirst, dayOf, days)) keep(archive);
  for (const archive of newestOf(newestFirst, weekOf, weeks)) keep(archive);
  for (const archive of newestOf(newestFirst, monthOf, months)) keep(archive);
  // An archive from before a migration is kept as long as any other archive of its day.
  const keptDays = new Set(newestFirst.filter(({ id }) => kept.has(id)).map(({ takenAt }) => dayOf(takenAt)));
  for (const archive of newestFirst)
    if (archive.beforeMigration && keptDays.has(dayOf(archive.takenAt))) keep(archive);
  return newestFirst.filter(({ id }) => !kept.has(id));
};
