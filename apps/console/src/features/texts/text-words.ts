/** Words, states and addresses of texts. Pure. */
import { textStates, type TextState } from '@quarterdeck/events';
import { languages, type Language } from '@quarterdeck/texts/languages';
import type { Tone } from '../../ui/tone';

export type LanguageOf = (typeof languages)[number];

/** Hears of what was typed and is not saved, and of `undefined` once there is nothing. */
export type OnDraft = (draft: string | undefined) => void;

/** The list of a product's texts, or of its contents. */
export interface TextsOf {
  /** Address of the list. */
  base: string;
  /** Address of the product's contents, or of its texts. */
  otherBase: string;
  product: { id: string; name: string };
  isCms: boolean;
}

export const wordsOf = (isCms: boolean) =>
  isCms
    ? { title: 'CMS', one: 'content', many: 'contents', add: 'Add content' }
    : { title: 'I18n', one: 'text', many: 'texts', add: 'Add text' };

export const idOf = (code: Language): number => languages.findIndex((one) => one.code === code) + 1;
export const languageAt = (id: number): LanguageOf | undefined => languages[id - 1];
/** Of an element that contains a text in it. */
export const written = (language: LanguageOf) => ({
  lang: language.code,
  dir: 'isRightToLeft' in language ? ('rtl' as const) : ('ltr' as const),
});

const stateOfLetter = new Map(
  Object.entries(textStates).map(([state, letter]) => [letter, state as TextState] as const),
);

/** The state in each language, in their order. */
export const statesIn = (letters: string): TextState[] =>
  languages.map((_, at) => stateOfLetter.get(letters[at] as 'm') ?? 'missing');

export const stateTones: Readonly<Record<TextState, Tone>> = {
  missing: 'quiet',
  translated: 'info',
  reviewed: 'good',
  outdated: 'warn',
};

/** `12 of 14 languages, 1 outdated` */
export const statesInWords = (states: readonly TextState[]): string => {
  const count = (state: TextState): number => states.filter((one) => one === state).length;
  const outdated = count('outdated');
  const there = `${states.length - count('missing')} of ${states.length} languages`;
  return outdated > 0 ? `${there}, ${outdated} outdated` : there;
};

/** What a list can be narrowed to, by its name in the address. `unreviewed`: also what is outdated. */
export const narrowings = {
  missing: { label: 'Missing', states: ['missing'] },
  outdated: { label: 'Outdated', states: ['outdated'] },
  unreviewed: { label: 'Not reviewed', states: ['translated', 'outdated'] },
  reviewed: { label: 'Reviewed', states: ['reviewed'] },
} as const satisfies Record<string, { label: string; states: readonly TextState[] }>;

type Narrowing = keyof typeof narrowings;

interface Narrowed {
  search: string;
  language?: LanguageOf;
  narrowing?: Narrowing;
}

const isNarrowing = (name: string | null): name is Narrowing =>
  name !== null && Object.hasOwn(narrowings, name);

export const narrowedIn = (params: URLSearchParams): Narrowed => {
  const language = languages.find(({ code }) => code === params.get('language'));
  const narrowing = params.get('is');
  return {
    search: params.get('q') ?? '',
    ...(language && { language }),
    ...(isNarrowing(narrowing) && { narrowing }),
  };
};

export const textPath = (base: string, id: string): string => `${base}/${id}/detail`;

/** The texts that are missing in a language. */
export const missingPath = (base: string, language: Language, at?: string): string =>
  `${base}?${new URLSearchParams({ language, is: 'missing', ...(at !== undefined && { at }) }).toString()}`;
