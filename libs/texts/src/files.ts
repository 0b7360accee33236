/** All formats behind one door: what a file contains, and the files that contain texts. */
import { strToU8, zipSync } from 'fflate';
import { readCsv, writeCsv } from './csv';
import { TextFileError, type FoundTexts, type TextEntry } from './file';
import type { FileKind, Format } from './formats';
import { readJson, writeJson } from './json';
import { languageOf, type Language } from './languages';
import { readPo, writePo } from './po';
import { readXliff, writeXliff } from './xliff';

export interface TextFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Reads a file of any format: the name's ending says which one, else its first characters do.
 *
 * @param language Of the texts in it. Default: the one that the file or its name says.
 * @throws TextFileError if it cannot be read.
 */
export const readTexts = ({ name, bytes }: TextFile, language = languageInName(name)): FoundTexts => {
  if (bytes.length === 0) throw new TextFileError('The file is empty.');
  const packed = packings.find(({ begins }) => begins.every((byte, at) => bytes[at] === byte));
  if (packed) throw new TextFileError(packed.problem);
  return readers[kindOf({ name, bytes })](bytes, language);
};

/** By their first bytes, whatever they are called. */
const packings = [
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    problem:
      'This is a workbook (.xlsx) or a ZIP archive. Save the workbook as CSV, or unpack the archive and import its files.',
  },
  {
    begins: [0xd0, 0xcf, 0x11, 0xe0],
    problem: 'This is a workbook (.xls). Save it as CSV.',
  },
];

/** What `readTexts` takes a file for. */
export const kindOf = ({ name, bytes }: TextFile): FileKind => kinds[endingOf(name)] ?? sniffed(bytes);

type Reader = (bytes: Uint8Array, language: Language | undefined) => FoundTexts;

const readers: Record<FileKind, Reader> = {
  JSON: readJson,
  CSV: readCsv,
  XLIFF: readXliff,
  'gettext PO': readPo,
};

/** By the ending of the name. */
const kinds: Partial<Record<string, FileKind>> = {
  json: 'JSON',
  csv: 'CSV',
  tsv: 'CSV',
  xlf: 'XLIFF',
  xliff: 'XLIFF',
  po: 'gettext PO',
  pot: 'gettext PO',
};

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** `fr.json`, `messages.fr.json`, `messages_pt-BR.po`, `locales/fr/common.json`. The last one counts. */
const languageInName = (name: string): Language | undefined =>
  name
    .replace(/\.\w+$/, '')
    .split(/[./\\]|_(?=[a-z]{2}(?:[-_]|$))/)
    .map((part) => (/^[a-z]{2}(?:[-_]\w+)*$/i.test(part) ? languageOf(part) : undefined))
    .findLast((found) => found !== undefined);

const sniffed = (bytes: Uint8Array): FileKind => {
  // Only ASCII is looked for, so marks and zero bytes of other encodings can go.
  const text = new TextDecoder('latin1')
    .decode(bytes.subarray(0, 4000))
    .replaceAll(/[^\n\x20-\x7e]/g, '')
    .trimStart();
  if (/^[{[]/.test(text)) return 'JSON';
  if (text.startsWith('<')) return 'XLIFF';
  return /^msgid /m.test(text) ? 'gettext PO' : 'CSV';
};

interface Export {
  readonly format: Format;
  readonly languages: readonly Language[];
  /** Its name is in the files. */
  readonly product: string;
}

/**
 * One file for each language that has a text, or in CSV one for all languages. Equal texts give equal bytes.
 */
export const writeTexts = (
  entries: readonly TextEntry[],
  { format, languages, product }: Export,
): TextFile[] => {
  const used = languages.filter((one) => entries.some(({ texts }) => texts[one] !== undefined));
  const file = (name: string, text: string): TextFile => ({ name, bytes: strToU8(text) });
  const perLanguage = (ending: string, write: (language: Language) => string): TextFile[] =>
    used.map((one) => file(`${one}.${ending}`, write(one)));
  switch (format) {
    case 'json':
    case 'json-nested':
      return perLanguage('json', (one) => writeJson(entries, one, format === 'json-nested'));
    case 'csv':
    case 'csv-spreadsheet':
      return [file('texts.csv', writeCsv(entries, languages, format === 'csv-spreadsheet'))];
    case 'xliff-1.2':
    case 'xliff-2.0':
      return perLanguage('xlf', (one) =>
        writeXliff(entries, one, format === 'xliff-1.2' ? '1.2' : '2.0', product),
      );
    case 'po':
      return perLanguage('po', (one) => writePo(entries, one));
  }
};

/** The time in an archive would make equal texts unequal bytes. This is the earliest that a ZIP can hold. */
const ZIP_TIME = new Date(1980, 0, 1);

/** One file as it is, several in a ZIP. */
export const asOneFile = (files: readonly TextFile[], name: string): TextFile => {
  const [first] = files;
  if (first && files.length === 1) return first;
  const zipped = zipSync(Object.fromEntries(files.map((one) => [one.name, one.bytes])), { mtime: ZIP_TIME });
  return { name: `${name}.zip`, bytes: zipped };
};
