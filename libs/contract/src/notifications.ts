/** A call about notifications, in addition to the kit's calls. */
import { notification } from '@quarterdeck/events';
import { byId, object, textLanguage } from '@quarterdeck/events/inputs';
import { z } from 'zod';
import { calls } from './call';
import { demo } from './demo';
import { shownNotification } from './public-reads';

export const notifications = calls(notification.path, 'member', {
  preview: {
    summary: 'The notifications of a product with what each says in a language, whenever it is due',
    input: object({ product: byId, language: textLanguage }),
    example: { product: { id: demo.product }, language: 2 },
    // Without a text there is nothing to show.
    answer: z.array(shownNotification.partial({ text: true, language: true })),
    shows: ['notifications', 'texts', 'products'],
    asOf: true,
    wide: true,
  },
});
