/** A notification shows a CMS text of its own product. */
import { Inject, Injectable } from '@nestjs/common';
import { streamName, type EventData } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Held } from '../platform/holds';
import type { Values } from '../platform/kit';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';

const MAX_NAMED = 20;

const idOf = (reference: unknown): string | undefined => (reference as { id: string } | null | undefined)?.id;

@Injectable()
export class NotificationText {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  /** A text that a notification shows is not removed. */
  async holds(text: string, workspace: string): Promise<Held | undefined> {
    const { rows } = await this.db.query<{ id: string; name: string; product: string }>(
      `select n.id, n.name, n.product from read.notifications n
       where n.workspace = $1 and n.cms->>'id' = $2 order by n.position limit ${MAX_NAMED}`,
      [workspace, text],
    );
    const [first] = rows;
    if (!first) return undefined;
    const which = rows.length === 1 ? `the notification ${first.name} shows` : 'notifications show';
    return {
      reason: `${which} this text: choose another text there, or delete ${rows.length === 1 ? 'it' : 'them'} first`,
      by: rows.map(({ id, name, product }) => ({
        category: 'notification',
        id,
        name,
        within: [{ category: 'product', id: product }],
      })),
    };
  }

  /**
   * Whether the text exists is known already.
   * @throws DomainError `invalid` at the field
   */
  async judge(after: Values, before: Values | undefined): Promise<void> {
    const id = idOf(after['cms']);
    if (id === undefined || id === idOf(before?.['cms'])) return;
    const [first] = await this.store.readStream(streamName('text', id), { limit: 1 });
    const { product, isCms } = (first?.data ?? {}) as Partial<EventData<'TextAdded'>>;
    if (product !== after['product']) throw invalidField('cms.id', 'this text could not be found');
    if (!isCms) throw invalidField('cms.id', 'this is no CMS text: choose one of the tab CMS');
  }
}
