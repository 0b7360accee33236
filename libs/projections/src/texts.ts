/** The texts of products: a row for each key, with what it says in all languages. */
import { type LoggedEvent } from '@quarterdeck/events';
import { textStates, type TextState } from '@quarterdeck/events/inputs';
import { idOfLanguage, languageCodes } from '@quarterdeck/texts/languages';
import { z } from 'zod';
import { defineProjection, rowPerStream } from './define-projection';
import { unitsAfter, type TextUnit, type TextUnits } from './text-units';

const comment = z.strictObject({
  id: z.string(),
  text: z.string(),
  /** Absent: it is about the key. */
  language: z.strictObject({ id: z.int() }).optional(),
  at: z.string(),
  by: z.string(),
});

interface Changed {
  changedAt: string;
  changedBy: string;
  revision: number;
}

/** What is known about a text beside itself. */
type StoredUnit = Omit<TextUnit, 'text'> & Changed;

export interface StoredText extends Changed {
  id: string;
  workspace: string;
  product: string;
  isCms: boolean;
  key: string;
  isIcu: boolean;
  /** The first 50 characters of the English text; `''` without one. */
  english: string;
  /** A letter for each language in the order of their ids: see `textStates`. */
  states: string;
  /** By the language's code. Separate from `units`, so that a search reads only them. */
  texts: Readonly<Record<string, string>>;
  units: Readonly<Record<string, StoredUnit>>;
  unitIds: string[];
  comments: z.infer<typeof comment>[];
  /**
   * By day in UTC, how many keys and texts there were more or fewer than the day before, where that differs: `key`, or the
   * language's code.
   */
  days: Readonly<Record<string, Readonly<Record<string, number>>>>;
  addedAt: string;
  addedBy: string;
  /** If set, the key is hidden until it is restored. The row stays: the days before still count it. */
  removedAt?: string | undefined;
  position: string;
}

/** A key in a list, without its texts in other languages than English. */
export const textRow = z
  .strictObject({
    id: z.string(),
    uuid: z.string(),
    key: z.string(),
    english: z.string(),
    isCms: z.boolean(),
    /** `false`: its texts are no ICU messages, so their arguments are not compared with those of the English text. */
    isIcu: z.boolean(),
    /** A letter for each language in the order of their ids: missing, translated, reviewed, outdated. */
    states: z.string(),
    changedAt: z.string(),
    changedBy: z.string(),
    revision: z.int(),
  })
  .meta({ id: 'TextRow' });
export interface TextRow extends z.infer<typeof textRow> {}

export const textUnitView = z
  .strictObject({
    id: z.string(),
    /** The text. */
    name: z.string(),
    language: z.strictObject({ id: z.int(), name: z.string() }),
    state: z.enum(Object.keys(textStates) as [TextState, ...TextState[]]),
    isReviewed: z.boolean(),
    /** The English text that it was made for, if that has changed since. */
    of: z.string().optional(),
    changedAt: z.string(),
    changedBy: z.string(),
    /** Send it back as `seen`. */
    revision: z.int(),
  })
  .meta({ id: 'TextUnit' });
export interface TextUnitView extends z.infer<typeof textUnitView> {}

export const textView = textRow
  .extend({
    product: z.strictObject({ id: z.string() }),
    /** Only languages that have a text, in the order of their ids. */
    units: z.array(textUnitView),
    comments: z.array(comment),
    addedAt: z.string(),
    addedBy: z.string(),
  })
  .meta({ id: 'Text' });
export interface TextView extends z.infer<typeof textView> {}

/** So many characters of the English text are in the list. */
export const ENGLISH_SHOWN = 50;

export const stateOf = (
  unit: Pick<TextUnit, 'of' | 'isReviewed'> | undefined,
  english?: string,
): TextState => {
  if (!unit) return 'missing';
  if (unit.of !== undefined && english !== undefined) return 'outdated';
  return unit.isReviewed ? 'reviewed' : 'translated';
};

type Derived = Pick<StoredText, 'english' | 'states' | 'unitIds'>;

const derived = (texts: StoredText['texts'], units: StoredText['units']): Derived => ({
  english: Array.from((texts['en'] ?? '').slice(0, 2 * ENGLISH_SHOWN))
    .slice(0, ENGLISH_SHOWN)
    .join(''),
  states: languageCodes.map((code) => textStates[stateOf(units[code], texts['en'])]).join(''),
  unitIds: languageCodes.flatMap((code) => units[code]?.id ?? []),
});

/** The fold's form of the units. */
const unitsOf = ({ texts, units }: Pick<StoredText, 'texts' | 'units'>): TextUnits =>
  Object.fromEntries(
    Object.entries(units).map(([code, unit]) => [code, { ...unit, text: texts[code] ?? '' }]),
  );

type Days = StoredText['days'];

/** @param more `1` where there is something that was not, `-1` where it is the other way round */
const counted = (days: Days, at: string, more: Readonly<Record<string, number>>): Days => {
  const day = at.slice(0, 10);
  const { [day]: before = {}, ...others } = days;
  const sum = Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(more)])]
      .map((what) => [what, (before[what] ?? 0) + (more[what] ?? 0)] as const)
      .filter(([, count]) => count !== 0),
  );
  return Object.keys(sum).length === 0 ? others : { ...others, [day]: sum };
};

/** One for the key and for each of its texts. */
const all = (texts: object, count: 1 | -1): Record<string, number> =>
  Object.fromEntries(['key', ...Object.keys(texts)].map((what) => [what, count]));

const changedUnits = (view: StoredText, event: LoggedEvent, changed: Changed): StoredText => {
  const before = unitsOf(view);
  const after = unitsAfter(before, event);
  const texts = Object.fromEntries(Object.entries(after).map(([code, { text }]) => [code, text]));
  const units = Object.fromEntries(
    Object.entries(after).map(([code, { text, ...unit }]): [string, StoredUnit] => {
      const was = view.units[code];
      // That the English text has changed is no change of the others.
      const isTouched = !was || view.texts[code] !== text || was.isReviewed !== unit.isReviewed;
      const { changedAt, changedBy, revision } = isTouched ? changed : (was ?? changed);
      return [code, { ...unit, changedAt, changedBy, revision }];
    }),
  );
  const more = Object.fromEntries(
    languageCodes.flatMap((code) => {
      const difference = Number(code in after) - Number(code in before);
      return difference === 0 ? [] : [[code, difference]];
    }),
  );
  const days = view.removedAt === undefined ? counted(view.days, changed.changedAt, more) : view.days;
  return { ...view, texts, units, ...derived(texts, units), days };
};

export const texts = defineProjection<StoredText>({
  name: 'texts',
  version: 1,
  // With all that lists answer: the views are large.
  columns: {
    product: 'text',
    isCms: 'boolean',
    key: 'text',
    english: 'text',
    states: 'text',
    unitIds: 'text[]',
    days: 'jsonb',
    isIcu: 'boolean',
    changedAt: 'timestamptz',
    changedBy: 'text',
    revision: 'integer',
    removedAt: 'timestamptz',
  },
  indexes: [
    '(product, "isCms", lower(key), id)',
    '(product, "isCms", position)',
    // Counts all texts of a product, which every page of the list says, without reading them.
    '(workspace, product, "isCms") where "removedAt" is null',
    'using gin ("unitIds")',
    `using gin (lower(key || ' ' || (view #>> '{texts}')) gin_trgm_ops)`,
  ],
  ...rowPerStream('text'),
  evolve: (view, event, id) => {
    const { meta, revision, position } = event;
    const changed = { changedAt: meta.at, changedBy: meta.actor, revision };
    if (event.type === 'TextAdded') {
      const { product, key, isCms } = event.data;
      const none = { texts: {}, units: {}, comments: [], isIcu: true, days: {}, ...derived({}, {}) };
      const added = { addedAt: meta.at, addedBy: meta.actor };
      const empty = {
        id,
        workspace: meta.workspace,
        product,
        key,
        isCms,
        ...none,
        ...added,
        ...changed,
        position,
      };
      const with_ = changedUnits(empty, event, changed);
      return { ...with_, days: counted(with_.days, meta.at, { key: 1 }) };
    }
    if (!view) return undefined;
    const next = { ...view, ...changed, position };
    switch (event.type) {
      case 'TextRenamed':
        return { ...next, key: event.data.key };
      case 'TextRemoved':
        return { ...next, removedAt: meta.at, days: counted(view.days, meta.at, all(view.texts, -1)) };
      case 'TextRestored':
        return { ...next, removedAt: undefined, days: counted(view.days, meta.at, all(view.texts, 1)) };
      case 'TextFormatChanged':
        return { ...next, isIcu: event.data.isIcu };
      case 'TextTranslated':
      case 'TranslationsRemoved':
      case 'TranslationsReviewed':
      case 'TranslationsUnreviewed':
        return changedUnits(next, event, changed);
      case 'TextCommented': {
        const { comment: own, text, language } = event.data;
        const about = language === undefined ? {} : { language: { id: idOfLanguage(language) } };
        const added = { id: own, text, ...about, at: meta.at, by: meta.actor };
        return { ...next, comments: [...view.comments, added] };
      }
      case 'TextCommentRemoved':
        return { ...next, comments: view.comments.filter((one) => one.id !== event.data.comment) };
      default:
        return view;
    }
  },
});
