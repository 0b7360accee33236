/**
 * After a backup, records which archives are missing or have reappeared, and removes those that the plan no longer
 * keeps.
 */
import path from 'node:path';
import type { Logger } from '../../platform/tokens';
import type { Archive } from '../archive/read';
import { thinnedOf, type Plan } from '../plan';
import type { Attempt, Target } from '../targets/target';
import type { BackupBook } from './backup-book';
import type { OnTarget } from './on-target';
import { thinnedAmong, type Taken } from './take-one';

interface Tidying {
  book: Pick<BackupBook, 'state' | 'check' | 'thin' | 'tellNotRemoved'>;
  onTarget: OnTarget;
  logger: Pick<Logger, 'warn'>;
  /** Identity of the log. */
  log: string | undefined;
  plan: Pick<Plan, 'keep'>;
  signal: AbortSignal;
}

const tidyPlace = async (
  { book, log, plan }: Tidying,
  target: Target,
  { whole, refused }: Pick<Taken, 'whole' | 'refused'>,
  { alive, signal }: Attempt,
): Promise<void> => {
  const there = new Set(whole.map(({ head }) => head.id));
  const before = (await book.state()).archives.filter(({ place }) => place === target.name);
  // A process was killed after it had removed them: nobody misses them.
  await book.thin(
    thinnedOf(before, plan.keep)
      // One that is there and damaged is missed.
      .filter(({ id, name }) => !there.has(id) && !refused.some((problem) => problem.includes(name)))
      .map(({ id }) => id),
  );
  await book.check({ place: target.name, there: [...there] });
  const { archives } = await book.state();
  const records = new Map(archives.map((one) => [one.id, one]));
  const thinned = thinnedAmong(whole, log, plan.keep, ({ head }) => records.get(head.id));
  if (signal.aborted) return;
  const removed: string[] = [];
  const kept: Archive[] = [];
  let reason = '';
  try {
    for (const archive of thinned) {
      signal.throwIfAborted();
      // The newest comes first. What continues an archive cannot be restored without it.
      if (kept.some(({ head }) => head.base === archive.head.id)) {
        kept.push(archive);
        continue;
      }
      try {
        await target.remove(archive);
        removed.push(archive.head.id);
      } catch (error) {
        reason ||= (error as Error).message.slice(0, 500);
        kept.push(archive);
      }
      alive();
    }
  } finally {
    await book.thin(removed);
  }
  await book.tellNotRemoved({
    place: target.name,
    archives: kept.map(({ head, file }) => ({ id: head.id, name: path.basename(file) })),
    reason,
  });
};

/**
 * A fault is logged and does not fail the backup, which has been taken already.
 * @param own the folder of the archives from before migrations, which is the same for every target
 */
export const tidy = async (
  tidying: Tidying,
  target: Target,
  own: Target,
  { whole, refused }: Pick<Taken, 'whole' | 'refused'>,
): Promise<void> => {
  const { onTarget, logger, signal } = tidying;
  for (const problem of refused) logger.warn({ problem }, 'a file among the archives is none');
  try {
    await onTarget.run({ target, signal }, (attempt) =>
      tidyPlace(tidying, target, { whole, refused }, attempt),
    );
    if (own.name === target.name) return;
    await onTarget.run({ target: own, signal }, async (attempt) => {
      const found = await own.list(attempt);
      await tidyPlace(tidying, own, { whole: found.archives, refused: found.refused }, attempt);
    });
  } catch (error) {
    logger.warn({ err: error, target: target.name }, 'older archives were not removed');
  }
};
