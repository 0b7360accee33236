/** Problems with the backups, for the alerts. Pure. */
import type { EventData } from '@quarterdeck/events';
import { BACKUP_OVERDUE_MS, DRILL_OVERDUE_MS, newestInPlace } from '@quarterdeck/projections';
import type { BackupState } from './backups.decider';

const HOUR_MS = 60 * 60_000;

/** A backup that takes longer than this is slow, unless an earlier one took at least a third of its time. */
const SLOW_MS = HOUR_MS;
const SLOW_FACTOR = 3;

export interface Trouble {
  about: Extract<
    EventData<'AlertRaised'>['about'],
    `${'backup' | 'drill'}${'Failed' | 'Overdue'}` | 'archivesNotRemoved'
  >;
  says: string;
  /** The last success. A dismissed alert does not return before the next one. */
  since: string;
}

/** When the running backup began, if it takes far longer than earlier ones. */
const slowSince = ({ current, archives }: BackupState, now: Date): string | undefined => {
  if (current?.kind !== 'backup' || current.startedAt === undefined) return undefined;
  const usualMs = Math.max(0, ...archives.map(({ durationMs }) => durationMs));
  const isSlow = now.getTime() - Date.parse(current.startedAt) > Math.max(SLOW_MS, SLOW_FACTOR * usualMs);
  return isSlow ? current.startedAt : undefined;
};

/** @param installedAt backups due before then are not overdue */
export const troublesOf = (state: BackupState, installedAt: string, now: Date): Trouble[] => {
  const { plan, archives, failed, proven, drillFailed } = state;
  const newest = newestInPlace(archives);
  const isOlder = (at: string, ms: number): boolean => now.getTime() - Date.parse(at) > ms;
  const day = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
  const backedUpAt = newest?.takenAt ?? installedAt;
  const provenAt = proven?.at ?? archives[0]?.takenAt;
  const troubles: Trouble[] = [];
  if (failed) {
    const says = `The last backup failed: ${failed.reason}`;
    troubles.push({ about: 'backupFailed', since: backedUpAt, says });
  }
  const slow = slowSince(state, now);
  if (plan.schedule !== null && isOlder(backedUpAt, BACKUP_OVERDUE_MS)) {
    const last = newest ? `the newest one is of ${day(backedUpAt)}` : 'there is none';
    const says = `No backup was taken for more than 26 hours: ${last}.`;
    troubles.push({ about: 'backupOverdue', since: backedUpAt, says });
  } else if (slow !== undefined) {
    const says = `The backup that began at ${day(slow)} is still under way, far longer than usual: its target is slow.`;
    troubles.push({ about: 'backupOverdue', since: backedUpAt, says });
  }
  if (drillFailed) {
    const todo = !drillFailed.damaged
      ? ''
      : state.fullWanted
        ? '. The next backup is a full one, so that nothing continues what is damaged. Take it now, and keep the damaged archive until a drill has passed'
        : '. A full backup was taken since: run a drill';
    const says = `The newest backup was not restored in a drill: ${drillFailed.reason}${todo}`;
    troubles.push({ about: 'drillFailed', since: proven?.at ?? '', says });
  }
  const [first] = state.notRemoved;
  if (first) {
    // The oldest of them, which ids of this kind begin with: what joins it later is the same trouble.
    const [oldest = '', ...others] = state.notRemoved
      .flatMap(({ archives: kept }) => kept.map(({ id }) => id))
      .toSorted();
    const what = others.length === 0 ? '1 archive' : `${others.length + 1} archives`;
    const says = `${what} that the plan no longer keeps could not be removed: ${first.reason}`;
    troubles.push({ about: 'archivesNotRemoved', since: oldest, says });
  }
  if (plan.schedule !== null && provenAt !== undefined && isOlder(provenAt, DRILL_OVERDUE_MS)) {
    const last = proven ? `the last one that passed was at ${day(proven.at)}` : 'none has ever passed';
    const says = `No drill has proven for more than 8 days that the backups restore: ${last}.`;
    troubles.push({ about: 'drillOverdue', since: proven?.at ?? '', says });
  }
  return troubles;
};
