/** Carries out the many steps of one undo plan, several at once. No work continues after the answer. */
import { laterOf, type Position } from '@quarterdeck/events';
import { isTransient } from '../platform/database';
import { DomainError } from '../platform/errors';
import type { UndoWork } from '../platform/decisions';

const AT_ONCE = 16;

export interface PutBack {
  /** Position of the last recorded step. */
  position: Position;
  /** Steps that were refused, and why. */
  left: { name: string; reason: string }[];
}

/** @throws the first error of `work`, after running work has ended; no new work starts after an error */
const eachOf = async <T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> => {
  const queue = [...all];
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await work(one);
  };
  const failed = (error: unknown): void => {
    queue.length = 0;
    failures.push(error);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, () => worker().catch(failed)));
  if (failures.length > 0) throw failures[0];
};

/**
 * @param begun position at which the parent of all steps was restored
 * @throws DomainError `unavailable` with the progress, if the log or the database fails in the middle
 */
export const putBack = async (
  works: readonly UndoWork[],
  begun: Position,
  carryOut: (work: UndoWork) => Promise<{ position: Position }>,
): Promise<PutBack> => {
  const done: PutBack = { position: begun, left: [] };
  try {
    await eachOf(works, async (work) => {
      try {
        const { position } = await carryOut(work);
        done.position = laterOf(done.position, position);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        done.left.push({ name: work.subject.name, reason: error.msg });
      }
    });
  } catch (error) {
    if (!isTransient(error)) throw error;
    throw new DomainError('unavailable', 'only part of it was restored: try again for the rest', undefined, {
      retryAfter: 2,
      recorded: done.position,
    });
  }
  return done;
};
