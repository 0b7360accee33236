/**
 * What products read with a token of theirs (`Authorization: Bearer`). These are no calls of the console: there is no
 * session, and pages of other sites may make them. `apps/backend/src/public-reads` answers them.
 */
import { object, oneOf, text, uuid } from '@quarterdeck/events/inputs';
import { languageCodes, type Language } from '@quarterdeck/texts/languages';
import { z } from 'zod';
import { calls } from './call';
import { demo } from './demo';

const input = object({
  product: uuid,
  language: oneOf(languageCodes as readonly [Language, ...Language[]]),
  /** What a text without this language says: the English text, or nothing. */
  fallback: oneOf(['en', 'none']).optional(),
  /** As it was then: an instant, or a position of the history. */
  at: text(40).optional(),
});

const example = { product: demo.product, language: 'fr' } as const;
const read = { method: 'GET', input, example, shows: [] } as const;

const texts = z.record(z.string(), z.string());

export const shownNotification = z
  .strictObject({
    uuid: z.string(),
    type: z.strictObject({ id: z.int(), name: z.string() }),
    status: z.strictObject({ id: z.int(), name: z.string() }),
    cms: z.strictObject({ uuid: z.string(), key: z.string() }),
    isValidationRequired: z.boolean(),
    dateStart: z.string(),
    dateEnd: z.string(),
    /** Of the text: the one that was asked for, or English. */
    language: z.string(),
    /** Markdown. */
    text: z.string(),
  })
  .meta({ id: 'ShownNotification' });
export interface ShownNotification extends z.infer<typeof shownNotification> {}

export const publicReads = calls('public', 'public', {
  i18n: {
    summary: 'The texts of a product in a language, by key',
    path: 'i18n/:product/:language',
    answer: texts,
    ...read,
  },
  cms: {
    summary: 'The CMS texts of a product in a language, by key, as Markdown',
    path: 'cms/:product/:language',
    answer: texts,
    ...read,
  },
  notification: {
    summary: 'The notifications of a product that are due now, with their texts in a language',
    path: 'notification/:product/:language',
    answer: z.array(shownNotification),
    ...read,
  },
});
export type PublicRead = keyof typeof publicReads;
