/** Entries of the deploy log that belong to other features, which remove them by their own rules. */
import { Injectable } from '@nestjs/common';
import type { Decision } from '../platform/decider';
import { Hooks, moment } from '../platform/hooks';
import type { CommandMeta } from '../platform/sessions';

/** @returns undefined if there is no such entry */
type RemoveEntry = (id: string, meta: CommandMeta) => Promise<Decision | undefined>;
export const removalFromPullLog = moment<RemoveEntry>('removal from the deploy log');

@Injectable()
export class PullLog {
  constructor(private readonly hooks: Hooks) {}

  async remove(id: string, meta: CommandMeta): Promise<Decision | undefined> {
    for (const remove of this.hooks.of(removalFromPullLog)) {
      const decision = await remove(id, meta);
      if (decision) return decision;
    }
    return undefined;
  }
}
