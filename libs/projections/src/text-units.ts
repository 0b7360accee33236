/** What a key says in each language, folded from its events: for the read model and the decider. Pure. */
import type { AppEvent } from '@quarterdeck/events';

export interface TextUnit {
  id: string;
  text: string;
  isReviewed?: true | undefined;
  /** The English text that it was made for, if there is another one by now. */
  of?: string | undefined;
}
/** By the language's code. */
export type TextUnits = Readonly<Record<string, TextUnit>>;

const unit = ({ id, text, isReviewed, of }: TextUnit): TextUnit => ({
  id,
  text,
  ...(isReviewed && { isReviewed }),
  ...(of !== undefined && { of }),
});

/** A translation remembers its English text once that changes, and forgets it when that comes back. */
const compared = (before: TextUnits, after: TextUnits, set: ReadonlySet<string>): TextUnits => {
  const was = before['en']?.text;
  const now = after['en']?.text;
  return Object.fromEntries(
    Object.entries(after).map(([code, one]) => {
      const of = one.of ?? (set.has(code) || was === now ? undefined : was);
      return [code, unit({ ...one, of: code === 'en' || of === now ? undefined : of })];
    }),
  );
};

export const unitsAfter = (before: TextUnits, { type, data }: Pick<AppEvent, 'type' | 'data'>): TextUnits => {
  const event = { type, data } as AppEvent;
  switch (event.type) {
    case 'TextAdded':
    case 'TextTranslated': {
      const { texts } = event.data;
      return compared(before, { ...before, ...texts }, new Set(Object.keys(texts)));
    }
    case 'TranslationsRemoved': {
      const gone = new Set(event.data.languages);
      const left = Object.fromEntries(Object.entries(before).filter(([code]) => !gone.has(code)));
      return compared(before, left, new Set());
    }
    case 'TranslationsReviewed':
    case 'TranslationsUnreviewed': {
      const isReviewed = event.type === 'TranslationsReviewed' ? true : undefined;
      const marked = event.data.languages.flatMap((code) => {
        const one = before[code];
        // Whoever reviews a text says that it fits the present English one.
        const reviewed = { ...one, isReviewed, ...(isReviewed && { of: undefined }) };
        return one ? [[code, unit(reviewed as TextUnit)] as const] : [];
      });
      return { ...before, ...Object.fromEntries(marked) };
    }
    default:
      return before;
  }
};
