/** What an import would change, before anything is recorded. */
import { type FoundText, type FoundTexts, type LeftOut, type TextEntry } from './file';
import type { Language } from './languages';
import { problemOf, problemOfKey } from './limits';

export interface TextEdit {
  readonly key: string;
  readonly language: Language;
  /** Undefined if the language had no text. */
  readonly from?: string;
  /** Undefined if its text goes. */
  readonly to?: string;
  readonly needsReview?: true;
}

export interface TextConflict extends TextEdit {
  readonly line: number;
  readonly why: string;
}

export interface TextComparison {
  /** Keys that do not exist yet. */
  readonly newKeys: readonly string[];
  readonly added: readonly TextEdit[];
  readonly changed: readonly TextEdit[];
  /** Texts that the file lacks, of the languages that it has. */
  readonly removed: readonly TextEdit[];
  /** A person has to say whether they are taken. */
  readonly conflicts: readonly TextConflict[];
  readonly unchanged: number;
  readonly leftOut: readonly LeftOut[];
}

export const compareTexts = (
  entries: readonly TextEntry[],
  { texts, leftOut }: FoundTexts,
): TextComparison => {
  const current = new Map(entries.map((entry) => [entry.key, entry]));
  const refused: LeftOut[] = [];
  const seen = new Map<string, FoundText>();
  const newKeys = new Set<string>();
  const added: TextEdit[] = [];
  const changed: TextEdit[] = [];
  const conflicts: TextConflict[] = [];
  let unchanged = 0;
  const keyOf = keysBySource(entries);

  for (const found of texts) {
    const key = keyOf(found);
    const { language, text: to, line } = found;
    const why = problemOfKey(key) ?? problemOf(to);
    if (why) {
      refused.push({ line, key, why });
      continue;
    }
    const entry = current.get(key);
    const from = entry?.texts[language];
    const edit: TextEdit = { key, language, from, to, ...(found.needsReview && { needsReview: true }) };
    const name = JSON.stringify([key, language]);
    const first = seen.get(name);
    if (first) {
      if (first.text !== to)
        conflicts.push({ ...edit, line, why: `Line ${first.line} has another text for it.` });
      continue;
    }
    seen.set(name, found);
    const english = entry?.texts.en;
    if (from === to) unchanged++;
    else if (
      found.source !== undefined &&
      english !== undefined &&
      language !== 'en' &&
      found.source !== english
    ) {
      conflicts.push({ ...edit, line, why: 'The English text has changed since this file was made.' });
    } else {
      if (!entry) newKeys.add(key);
      (from === undefined ? added : changed).push(edit);
    }
  }

  const languages = [...new Set(texts.map(({ language }) => language))];
  const removed = entries.flatMap(({ key, texts: there }) =>
    languages.flatMap((language): TextEdit[] =>
      there[language] === undefined || seen.has(JSON.stringify([key, language]))
        ? []
        : [{ key, language, from: there[language] }],
    ),
  );
  return {
    newKeys: [...newKeys],
    added,
    changed,
    removed,
    conflicts,
    unchanged,
    leftOut: [...leftOut, ...refused],
  };
};

/** A file without keys means the text that has its English, if there is exactly one. */
const keysBySource = (entries: readonly TextEntry[]): ((found: FoundText) => string) => {
  const keys = new Map<string, string | undefined>();
  for (const { key, texts } of entries) {
    if (texts.en !== undefined) keys.set(texts.en, keys.has(texts.en) ? undefined : key);
  }
  const isKey = new Set(entries.map(({ key }) => key));
  return ({ key, isKeySource, source }) =>
    isKeySource && !isKey.has(key) ? ((source !== undefined ? keys.get(source) : undefined) ?? key) : key;
};
