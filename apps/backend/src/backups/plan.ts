/** When a backup is due, whether it is a full one, and which archives are kept. Pure. */
import type { EventData } from '@quarterdeck/events';

export type Plan = EventData<'BackupsConfigured'>;

/** Until somebody says otherwise. */
export const DEFAULT_PLAN: Plan = {
  target: { kind: 'folder' },
  schedule: { at: '02:30' },
  keep: { days: 7, weeks: 4, months: 12 },
  recipients: [],
};

/** Of an archive, what decides whether it is kept. */
export interface Dated {
  id: string;
  base: string | null;
  takenAt: string;
  /** Taken by a newer version before it changed the database. */
  beforeMigration?: boolean | undefined;
}

const DAY_MS = 24 * 60 * 60_000;
/** After this long without one, the next archive is a full one: a restore reads it and all increments since. */
const FULL_EVERY_MS = 7 * DAY_MS;
const RETRY_MS = 30 * 60_000;

/** The last time that the schedule names, at `now` or before. */
const lastOf = ({ at }: NonNullable<Plan['schedule']>, now: Date): string => {
  const today = `${now.toISOString().slice(0, 10)}T${at}:00.000Z`;
  return today <= now.toISOString() ? today : new Date(Date.parse(today) - DAY_MS).toISOString();
};

interface Due {
  schedule: Plan['schedule'];
  /** Instants before this one are not made up for: the installation began then. */
  since: string;
  lastTakenAt?: string | undefined;
  lastFailedAt?: string | undefined;
  /** Then the time that it was for is left out. */
  lastCancelledAt?: string | undefined;
}

/** A backup that failed is tried again every half hour. */
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
/** A drill costs as much as a restore, and an archive that is damaged stays so. */
const DRILL_AGAIN_MS = DAY_MS;

interface DrillDue {
  schedule: Plan['schedule'];
  /** There is an archive in its place. */
  hasArchive: boolean;
  passedAt?: string | undefined;
  /** It failed or was cancelled, and none has passed since. */
  failedAt?: string | undefined;
}

/** The first drill follows the first backup. Without a schedule, drills too are made only on demand. */
export const isDrillDue = ({ schedule, hasArchive, passedAt, failedAt }: DrillDue, now: Date): boolean => {
  if (schedule === null || !hasArchive) return false;
  const ago = (at: string): number => now.getTime() - Date.parse(at);
  if (failedAt !== undefined) return ago(failedAt) >= DRILL_AGAIN_MS;
  return passedAt === undefined || ago(passedAt) >= DRILL_EVERY_MS;
};

/** @param chain the full archive first; what the next one would continue */
export const isFullDue = (chain: readonly Pick<Dated, 'takenAt'>[], now: Date): boolean =>
  !chain[0] || now.getTime() - Date.parse(chain[0].takenAt) >= FULL_EVERY_MS;

const dayOf = (takenAt: string): string => takenAt.slice(0, 10);
const monthOf = (takenAt: string): string => takenAt.slice(0, 7);
/** Weeks begin on Monday, and 1970-01-01 was a Thursday. */
const weekOf = (takenAt: string): string => String(Math.floor((Date.parse(takenAt) / DAY_MS + 3) / 7));

/** The newest archive of each of the last so many periods that have any. */
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
 * The archives that are no longer kept, the newest first, so that a killed removal leaves no increment without its base.
 * An archive that a kept increment needs is kept with it. Periods without archives do not count, so nothing goes only
 * because time passes.
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
  // The way back to the version before stays as long as anything else of its day.
  const keptDays = new Set(newestFirst.filter(({ id }) => kept.has(id)).map(({ takenAt }) => dayOf(takenAt)));
  for (const archive of newestFirst)
    if (archive.beforeMigration && keptDays.has(dayOf(archive.takenAt))) keep(archive);
  return newestFirst.filter(({ id }) => !kept.has(id));
};
