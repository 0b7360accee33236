/**
 * Events about the texts of a product: one stream per key, with what it says in all languages. An import changes several
 * languages of a key in one event. `isCms` is a property of the key.
 *
 * Storage format: see `servers.events.ts`.
 */
import { z } from 'zod';
import { defineEvent } from '@quarterdeck/log';

const key = z.string();
/** Codes of languages, such as `fr`. */
const languages = z.array(z.string());

/** What a key says in one language, by the language's code. */
const texts = z.record(
  z.string(),
  z.object({
    /** Id of the text, made from the key's id and the language. */
    id: z.uuid(),
    text: z.string(),
    isReviewed: z.literal(true).optional(),
    /** The English text that it was made for. Absent: the present one. Only an undo restores another one. */
    of: z.string().optional(),
  }),
);

export const textEvents = {
  TextAdded: defineEvent(z.object({ product: z.uuid(), key, isCms: z.boolean(), texts })),
  TextRenamed: defineEvent(z.object({ key })),
  TextRemoved: defineEvent(z.object({ key })),
  TextRestored: defineEvent(z.object({ key })),
  /** Its texts are ICU messages, or not: then their arguments are not compared with those of the English text. */
  TextFormatChanged: defineEvent(z.object({ isIcu: z.boolean() })),
  TextTranslated: defineEvent(z.object({ texts })),
  TranslationsRemoved: defineEvent(z.object({ languages })),
  TranslationsReviewed: defineEvent(z.object({ languages })),
  TranslationsUnreviewed: defineEvent(z.object({ languages })),
  TextCommented: defineEvent(
    z.object({
      comment: z.uuid(),
      text: z.string(),
      /** Absent: it is about the key. */
      language: z.string().optional(),
    }),
  ),
  TextCommentRemoved: defineEvent(z.object({ comment: z.uuid() })),
};
