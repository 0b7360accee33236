/** JSON in the two shapes that products use: flat keys, or objects within objects. */
import { printParseErrorCode, visit } from 'jsonc-parser';
import { TextFileError, byKey, decoded, type FoundText, type FoundTexts, type TextEntry } from './file';
import { languageOf, type Language } from './languages';

/** Deeper files are refused: the parser calls itself for each level. */
const MAX_DEPTH = 100;

export const writeJson = (entries: readonly TextEntry[], language: Language, isNested: boolean): string => {
  const root: Level = new Map();
  for (const { key, texts } of entries.toSorted(byKey)) {
    const text = texts[language];
    if (text !== undefined) placeIn(root, isNested ? key.split('.') : [key], text);
  }
  return `${shown(root, '')}\n`;
};

type Level = Map<string, string | Level>;

/** If `a` has a text, `a.b` stays in one piece beside it. Keys are sorted, so `a` always comes first. */
const placeIn = (level: Level, [first = '', ...rest]: readonly string[], text: string): void => {
  const there = level.get(first);
  if (rest.length === 0) level.set(first, text);
  else if (typeof there === 'string') level.set([first, ...rest].join('.'), text);
  else {
    const below: Level = there ?? new Map();
    level.set(first, below);
    placeIn(below, rest, text);
  }
};

/** `JSON.stringify` would put keys that look like numbers first, and lose `__proto__`. */
const shown = (level: Level, indent: string): string => {
  if (level.size === 0) return '{}';
  const inner = `${indent}  `;
  const lines = [...level].map(
    ([name, value]) =>
      `${inner}${JSON.stringify(name)}: ${typeof value === 'string' ? JSON.stringify(value) : shown(value, inner)}`,
  );
  return `{\n${lines.join(',\n')}\n${indent}}`;
};

const NO_OBJECT = 'Expected an object of keys and texts.';

interface Value {
  path: readonly (string | number)[];
  value: string | number | boolean | null;
  line: number;
}

export const readJson = (bytes: Uint8Array, language: Language | undefined): FoundTexts => {
  const values = valuesOf(decoded(bytes));
  const texts: FoundText[] = [];
  const isOfLanguages = !language && values.length > 0 && values.every(isBelowLanguage);
  if (!language && !isOfLanguages) throw new TextFileError(NO_LANGUAGE);
  for (const { path, value, line } of values) {
    const of = language ?? languageOf(String(path[0]));
    const key = (language ? path : path.slice(1)).join('.');
    // A number, or yes and no, are texts as well.
    if (of && value !== null && value !== '') texts.push({ key, language: of, text: String(value), line });
  }
  return { texts, leftOut: [] };
};

export const NO_LANGUAGE =
  'The file does not say its language. Choose one, or name the file after it, such as fr.json.';

const isBelowLanguage = ({ path }: Value): boolean =>
  path.length > 1 && languageOf(String(path[0])) !== undefined;

/** Each value that is no object and no list, with its path. */
const valuesOf = (text: string): Value[] => {
  const values: Value[] = [];
  const paths = new Set<string>();
  let depth = 0;
  const refuse = (why: string, line: number, character: number): never => {
    throw new TextFileError(why, line + 1, character + 1);
  };
  const goIn = (line: number, character: number): void => {
    if (++depth > MAX_DEPTH) refuse(`More than ${MAX_DEPTH} levels.`, line, character);
  };
  const goOut = (): void => {
    depth -= 1;
  };
  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, character) => goIn(line, character),
      onObjectEnd: goOut,
      onArrayBegin: (_offset, _length, line, character) => {
        if (depth === 0) refuse(NO_OBJECT, line, character);
        goIn(line, character);
      },
      onArrayEnd: goOut,
      onObjectProperty: (name, _offset, _length, line, character, pathOf) => {
        const path = JSON.stringify([...pathOf(), name]);
        if (paths.has(path)) refuse(`The key "${name}" exists twice.`, line, character);
        paths.add(path);
      },
      onLiteralValue: (value: Value['value'], _offset, _length, line, character, pathOf) => {
        if (depth === 0) refuse(NO_OBJECT, line, character);
        values.push({ path: pathOf(), value, line: line + 1 });
      },
      onError: (code, _offset, _length, line, character) =>
        refuse(`${inWords(printParseErrorCode(code))}.`, line, character),
    },
    { disallowComments: true },
  );
  return values;
};

/** `CommaExpected` -> "Comma expected". */
const inWords = (code: string): string => {
  const words = code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.replace('end of file', 'the end of the file');
};
