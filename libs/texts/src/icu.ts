/** Compares the arguments of a translation with those of the English text. */
import { TYPE, parse, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';

export interface IcuProblem {
  kind: 'lost' | 'added' | 'changed';
  /** As it is written: `{name}`, `<b>`. */
  argument: string;
  /** What it is in English and here, such as "number" and "plural". */
  from?: string;
  to?: string;
}

/** Undefined if one of the two is no ICU message, such as one with `{{handlebars}}`: then nothing can be said. */
export const icuProblems = (english: string, translation: string): IcuProblem[] | undefined => {
  const before = argumentsOf(english);
  const after = argumentsOf(translation);
  if (!before || !after) return undefined;
  const lost = [...before.keys()].filter((name) => !after.has(name));
  const added = [...after.keys()].filter((name) => !before.has(name));
  const changed = [...before].flatMap(([argument, from]): IcuProblem[] => {
    const to = after.get(argument);
    return to && to !== from ? [{ kind: 'changed', argument, from, to }] : [];
  });
  return [
    ...lost.map((argument): IcuProblem => ({ kind: 'lost', argument })),
    ...added.map((argument): IcuProblem => ({ kind: 'added', argument })),
    ...changed,
  ];
};

/** Each argument and tag of a message with its kind; undefined if it is no ICU message. */
export const argumentsOf = (message: string): ReadonlyMap<string, string> | undefined => {
  const elements = parsed(message, false) ?? parsed(message, true);
  if (!elements) return undefined;
  const found = new Map<string, string>();
  collect(elements, found);
  return found;
};

/** A lone `<` or `<br>` is no tag of ICU; then the text is read without tags. */
const parsed = (message: string, ignoreTag: boolean): MessageFormatElement[] | undefined => {
  try {
    return parse(message, { ignoreTag });
  } catch {
    return undefined;
  }
};

const kinds: Partial<Record<TYPE, string>> = {
  [TYPE.argument]: 'text',
  [TYPE.number]: 'number',
  [TYPE.date]: 'date',
  [TYPE.time]: 'time',
  [TYPE.select]: 'choice',
  [TYPE.plural]: 'plural',
};

const collect = (elements: readonly MessageFormatElement[], found: Map<string, string>): void => {
  for (const element of elements) {
    const kind = kinds[element.type];
    // An argument is often both `{count}` and the count of a plural: the plural says more.
    if (kind && 'value' in element && (kind !== 'text' || !found.has(`{${element.value}}`)))
      found.set(`{${element.value}}`, kind);
    if (element.type === TYPE.tag) {
      found.set(`<${element.value}>`, 'tag');
      collect(element.children, found);
    }
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const { value } of Object.values(element.options)) collect(value, found);
    }
  }
};
