/** Takes one backup by the plan. */
import path from 'node:path';
import type { EventData } from '@quarterdeck/events';
import type { Archive } from '../archive/read';
import type { RecordedArchive } from '../backups.decider';
import { continuable, isOfLog, nameAt, newestChain } from '../folder';
import { isFullDue, thinnedOf, type Plan } from '../plan';
import { takeBackup, type Taking } from '../take';
import type { Attempt, Target } from '../targets/target';
import { lookAt } from './look-at';

export interface TakingOne {
  log: Taking['log'];
  tables: Taking['tables'];
  elsewhere: boolean;
  reserve: Taking['reserve'];
  target: Target;
  plan: Plan;
  work: string;
  full: boolean;
  /** Ids of the archives that the console took. */
  recorded: ReadonlySet<string>;
  /** Those recorded archives of which at least one must be in the target. */
  expected: readonly string[];
  /** The console's own age recipient. */
  own: string;
  /** Fingerprint of the master key from which this recipient is derived. */
  masterKey: string;
  now: () => Date;
  tell: NonNullable<Taking['tell']>;
  attempt: Attempt;
}

export interface Taken {
  taken: Omit<EventData<'BackupTaken'>, 'durationMs'>;
  /** The intact archives in the target. */
  whole: Archive[];
  /** Files in the target that are named like an archive but are not intact archives. */
  refused: string[];
}

export const factsOf = ({ head, file }: Archive, { name: place }: Pick<Target, 'name'>): Taken['taken'] => ({
  work: head.id,
  place,
  name: path.basename(file),
  base: head.base,
  takenAt: head.takenAt,
  bytes: head.bytes,
  after: head.log.after.position,
  end: head.log.end.position,
  events: head.log.events,
  masterKey: head.masterKey,
});

/** Takes the archive. If an earlier process died right after taking it, returns that one. */
export const takeOne = async (taking: TakingOne): Promise<Taken> => {
  const { target, log, work, plan, own, masterKey, now, tell, attempt } = taking;
  tell({ part: 'archives', bytes: 0 });
  const { archives, refused } = await lookAt(target, taking.expected, attempt);
  const before = archives.find(({ head }) => head.id === work && isOfLog(head, log.store.keys));
  if (before) return { taken: factsOf(before, target), whole: archives, refused };
  const takenAt = now().toISOString();
  const lock = { recipients: [own, ...plan.recipients] };
  // One key must open the whole chain, and the command line may add archives for other recipients to the same place. An
  // unrecorded archive, whose upload was not confirmed, is thinned out next.
  const known = archives.filter(({ head }) => taking.recorded.has(head.id));
  const chain = newestChain(continuable(known, log.store, lock, masterKey));
  const dated = chain.map(({ head }) => head);
  const base = taking.full || isFullDue(dated, now()) ? undefined : chain.at(-1);
  const { elsewhere, tables } = taking;
  const make = async (file: string): Promise<Archive> => {
    const made = await takeBackup({
      log,
      tables,
      elsewhere,
      reserve: taking.reserve,
      file,
      lock,
      base,
      takenAt,
      id: work,
      tell,
      busy: attempt.busy,
      signal: attempt.signal,
    });
    tell({ part: 'upload', bytes: made.head.bytes });
    return made;
  };
  const archive = await target.put(nameAt(takenAt, work), make, attempt);
  return { taken: factsOf(archive, target), whole: [...archives, archive], refused };
};

/**
 * The archives of this log that the plan no longer keeps. Archives of other logs are left alone.
 * @param recordOf the record of an archive that the console took; archives added by the command line for other
 * recipients have none
 */
export const thinnedAmong = (
  archives: readonly Archive[],
  log: string | undefined,
  keep: Plan['keep'],
  recordOf: (archive: Archive) => Pick<RecordedArchive, 'beforeMigration'> | undefined,
): Archive[] => {
  const own = archives.filter(({ head }) => head.log.id === log);
  // If a removal was recorded but interrupted by a crash, the archive remains without a record. Its lock shows that the
  // plan took it: the command line uses other recipients.
  const locks = new Set(own.filter((one) => recordOf(one) !== undefined).map(({ head }) => head.lock));
  const isOfPlan = (archive: Archive): boolean =>
    recordOf(archive) !== undefined || (archive.head.lock !== undefined && locks.has(archive.head.lock));
  // After a restore, the old console may still add archives here. Each console keeps its own set.
  const groupOf = (archive: Archive): string =>
    `${archive.head.log.home} ${isOfPlan(archive) ? 'the plan' : archive.head.lock}`;
  return [...new Set(own.map(groupOf))].flatMap((group) => {
    const dated = own
      .filter((archive) => groupOf(archive) === group)
      .map((archive) => {
        const { id, base, takenAt } = archive.head;
        return { archive, id, base, takenAt, beforeMigration: recordOf(archive)?.beforeMigration };
      });
    return thinnedOf(dated, keep).map(({ archive }) => archive);
  });
};
