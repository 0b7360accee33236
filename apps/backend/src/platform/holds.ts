/** What features hold back as long as something depends on it: "Orders serves on web-1: stop it first". */
import { DomainError, type HeldBy } from './errors';

export interface Held {
  /** Names what holds it back, and says what to do first. */
  reason: string;
  by?: readonly HeldBy[];
}

/** @returns undefined if nothing holds it back */
export type Hold<T> = (asked: T, workspace: string) => Promise<Held | undefined>;

/** @throws DomainError `conflict` */
export const refuseHeld = async <T>(
  holds: readonly Hold<T>[],
  asked: T,
  workspace: string,
): Promise<void> => {
  for (const hold of holds) {
    const held = await hold(asked, workspace);
    if (held) throw new DomainError('conflict', held.reason, undefined, held.by && { heldBy: held.by });
  }
};
