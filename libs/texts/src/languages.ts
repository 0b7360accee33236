/** The languages of texts, as the specification orders them: an id is the place in this list, from 1. */
export const languages = [
  { code: 'en', name: 'English' },
  { code: 'fr', name: 'French' },
  { code: 'de', name: 'German' },
  { code: 'it', name: 'Italian' },
  { code: 'es', name: 'Spanish' },
  { code: 'ru', name: 'Russian' },
  { code: 'pt', name: 'Portuguese' },
  { code: 'ja', name: 'Japanese' },
  { code: 'zh', name: 'Chinese' },
  { code: 'ko', name: 'Korean' },
  { code: 'ar', name: 'Arabic', isRightToLeft: true },
  { code: 'hi', name: 'Hindi' },
  { code: 'th', name: 'Thai' },
  { code: 'id', name: 'Indonesian' },
] as const satisfies readonly { code: string; name: string; isRightToLeft?: true }[];

export type Language = (typeof languages)[number]['code'];

export const languageCodes: readonly Language[] = languages.map(({ code }) => code);

/** 0 for a language that is none of the list. */
export const idOfLanguage = (code: string): number => (languageCodes as readonly string[]).indexOf(code) + 1;

const byTag = new Map<string, Language>(
  languages.flatMap(({ code, name }) => [
    [code, code],
    [name.toLowerCase(), code],
  ]),
);
// The code of Indonesian until 1989. Java and Android still write it.
byTag.set('in', 'id');

/** Reads `fr`, `fr-CA`, `pt_BR`, `zh-Hans-CN` or `French`; undefined for a language that is none of the list. */
export const languageOf = (tag: string): Language | undefined => {
  const lower = tag.trim().toLowerCase();
  return byTag.get(lower) ?? (/^[a-z]{2}[-_][\w-]+$/.test(lower) ? byTag.get(lower.slice(0, 2)) : undefined);
};
