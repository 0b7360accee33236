/** Entries of the deploy log that belong to other features, which remove them by their own rules. */
import { Injectable } from '@nestjs/common';
import type { Decision } from '../platform/decider';
import type { CommandMeta } from '../platform/sessions';

/** @returns undefined if there is no such entry */
type RemoveEntry = (id: string, meta: CommandMeta) => Promise<Decision | undefined>;

@Injectable()
export class PullLog {
  private readonly others: RemoveEntry[] = [];

  alsoHas(remove: RemoveEntry): void {
    this.others.push(remove);
  }

  async remove(id: string, meta: CommandMeta): Promise<Decision | undefined> {
    for (const remove of this.others) {
      const decision = await remove(id, meta);
      if (decision) return decision;
    }
    return undefined;
  }
}
