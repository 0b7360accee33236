/** A notification shows a CMS text of its own product. */
import { Inject, Injectable } from '@nestjs/common';
import { streamName, type EventData } from '@quarterdeck/events';
import { invalidField } from '../platform/errors';
import type { Values } from '../platform/kit';
import { EVENT_STORE, type EventStore } from '../platform/tokens';

const idOf = (reference: unknown): string | undefined => (reference as { id: string } | null | undefined)?.id;

@Injectable()
export class NotificationText {
  constructor(@Inject(EVENT_STORE) private readonly store: EventStore) {}

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
