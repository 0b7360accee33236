/** Texts of products in 14 languages (`isCms: false`), and CMS texts (`isCms: true`), which are Markdown. For members too. */
import {
  byUuid,
  textCommentDelete,
  textCommentInsert,
  textDays,
  textDetail,
  textExport,
  textImport,
  textImportPreview,
  textImportRun,
  textInsert,
  textList,
  textPage,
  textsOfProduct,
  textUnitHistory,
  textUnitInsert,
  textUnitRestore,
  textUnitReview,
  textUnitUpdate,
  textUpdate,
  byId,
} from '@quarterdeck/events/inputs';
import { listPageOf, textRow, textView } from '@quarterdeck/projections';
import { fileKinds } from '@quarterdeck/texts/formats';
import { z } from 'zod';
import { ids, started } from './answers';
import { calls } from './call';
import { demo, page, seen } from './demo';
import { withProductWithin } from './specified';

const language = z.strictObject({ id: z.int(), code: z.string(), name: z.string() });

const completeness = z
  .strictObject({
    keys: z.int(),
    /** In the order of their ids. The four counts add up to `keys`. */
    languages: z.array(
      z.strictObject({
        language,
        missing: z.int(),
        translated: z.int(),
        reviewed: z.int(),
        outdated: z.int(),
      }),
    ),
  })
  .meta({ id: 'TextCompleteness' });

const days = z
  .strictObject({
    /** Each day in UTC up to now, oldest first. */
    days: z.array(
      z.strictObject({
        day: z.string(),
        /** How many keys there were at the end of the day. */
        keys: z.int(),
        /** How many of them had a text, for each language in the order of their ids. */
        texts: z.array(z.int()),
      }),
    ),
  })
  .meta({ id: 'TextCompletenessDays' });

const edit = z.strictObject({
  key: z.string(),
  language: z.strictObject({ id: z.int() }),
  /** Absent: there was no text. Both show the first 200 characters. */
  from: z.string().optional(),
  /** Absent: its text goes. */
  to: z.string().optional(),
});
const inFile = { line: z.int(), why: z.string() };

const preview = z
  .strictObject({
    /** What the file was read as, by its name or its first characters. */
    format: z.enum(fileKinds),
    /** How many there are of each. The lists have the first 200. */
    counts: z.strictObject({
      newKeys: z.int(),
      added: z.int(),
      changed: z.int(),
      removed: z.int(),
      conflicts: z.int(),
      unchanged: z.int(),
      leftOut: z.int(),
      /** Keys that the import would change. */
      keys: z.int(),
    }),
    newKeys: z.array(z.string()),
    added: z.array(edit),
    changed: z.array(edit),
    removed: z.array(edit),
    /** The line of the file, and why a person has to decide. */
    conflicts: z.array(edit.extend(inFile)),
    leftOut: z.array(z.strictObject({ ...inFile, key: z.string().optional() })),
    /** Hash of what the import would do. Send it back, so that exactly this is done. */
    seen: z.string(),
  })
  .meta({ id: 'TextImportPreview' });

const importState = z
  .strictObject({
    state: z.enum(['open', 'succeeded', 'failed', 'interrupted', 'cancelled']),
    /** Why it did not succeed. */
    reason: z.string().optional(),
    /** How many keys it was to change; absent until it has ended. */
    keys: z.int().optional(),
    /** How many texts it left as they are: somebody has changed them in the meantime. */
    left: z.int().optional(),
    /** The first 100 of them. */
    leftAsIs: z.array(z.string()),
  })
  .meta({ id: 'TextImportState' });

/** A text as it was after one of its changes. */
const former = z
  .strictObject({
    /** Revision of the key at which it began. Send it to `restore/unit`. */
    revision: z.int(),
    /** Absent: the text was removed. */
    name: z.string().optional(),
    isReviewed: z.boolean(),
    at: z.string(),
    by: z.string(),
  })
  .meta({ id: 'FormerText' });

/** A file of 16 MB in base64, and the rest. */
const importing = { maxBodyBytes: 22.5 * 1024 * 1024 };
const changing = { answer: ids, stales: 'texts', wide: true } as const;
const reads = { shows: ['texts', 'products'], asOf: true, wide: true } as const;

const ofShop = { product: { id: demo.product }, isCms: false } as const;
const imported = {
  ...ofShop,
  name: 'fr.json',
  // {"checkout.title": "Votre commande"}
  content: 'eyJjaGVja291dC50aXRsZSI6ICJWb3RyZSBjb21tYW5kZSJ9',
  language: 2,
  take: ['changed'],
} as const;

export const texts = calls('i18n', 'member', {
  list: {
    summary: 'The keys of a product with the first 50 characters of the English text, by key',
    input: textList,
    example: { id: demo.product, isCms: false },
    answer: z.array(textRow),
    ...reads,
  },
  page: {
    summary: 'One page of the keys; the search looks into keys and texts',
    input: textPage,
    example: { ...ofShop, ...page, sort: '-changed', language: 2, states: ['missing', 'outdated'] },
    answer: listPageOf(textRow),
    ...reads,
  },
  detail: {
    summary: 'One key with what it says in each language, and comments',
    input: textDetail,
    example: { uuid: demo.text, isCms: false },
    answer: textView,
    ...reads,
  },
  insert: {
    summary: 'Adds a key, also with texts: by the codes of their languages',
    input: textInsert,
    example: { data: { key: 'checkout.title', ...ofShop, texts: { en: 'Your order' } } },
    specified: withProductWithin,
    ...changing,
  },
  update: {
    summary: 'Renames a key, or says whether its texts are ICU messages',
    input: textUpdate,
    example: { uuid: demo.text, data: { key: 'checkout.heading', isIcu: false }, revision: 3 },
    ...changing,
  },
  delete: {
    summary: 'Removes a key with its texts',
    input: byUuid,
    example: { uuid: demo.text },
    ...changing,
  },
  restore: {
    summary: 'Restores a removed key with its texts',
    input: byUuid,
    example: { uuid: demo.text },
    ...changing,
  },
  insertUnit: {
    summary: 'Adds the text of a key in a language',
    path: 'insert/unit',
    input: textUnitInsert,
    example: { i18nKey: demo.text, name: 'Votre commande', language: 2 },
    ...changing,
  },
  updateUnit: {
    summary: 'Changes a text; `seen` is the revision of the text that the editor saw',
    path: 'update/unit',
    input: textUnitUpdate,
    example: { id: demo.textUnit, name: 'Votre achat', seen: 0 },
    ...changing,
  },
  deleteUnit: {
    summary: 'Removes a text; the key stays',
    path: 'delete/unit',
    input: byId,
    example: { id: demo.textUnit },
    ...changing,
  },
  reviewUnit: {
    summary: 'Marks a text as reviewed, or takes that back; a reviewed text fits the present English one',
    path: 'review/unit',
    input: textUnitReview,
    example: { id: demo.textUnit, isReviewed: true, seen: 0 },
    ...changing,
  },
  historyOfUnit: {
    summary: 'What a key said in a language, newest first',
    path: 'history/unit',
    input: textUnitHistory,
    example: { uuid: demo.text, language: 1 },
    answer: z.array(former),
    ...reads,
  },
  restoreUnit: {
    summary: 'Restores a former text: what it was after that revision',
    path: 'restore/unit',
    input: textUnitRestore,
    example: { uuid: demo.text, language: 1, revision: 0 },
    ...changing,
  },
  insertComment: {
    summary: 'Comments on a key, or on its text in a language',
    path: 'insert/comment',
    input: textCommentInsert,
    example: { uuid: demo.text, text: 'Shown after the payment', language: 2 },
    ...changing,
  },
  deleteComment: {
    summary: 'Removes a comment',
    path: 'delete/comment',
    input: textCommentDelete,
    example: { uuid: demo.text, comment: demo.textComment },
    ...changing,
  },
  completeness: {
    summary: 'How many texts of a product are missing, translated, reviewed and outdated, by language',
    input: textsOfProduct,
    example: ofShop,
    answer: completeness,
    ...reads,
  },
  completenessByDay: {
    summary: 'How many keys a product had, and how many texts by language, at the end of each day',
    path: 'completeness/days',
    input: textDays,
    example: { ...ofShop, days: 30 },
    answer: days,
    ...reads,
    volatile: true,
  },
  preview: {
    summary: 'What an import of a file would add, change and remove, and where it needs a decision',
    path: 'import/preview',
    costs: 'work',
    ...importing,
    input: textImportPreview,
    example: imported,
    answer: preview,
    stales: [],
    receipt: false,
  },
  import: {
    summary: 'Imports a file of texts after its preview, as one run',
    costs: 'work',
    ...importing,
    input: textImport,
    example: { ...imported, seen },
    answer: started,
    stales: ['texts', 'runs'],
    wide: true,
  },
  importDetail: {
    summary: 'How far an import is, or the undo of one: for members, who see no runs',
    path: 'import/detail',
    input: textImportRun,
    example: { run: demo.textImport },
    answer: importState,
    shows: ['texts', 'runs'],
    wide: true,
    volatile: true,
  },
  undoImport: {
    summary: 'Undoes what an import did, as one run; what was changed again since stays',
    path: 'import/undo',
    input: textImportRun,
    example: { run: demo.textImport },
    answer: started,
    stales: ['texts', 'runs'],
    wide: true,
  },
  export: {
    summary:
      'All texts of a product as a file, also as of an instant (`at`), or what changed since one (`since`)',
    path: 'export',
    costs: 'file',
    input: textExport,
    example: { ...ofShop, format: 'json-nested', languages: [1, 2] },
    answer: z.unknown(),
    produces: ['application/octet-stream'],
    ...reads,
  },
});
