/** What features hold back as long as something depends on it: "Orders serves on web-1: stop it first". */
import { DomainError, type HeldBy } from './errors';

export interface Held {
  /** Names what holds it back, and says what to do first. */
  reason: string;
  by?: readonly HeldBy[];
}

/** @returns undefined if nothing holds it back */
export type Hold<T> = (asked: T, workspace: string) => Promise<Held | undefined>;

export class Holds<T> {
  private readonly all: Hold<T>[] = [];

  add(hold: Hold<T>): void {
    this.all.push(hold);
  }

  /** @throws DomainError `conflict` */
  async refuse(asked: T, workspace: string): Promise<void> {
    for (const hold of this.all) {
      const held = await hold(asked, workspace);
      if (held) throw new DomainError('conflict', held.reason, undefined, held.by && { heldBy: held.by });
    }
  }
}
