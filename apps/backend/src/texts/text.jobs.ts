/** Work with files of texts. 280,000 texts take seconds, so larger ones are handled in a thread. */
import { createHash } from 'node:crypto';
import type { Answer, texts as calls } from '@quarterdeck/contract';
import {
  asOneFile,
  compareTexts,
  idOfLanguage,
  kindOf,
  readTexts,
  TextFileError,
  writeTexts,
  type Format,
  type Language,
  type TextEdit,
  type TextEntry,
  type TextFile,
} from '@quarterdeck/texts';
import { bytesOfBase64 } from '../platform/base64';
import type { Job } from '../platform/threads';

export type Preview = Answer<typeof calls.preview>;

/** By key and language, what an import changes. `from`: the text that was reviewed. */
export type EditsByKey = Record<string, Record<string, { from?: string; to?: string }>>;

interface Compared {
  preview: Preview;
  /** Each is the JSON of `EditsByKey`. */
  parts: string[];
}

/** Each is the JSON of `TextEntry[]`. */
type EntryParts = readonly string[];

const entriesIn = (parts: EntryParts): TextEntry[] =>
  parts.flatMap((part) => JSON.parse(part) as TextEntry[]);

interface FileAsked {
  name: string;
  /** In base64. */
  content: string;
  language: Language | undefined;
  take: readonly ('changed' | 'removed' | 'conflicts')[];
  entries: EntryParts;
}

const MAX_LISTED = 200;
const MAX_SHOWN = 200;
/** An import carries out one part at once, and reads no more than that into memory. */
const MAX_PART = { keys: 100, characters: 500_000 };

const shortened = (text: string | undefined): string | undefined =>
  text !== undefined && text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;

const shown = ({ key, language, from, to }: TextEdit) => ({
  key,
  language: { id: idOfLanguage(language) },
  ...(from !== undefined && { from: shortened(from) as string }),
  ...(to !== undefined && { to: shortened(to) as string }),
});

const compared = (bytes: Buffer, { name, language, take, entries }: FileAsked): Compared => {
  const found = readTexts({ name, bytes }, language);
  // An empty text is none: translators' files have them for what is not translated yet.
  const filled = { ...found, texts: found.texts.filter(({ text }) => text !== '') };
  const all = compareTexts(entriesIn(entries), filled);
  const { newKeys, added, changed, removed, conflicts, leftOut, unchanged } = all;
  const taken: readonly TextEdit[] = [
    ...added,
    ...(take.includes('changed') ? changed : []),
    ...(take.includes('removed') ? removed : []),
    ...(take.includes('conflicts') ? conflicts : []),
  ];
  const edits = new Map<string, EditsByKey[string]>();
  for (const { key, language: code, from, to } of taken) {
    const ofKey = edits.get(key) ?? {};
    edits.set(key, ofKey);
    ofKey[code] = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  }
  const counts = {
    newKeys: newKeys.length,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
    conflicts: conflicts.length,
    unchanged,
    leftOut: leftOut.length,
    keys: edits.size,
  };
  const parts = inParts(edits);
  const listed = <T>(list: readonly T[]): T[] => list.slice(0, MAX_LISTED);
  const preview = {
    format: kindOf({ name, bytes }),
    counts,
    newKeys: listed(newKeys),
    added: listed(added).map(shown),
    changed: listed(changed).map(shown),
    removed: listed(removed).map(shown),
    conflicts: listed(conflicts).map((one) => ({ ...shown(one), line: one.line, why: one.why })),
    leftOut: listed(leftOut).map(({ line, why, key }) => ({ line, why, ...(key !== undefined && { key }) })),
    seen: createHash('sha256').update(parts.join('\n')).digest('hex'),
  };
  return { preview, parts };
};

/** Built as text: an object would order keys such as `7` anew, and could not have a key `__proto__`. */
const inParts = (edits: ReadonlyMap<string, EditsByKey[string]>): string[] => {
  const parts: string[][] = [];
  let characters = 0;
  for (const [key, ofKey] of edits) {
    const entry = `${JSON.stringify(key)}:${JSON.stringify(ofKey)}`;
    const last = parts.at(-1);
    characters += entry.length;
    if (last && last.length < MAX_PART.keys && characters <= MAX_PART.characters) last.push(entry);
    else {
      parts.push([entry]);
      characters = entry.length;
    }
  }
  return parts.map((entries) => `{${entries.join(',')}}`);
};

/** The message says why the file cannot be read, and where. */
export const compareFile: Job<FileAsked, Compared | { problem: string }> = {
  name: 'compareTextFile',
  work: (asked) => {
    const bytes = bytesOfBase64(asked.content);
    if (!bytes) return { problem: 'the bytes of the file in base64 are expected' };
    try {
      return compared(bytes, asked);
    } catch (error) {
      if (error instanceof TextFileError) return { problem: error.message };
      throw error;
    }
  },
};

interface ExportAsked {
  entries: EntryParts;
  /** As of an earlier instant: then only what differs from these is exported. */
  since: EntryParts | undefined;
  format: Format;
  languages: readonly Language[];
  product: string;
  fileName: string;
}

const changedSince = (entries: readonly TextEntry[], since: readonly TextEntry[]): TextEntry[] => {
  const before = new Map(since.map(({ key, texts }) => [key, texts]));
  return entries.flatMap(({ key, texts }) => {
    const was = before.get(key) ?? {};
    const changed = Object.entries(texts).filter(([code, text]) => was[code as Language] !== text);
    return changed.length === 0 ? [] : [{ key, texts: Object.fromEntries(changed) }];
  });
};

export const exportFile: Job<ExportAsked, TextFile> = {
  name: 'exportTextFile',
  work: ({ entries, since, format, languages, product, fileName }) => {
    const all = entriesIn(entries);
    const chosen = since === undefined ? all : changedSince(all, entriesIn(since));
    return asOneFile(writeTexts(chosen, { format, languages, product }), fileName);
  },
};
