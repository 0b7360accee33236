/** A key of a product with what it says in each language. */
import type { EventData, EventsOf } from '@quarterdeck/events';
import type { textEvents } from '@quarterdeck/events/catalogue';
import { unitsAfter, type TextUnit, type TextUnits } from '@quarterdeck/projections';
import { command, deciderOf } from '../platform/decider';
import { DomainError, invalidField, NameNotClaimed, notFound } from '../platform/errors';
import { sameData } from '../platform/same-data';

export type TextEvent = EventsOf<typeof textEvents>;
export type Texts = EventData<'TextTranslated'>['texts'];

interface Comment {
  text: string;
  language?: string | undefined;
}

export interface KnownText {
  product: string;
  key: string;
  isCms: boolean;
  isIcu: boolean;
  units: TextUnits;
  /** By their ids. */
  comments: Readonly<Record<string, Comment>>;
}
export type TextState = { is: 'unknown' } | ({ is: 'there' | 'removed' } & KnownText);

type Nothing = Record<never, never>;

const MAX_COMMENTS = 200;

/** A rule about keys that are there. Others are not found. */
const ofText =
  <D>(rule: (data: D, text: KnownText) => readonly TextEvent[]) =>
  (data: D, state: TextState): readonly TextEvent[] => {
    if (state.is !== 'there') throw notFound('text');
    return rule(data, state);
  };

/** Without those that are so already. */
const setting = (texts: Texts, { units }: Pick<KnownText, 'units'>): TextEvent[] => {
  const changed = Object.entries(texts).filter(([code, one]) => {
    const now = units[code];
    const isSame = now?.text === one.text && now.of === one.of;
    return !isSame || (one.isReviewed !== undefined && !now.isReviewed);
  });
  return changed.length === 0
    ? []
    : [{ type: 'TextTranslated', data: { texts: Object.fromEntries(changed) } }];
};

const removing = (languages: readonly string[], { units }: Pick<KnownText, 'units'>): TextEvent[] => {
  const there = languages.filter((code) => units[code] !== undefined);
  return there.length === 0 ? [] : [{ type: 'TranslationsRemoved', data: { languages: there } }];
};

const marking = (isReviewed: boolean, languages: string[]): TextEvent => ({
  type: isReviewed ? 'TranslationsReviewed' : 'TranslationsUnreviewed',
  data: { languages },
});

export class AddText extends command('AddText', { opens: true, idempotent: true })(
  (data: EventData<'TextAdded'>, state: TextState): readonly TextEvent[] => {
    if (state.is === 'unknown') return [{ type: 'TextAdded', data }];
    const { product, key, isCms } = state;
    const isSame =
      state.is === 'there' && sameData([product, key, isCms], [data.product, data.key, data.isCms]);
    if (!isSame) throw new DomainError('conflict', 'this text exists already');
    return setting(data.texts, state);
  },
) {}

export class ReviseText extends command('ReviseText', { idempotent: true })(
  ofText((data: { key?: string | undefined; isIcu?: boolean | undefined; nameClaimed?: true }, text) => {
    const { key = text.key, isIcu = text.isIcu, nameClaimed } = data;
    if (key !== text.key && !nameClaimed) throw new NameNotClaimed('text', key);
    return [
      ...(key === text.key ? [] : [{ type: 'TextRenamed', data: { key } } as const]),
      ...(isIcu === text.isIcu ? [] : [{ type: 'TextFormatChanged', data: { isIcu } } as const]),
    ];
  }),
) {}

export class RemoveText extends command('RemoveText')(
  ofText((_: Nothing, { key }): readonly TextEvent[] => [{ type: 'TextRemoved', data: { key } }]),
) {}

export class RestoreText extends command('RestoreText', { idempotent: true })(
  (_: Nothing, state: TextState): readonly TextEvent[] => {
    if (state.is === 'unknown') throw notFound('text');
    return state.is === 'there' ? [] : [{ type: 'TextRestored', data: { key: state.key } }];
  },
) {}

/** `isNew`: the languages must have no text yet, or else they must have one. Absent: either is fine. */
export class TranslateText extends command('TranslateText', { idempotent: true })(
  ofText(({ texts, isNew }: { texts: Texts; isNew?: boolean }, text) => {
    for (const [code, one] of Object.entries(texts)) {
      const now = text.units[code];
      if (isNew && now && now.text !== one.text)
        throw invalidField('language', 'there is a text in this language already: change that one');
      if (isNew === false && !now) throw notFound('text');
    }
    return setting(texts, text);
  }),
) {}

export class RemoveTranslations extends command('RemoveTranslations')(
  ofText(({ languages }: { languages: readonly string[] }, text) => {
    const events = removing(languages, text);
    if (events.length === 0) throw notFound('text');
    return events;
  }),
) {}

export class ReviewTranslation extends command('ReviewTranslation', { idempotent: true })(
  ofText(({ language, isReviewed }: { language: string; isReviewed: boolean }, { units }) => {
    const unit = units[language];
    if (!unit) throw notFound('text');
    const isSo = (unit.isReviewed ?? false) === isReviewed && (!isReviewed || unit.of === undefined);
    return isSo ? [] : [marking(isReviewed, [language])];
  }),
) {}

export class CommentOnText extends command('CommentOnText', { idempotent: true })(
  ofText((data: EventData<'TextCommented'>, { comments }): readonly TextEvent[] => {
    if (comments[data.comment]) return [];
    if (Object.keys(comments).length >= MAX_COMMENTS)
      throw new DomainError('conflict', `a key has at most ${MAX_COMMENTS} comments: remove one first`);
    return [{ type: 'TextCommented', data }];
  }),
) {}

export class RemoveTextComment extends command('RemoveTextComment')(
  ofText((data: { comment: string }, { comments }): readonly TextEvent[] => {
    if (!comments[data.comment]) throw notFound('comment');
    return [{ type: 'TextCommentRemoved', data }];
  }),
) {}

/** What an import changes in a language. `from`: the text that was reviewed; absent if there was none. */
export interface ImportedText {
  id: string;
  from?: string | undefined;
  to?: string | undefined;
}

/** Leaves languages as they are whose text has changed since it was reviewed. */
export class ImportText extends command('ImportText', { opens: true, idempotent: true })(
  (
    data: { product: string; key: string; isCms: boolean; edits: Readonly<Record<string, ImportedText>> },
    state: TextState,
  ): readonly TextEvent[] => {
    const { product, key, isCms } = data;
    if (state.is === 'removed') throw new DomainError('conflict', 'it was removed in the meantime');
    if (state.is === 'there' && state.key !== key)
      throw new DomainError('conflict', `it was renamed to ${state.key} in the meantime`);
    const units = state.is === 'there' ? state.units : {};
    const edits = Object.entries(data.edits).filter(([code, { from }]) => units[code]?.text === from);
    const texts = Object.fromEntries(
      edits.flatMap(([code, { id, to }]) => (to === undefined ? [] : [[code, { id, text: to }]])),
    );
    if (state.is === 'unknown') return [{ type: 'TextAdded', data: { product, key, isCms, texts } }];
    const gone = edits.flatMap(([code, { to }]) => (to === undefined ? [code] : []));
    return [...setting(texts, state), ...removing(gone, state)];
  },
) {}

/** What an undo sets back. Absent languages stay; undefined ones are removed. */
export interface SetBack {
  key: string;
  isIcu: boolean;
  units: Readonly<Record<string, TextUnit | undefined>>;
  comments: Readonly<Record<string, Comment | undefined>>;
}

/** `nameClaimed`: as in `ReviseText`. */
export class SetTextBack extends command('SetTextBack', { idempotent: true })(
  ofText((data: SetBack & { nameClaimed?: true }, text): readonly TextEvent[] => {
    const { key, isIcu, units, comments, nameClaimed } = data;
    if (key !== text.key && !nameClaimed) throw new NameNotClaimed('text', key);
    const sets = Object.entries(units).flatMap(([code, unit]) => (unit ? [[code, unit] as const] : []));
    const gone = Object.keys(units).filter((code) => units[code] === undefined);
    // Only the mark differs, so the text is not recorded again.
    const isMark = ([code, unit]: readonly [string, TextUnit]): boolean =>
      text.units[code]?.text === unit.text && unit.of === undefined && unit.isReviewed === undefined;
    const unmarked = sets.filter(isMark).map(([code]) => code);
    return [
      ...(key === text.key ? [] : [{ type: 'TextRenamed', data: { key } } as const]),
      ...(isIcu === text.isIcu ? [] : [{ type: 'TextFormatChanged', data: { isIcu } } as const]),
      ...setting(Object.fromEntries(sets.filter((one) => !isMark(one))), text),
      ...(unmarked.length === 0 ? [] : [marking(false, unmarked)]),
      ...removing(gone, text),
      ...Object.entries(comments).flatMap(([comment, one]): TextEvent[] => {
        if (one) return text.comments[comment] ? [] : [{ type: 'TextCommented', data: { comment, ...one } }];
        return text.comments[comment] ? [{ type: 'TextCommentRemoved', data: { comment } }] : [];
      }),
    ];
  }),
) {}

const ifKnown =
  <D>(change: (text: KnownText, data: D) => Partial<KnownText> & { is?: 'there' | 'removed' }) =>
  (state: TextState, data: D): TextState =>
    state.is === 'unknown' ? state : { ...state, ...change(state, data) };

const folded = <T extends TextEvent['type']>(type: T) =>
  ifKnown(({ units }, data: EventData<T>) => ({
    units: unitsAfter(units, { type, data } as TextEvent),
  }));

/** The languages that an event changes, or a command asks to change. */
const languagesOf = (data: unknown = {}): readonly string[] => {
  const { language, languages, texts } = data as {
    language?: string;
    languages?: readonly string[];
    texts?: object;
  };
  return languages ?? (language === undefined ? Object.keys(texts ?? {}) : [language]);
};

export const textDecider = deciderOf<TextState, TextEvent>()({
  category: 'text',
  commands: [
    AddText,
    ReviseText,
    RemoveText,
    RestoreText,
    TranslateText,
    RemoveTranslations,
    ReviewTranslation,
    CommentOnText,
    RemoveTextComment,
    ImportText,
    SetTextBack,
  ],
  initial: { is: 'unknown' },
  evolve: {
    TextAdded: (_, data) => ({
      is: 'there',
      product: data.product,
      key: data.key,
      isCms: data.isCms,
      isIcu: true,
      units: unitsAfter({}, { type: 'TextAdded', data }),
      comments: {},
    }),
    TextRenamed: ifKnown((_, { key }: EventData<'TextRenamed'>) => ({ key })),
    TextRemoved: ifKnown(() => ({ is: 'removed' })),
    TextRestored: ifKnown(() => ({ is: 'there' })),
    TextFormatChanged: ifKnown((_, { isIcu }: EventData<'TextFormatChanged'>) => ({ isIcu })),
    TextTranslated: folded('TextTranslated'),
    TranslationsRemoved: folded('TranslationsRemoved'),
    TranslationsReviewed: folded('TranslationsReviewed'),
    TranslationsUnreviewed: folded('TranslationsUnreviewed'),
    TextCommented: ifKnown(({ comments }, { comment, ...one }: EventData<'TextCommented'>) => ({
      comments: { ...comments, [comment]: one },
    })),
    TextCommentRemoved: ifKnown(({ comments }, { comment }: EventData<'TextCommentRemoved'>) => {
      const { [comment]: _gone, ...left } = comments;
      return { comments: left };
    }),
  },
  // An editor of one language is not disturbed by changes of others.
  clashes: (type, { type: asked, data: of }, data) => {
    if (asked === 'ReviseText') return type === 'TextRenamed' || type === 'TextFormatChanged';
    const languages = languagesOf(of);
    return type !== 'TextCommented' && languagesOf(data).some((code) => languages.includes(code));
  },
});
export type TextCommand = Parameters<typeof textDecider.decide>[0];
