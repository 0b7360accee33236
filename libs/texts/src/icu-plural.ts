import type { Language } from './languages';

/** The plural categories of CLDR in the order in which gettext numbers the forms of a language. */
const categories: Record<Language, readonly string[]> = {
  en: ['one', 'other'],
  fr: ['one', 'other'],
  de: ['one', 'other'],
  it: ['one', 'other'],
  es: ['one', 'other'],
  pt: ['one', 'other'],
  hi: ['one', 'other'],
  ru: ['one', 'few', 'many'],
  ar: ['zero', 'one', 'two', 'few', 'many', 'other'],
  ja: ['other'],
  zh: ['other'],
  ko: ['other'],
  th: ['other'],
  id: ['other'],
};

/** Plural forms of gettext as one ICU message; undefined if their number is not that of the language. */
export const pluralOf = (forms: readonly string[], language: Language): string | undefined => {
  const names = categories[language];
  if (forms.length !== names.length) return undefined;
  const last = forms.at(-1) ?? '';
  const all = names.map((name, index) => [name, forms[index] ?? ''] as const);
  // ICU demands `other`. Where gettext has no such form, fractions take the last one.
  const complete = names.includes('other') ? all : [...all, ['other', last] as const];
  return `{count, plural, ${complete.map(([name, form]) => `${name} {${literal(form)}}`).join(' ')}}`;
};

/** Signs that mean something in ICU are quoted with apostrophes. */
const literal = (text: string): string =>
  text.replaceAll("'", "''").replaceAll(/[{}#<]/g, (one) => `'${one}'`);
