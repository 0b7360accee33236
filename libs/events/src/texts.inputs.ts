/** Input schemas of the calls about texts. The console's forms use the same schemas. */
import { formats } from '@quarterdeck/texts/formats';
import { languageCodes, languages, type Language } from '@quarterdeck/texts/languages';
import { MAX_KEY_LENGTH, MAX_TEXT_LENGTH, problemOfText } from '@quarterdeck/texts/limits';
import { z } from 'zod';
import { listPageWithin } from './lists.inputs';
import { array, boolean, integer, longText, messages, object, oneOf, text, uuid } from './rules';
import { textStates, type TextState } from './text-states';

/** An instant or a position of the history. */
const instantOrPosition = text(40);

const one = object({ id: uuid });

const NO_LANGUAGE = `a language from 1 to ${languages.length} is expected`;

/** `2`, or `{ id: 2 }`. The output is the code: `fr`. */
export const textLanguage = z
  .union([z.number(), object({ id: z.number() })], {
    error: (issue) => (issue.input === undefined ? messages.required : NO_LANGUAGE),
  })
  .transform((given) => (typeof given === 'number' ? given : given.id))
  .refine((id) => languageCodes[id - 1] !== undefined, { error: NO_LANGUAGE })
  .transform((id) => languageCodes[id - 1] as Language);

/** The id of a key, also as `{ uuid }`. */
const keyId = z
  .union([uuid, object({ uuid })], {
    error: (issue) => (issue.input === undefined ? messages.required : messages.uuidInvalid),
  })
  .transform((given) => (typeof given === 'string' ? given : given.uuid));

const key = text(MAX_KEY_LENGTH);
const value = longText(MAX_TEXT_LENGTH).superRefine((given, context) => {
  const problem = problemOfText(given);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});
const isCms = boolean.optional();
const revision = integer().optional();
const place = { product: one, isCms };

const stateNames = Object.keys(textStates) as [TextState, ...TextState[]];

/** Columns by which the page of texts can be sorted. */
export const textSorts = ['key', '-key', 'english', '-english', 'changed', '-changed'] as const;

/** `id`: of the product. */
export const textList = object({ id: uuid, isCms });
export const textPage = listPageWithin({
  ...place,
  /** Only keys whose text in this language has one of these states. */
  language: textLanguage.optional(),
  states: array(oneOf(stateNames), stateNames.length).optional(),
});
export const textDetail = object({ uuid, isCms });
export const textAdd = object({ key, texts: z.partialRecord(z.enum(languageCodes), value).optional() });
export const textInsert = object({
  data: object({ ...textAdd.shape, ...place }),
});
/** `revision`: of the key, as the editor saw it. */
export const textUpdate = object({
  uuid,
  data: object({ key: key.optional(), isIcu: boolean.optional() }),
  revision,
});
export const textUnitAdd = object({ name: value, language: textLanguage });
export const textUnitInsert = object({ i18nKey: keyId, ...textUnitAdd.shape });
/** `seen`: `revision` of the text that the editor saw. A later change by somebody else is a conflict. */
export const textUnitUpdate = object({ id: uuid, name: value, seen: revision });
export const textUnitReview = object({ id: uuid, isReviewed: boolean, seen: revision });
export const textUnitRestore = object({ uuid, language: textLanguage, revision: integer() });
export const textUnitHistory = object({ uuid, language: textLanguage });
export const textCommentInsert = object({
  uuid,
  text: longText(2000),
  language: textLanguage.optional(),
});
export const textCommentDelete = object({ uuid, comment: uuid });
export const textsOfProduct = object(place);
export const textDays = object({
  ...place,
  /** Number of days up to now. Default 90. */
  days: integer(366)
    .min(1, { error: messages.tooSmall(1) })
    .optional(),
});

/** Maximum size of an imported file in bytes. */
export const MAX_TEXT_FILE = 16 * 1024 * 1024;

const toChoose = ['changed', 'removed', 'conflicts'] as const;

const imported = {
  ...place,
  /** Its ending says the format, and its name may say the language. */
  name: text(200),
  /** The bytes of the file in base64. */
  content: z
    .string({ error: messages.required })
    .min(1, { error: messages.required, abort: true })
    .max(Math.ceil(MAX_TEXT_FILE / 3) * 4, {
      error: `the file is larger than ${MAX_TEXT_FILE / 1024 / 1024} MB: split it`,
      abort: true,
    }),
  /** Of the texts in the file, if neither the file nor its name says it. */
  language: textLanguage.optional(),
  /** What is imported beside additions. Default: `changed`. */
  take: array(oneOf(toChoose), toChoose.length).optional(),
};
export const textImportPreview = object(imported);
/** `seen`: hash of the preview that the operator reviewed. */
export const textImport = object({ ...imported, seen: text(64) });
export const textImportRun = object({ run: uuid });

export const textExport = object({
  ...place,
  format: oneOf(formats),
  /** Default: all. */
  languages: array(textLanguage, languages.length).optional(),
  /** Only texts that have changed since then. */
  since: instantOrPosition.optional(),
  /** As of then, like the `X-At` header. */
  at: instantOrPosition.optional(),
});
