/** Databases hold back the removal of the server through which they are reached: nothing could open them any more. */
import { Inject, Injectable } from '@nestjs/common';
import { database } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import type { Held } from '../platform/holds';
import { listOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';

/** How many the sentence names. The answer has all of them. */
const MAX_NAMED = 5;

@Injectable()
export class DatabaseHolds {
  constructor(@Inject(DB) private readonly db: Pool) {}

  async holds(server: string, workspace: string): Promise<Held | undefined> {
    const all = (await listOf(database, this.db, workspace)) as unknown as ViewOf<typeof database>[];
    const reached = all.filter((one) => one.server?.id === server);
    if (reached.length === 0) return undefined;
    const names = reached.slice(0, MAX_NAMED).map(({ name }) => name);
    const more = reached.length - names.length;
    const verb = reached.length === 1 ? 'is' : 'are';
    return {
      reason: `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${verb} reached through this server: choose another way in the database first, or remove the database`,
      by: reached.map(({ id, name, product }) => ({
        category: database.category,
        id,
        name,
        within: [{ category: 'product' as const, id: product }],
      })),
    };
  }
}
