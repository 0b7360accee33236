import type { Language } from './languages';

/** Large numbers, such as millions, take a form of their own in newer files of these languages. */
const romance = [
  ['one', 'other'],
  ['one', 'many', 'other'],
];
const two = [['one', 'other']];
const one = [['other']];

/** The plural categories of CLDR in the order in which gettext numbers the forms of a language: as many as a file has. */
const categories: Record<Language, readonly (readonly string[])[]> = {
  en: two,
  fr: romance,
  de: two,
  it: romance,
  es: romance,
  pt: romance,
  hi: two,
  ru: [
    ['one', 'few', 'many'],
    ['one', 'few', 'many', 'other'],
  ],
  ar: [['zero', 'one', 'two', 'few', 'many', 'other']],
  ja: one,
  zh: one,
  ko: one,
  th: one,
  id: one,
};

/** Plural forms of gettext as one ICU message; undefined if the language never has that many. */
export const pluralOf = (forms: readonly string[], language: Language): string | undefined => {
  const names = categories[language].find(({ length }) => length === forms.length);
  if (!names) return undefined;
  const last = forms.at(-1) ?? '';
  const all = names.map((name, index) => [name, forms[index] ?? ''] as const);
  // ICU demands `other`. Where gettext has no such form, fractions take the last one.
  const complete = names.includes('other') ? all : [...all, ['other', last] as const];
  return `{count, plural, ${complete.map(([name, form]) => `${name} {${literal(form)}}`).join(' ')}}`;
};

/** Signs that mean something in ICU are quoted with apostrophes. */
const literal = (text: string): string =>
  text.replaceAll("'", "''").replaceAll(/[{}#<]/g, (one) => `'${one}'`);
