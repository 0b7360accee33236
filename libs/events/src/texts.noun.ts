import { languages as all } from '@quarterdeck/texts/languages';
import { defineNoun } from './define-noun';
import type { textEvents } from './texts.events';

const nameOf = (code: string): string => all.find((one) => one.code === code)?.name ?? code;

const MAX_NAMED = 3;

/** `French and German`, `French, German and 3 more` */
const named = (codes: readonly string[]): string => {
  const names = codes.slice(0, MAX_NAMED).map(nameOf);
  const more = codes.length - names.length;
  const last = more > 0 ? `${more} more` : names.pop();
  return names.length === 0 ? String(last) : `${names.join(', ')} and ${last}`;
};

export const text = defineNoun<typeof textEvents>()({
  category: 'text',
  words: { many: 'Texts', one: 'One text' },
  rows: 'texts',
  within: 'product',
  audience: 'member',
  named: 'key',
  events: {
    TextAdded: (d) => {
      const codes = Object.keys(d.texts);
      const what = d.isCms ? 'as a CMS text' : 'as a text';
      return codes.length === 0 ? `added ${what}` : `added ${what} in ${named(codes)}`;
    },
    TextRenamed: (d) => `renamed to ${d.key}`,
    TextRemoved: () => 'removed',
    TextRestored: () => 'restored',
    TextFormatChanged: (d) => (d.isIcu ? 'marked as an ICU message' : 'marked as no ICU message'),
    TextTranslated: (d) => `changed in ${named(Object.keys(d.texts))}`,
    TranslationsRemoved: (d) => `removed in ${named(d.languages)}`,
    TranslationsReviewed: (d) => `reviewed in ${named(d.languages)}`,
    TranslationsUnreviewed: (d) => `marked for review in ${named(d.languages)}`,
    TextCommented: (d) => (d.language === undefined ? 'commented' : `commented on ${nameOf(d.language)}`),
    TextCommentRemoved: () => 'comment removed',
  },
  removedBy: 'TextRemoved',
  restoredBy: 'TextRestored',
  undo: [
    'TextAdded',
    'TextRenamed',
    'TextRemoved',
    'TextFormatChanged',
    'TextTranslated',
    'TranslationsRemoved',
    'TranslationsReviewed',
    'TranslationsUnreviewed',
    'TextCommented',
    'TextCommentRemoved',
  ],
});
