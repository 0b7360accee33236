/** XLIFF 1.2 and 2.x: what translation agencies and their tools exchange, one target language for each file. */
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import {
  TextFileError,
  byKey,
  decoded,
  type FoundText,
  type FoundTexts,
  type LeftOut,
  type TextEntry,
} from './file';
import { languageOf, type Language } from './languages';

export type XliffVersion = '1.2' | '2.0';

/** `&#13;` and its kin survive a reader, which otherwise makes line feeds of carriage returns, and spaces of both in attributes. */
const escaped = (text: string): string =>
  text.replaceAll(/[&<>\r]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? '&#13;');
const attribute = (text: string): string =>
  `"${escaped(text).replaceAll(/["\n\t]/g, (one) => (one === '"' ? '&quot;' : `&#${one.charCodeAt(0)};`))}"`;

export const writeXliff = (
  entries: readonly TextEntry[],
  language: Language,
  version: XliffVersion,
  product: string,
): string => {
  const isOf = ({ texts }: TextEntry): boolean => texts[language] !== undefined || texts.en !== undefined;
  const units = entries
    .filter(isOf)
    .toSorted(byKey)
    .map(({ key, texts }, index) => {
      const target = language === 'en' ? undefined : texts[language];
      const pair = [
        `<source>${escaped(texts.en ?? '')}</source>`,
        ...(target === undefined ? [] : [`<target>${escaped(target)}</target>`]),
      ];
      return version === '1.2'
        ? `<trans-unit id=${attribute(key)} resname=${attribute(key)} xml:space="preserve">${pair.join('')}</trans-unit>`
        : `<unit id="u${index + 1}" name=${attribute(key)} xml:space="preserve"><segment>${pair.join('')}</segment></unit>`;
    });
  const [head, tail] = frame[version](language, product);
  return ['<?xml version="1.0" encoding="UTF-8"?>', ...head, ...units, ...tail, ''].join('\n');
};

const frame: Record<XliffVersion, (language: Language, product: string) => [head: string[], tail: string[]]> =
  {
    '1.2': (language, product) => [
      [
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">',
        `<file original=${attribute(product)} datatype="plaintext" source-language="en" target-language="${language}">`,
        '<body>',
      ],
      ['</body>', '</file>', '</xliff>'],
    ],
    '2.0': (language, product) => [
      [
        `<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="${language}">`,
        `<file id="f1" original=${attribute(product)}>`,
      ],
      ['</file>', '</xliff>'],
    ],
  };

const MAX_DEPTH = 100;

/** A source with its target, and whether its language elements belong to a segment that is translated. */
interface Piece {
  source?: string;
  target?: string;
  /** White space between two segments. */
  isIgnorable: boolean;
  needsReview: boolean;
}

interface Unit {
  key: string;
  line: number;
  pieces: Piece[];
}

interface Element {
  name: string;
  attributes: Record<string, string>;
}

export const readXliff = (bytes: Uint8Array, language: Language | undefined): FoundTexts => {
  const texts: FoundText[] = [];
  const leftOut: LeftOut[] = [];
  const parser = new SaxesParser({ position: true, xmlns: false });
  const above: Element[] = [];
  let unit: Unit | undefined;
  let capture: { depth: number; text: string } | undefined;
  let sourceLanguage: Language | undefined;
  let targetLanguage: Language | undefined;

  const refuse = (why: string): never => {
    throw new TextFileError(why, parser.line, parser.column + 1);
  };
  const preserves = (): boolean =>
    above.findLast(({ attributes }) => 'xml:space' in attributes)?.attributes['xml:space'] === 'preserve';

  const starts: Record<string, (element: Element) => void> = {
    xliff: ({ attributes }) => {
      sourceLanguage = languageOf(attributes['srcLang'] ?? '');
      targetLanguage = languageOf(attributes['trgLang'] ?? '');
    },
    file: ({ attributes }) => {
      if (attributes['source-language']) sourceLanguage = languageOf(attributes['source-language']);
      if (attributes['target-language']) targetLanguage = languageOf(attributes['target-language']);
    },
    'trans-unit': ({ attributes }) => {
      unit = {
        key: attributes['resname'] || attributes['id'] || '',
        line: parser.line,
        pieces: [newPiece()],
      };
    },
    unit: ({ attributes }) => {
      unit = { key: attributes['name'] || attributes['id'] || '', line: parser.line, pieces: [] };
    },
    segment: ({ attributes }) =>
      unit?.pieces.push({ ...newPiece(), needsReview: attributes['state'] === 'initial' }),
    ignorable: () => unit?.pieces.push({ ...newPiece(), isIgnorable: true }),
  };
  const isPair = (name: string): boolean => {
    const parent = above.at(-2)?.name ?? '';
    return (
      (name === 'source' || name === 'target') && ['trans-unit', 'segment', 'ignorable'].includes(parent)
    );
  };

  const open = (tag: SaxesTagPlain): void => {
    const element = { name: localName(tag.name), attributes: tag.attributes };
    if (above.length >= MAX_DEPTH) refuse(`More than ${MAX_DEPTH} elements inside of each other.`);
    if (above.length === 0 && element.name !== 'xliff')
      refuse(`Expected an element <xliff> instead of <${tag.name}>.`);
    above.push(element);
    if (capture) capture.text += inlineStart(element, tag);
    else if (isPair(element.name) && unit) {
      capture = { depth: above.length, text: '' };
      const piece = unit.pieces.at(-1);
      if (piece && /^needs-|^new$/.test(element.attributes['state'] ?? '')) piece.needsReview = true;
    } else starts[element.name]?.(element);
  };
  const close = (tag: SaxesTagPlain): void => {
    const name = localName(tag.name);
    if (capture?.depth === above.length) {
      const piece = unit?.pieces.at(-1);
      if (piece)
        piece[name as 'source' | 'target'] = preserves() ? capture.text : withoutIndent(capture.text);
      capture = undefined;
    } else if (capture) capture.text += inlineEnd(name, tag);
    else if (unit && (name === 'unit' || name === 'trans-unit')) {
      take(unit);
      unit = undefined;
    }
    above.pop();
  };
  const take = ({ key, line, pieces }: Unit): void => {
    const to = language ?? targetLanguage ?? sourceLanguage;
    if (!to)
      throw new TextFileError('The file does not say a language that this product has. Choose one.', line);
    const source = pieces.map((piece) => piece.source ?? '').join('');
    const segments = pieces.filter(({ isIgnorable }) => !isIgnorable);
    const missing = segments.filter(({ target }) => !target).length;
    const isSource = to === sourceLanguage && missing === segments.length;
    if (!isSource && missing > 0 && missing < segments.length) {
      leftOut.push({ line, key, why: 'Only a part of its segments is translated.' });
    }
    if (!isSource && missing > 0) return;
    const text = isSource ? source : pieces.map((piece) => piece.target ?? piece.source ?? '').join('');
    if (text === '') return;
    if (key === '') leftOut.push({ line, why: 'The unit has neither a name nor an id.' });
    else {
      texts.push({
        key,
        language: to,
        text,
        line,
        ...(!isSource && source !== '' && sourceLanguage === 'en' && { source }),
        ...(segments.some(({ needsReview }) => needsReview) && { needsReview: true }),
      });
    }
  };

  parser.on('opentag', open);
  parser.on('closetag', close);
  parser.on('text', (text) => {
    if (capture) capture.text += text;
  });
  parser.on('cdata', (text) => {
    if (capture) capture.text += text;
  });
  parser.on('doctype', () => refuse('A document type is not allowed here. Remove the <!DOCTYPE …>.'));
  parser.on('error', ({ message }) => refuse(`${message.replace(/^\d+:\d+: /, '')}`));
  parser.write(decoded(bytes, charsetOf(bytes))).close();
  return { texts, leftOut };
};

/** The declaration names it in plain letters. One of UTF-16 has a mark, or was saved again as UTF-8. */
const charsetOf = (bytes: Uint8Array): string => {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const charset = /^\s*<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
  return charset.startsWith('utf-16') ? 'utf-8' : charset;
};

const newPiece = (): Piece => ({ isIgnorable: false, needsReview: false });

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Marks of tools around a part of a text. They are no part of it. */
const marks = new Set(['mrk', 'sm', 'em']);

/** What is no code point becomes the sign for an unknown character. */
const characterOf = (hex: string): string => {
  const code = Number.parseInt(hex, 16);
  return String.fromCodePoint(code > 0 && code <= 0x10ffff ? code : 0xfffd);
};

/** Elements within a text are placeholders. They stay as they are written. */
const inlineStart = ({ name, attributes }: Element, { isSelfClosing }: SaxesTagPlain): string => {
  if (marks.has(name)) return '';
  if (name === 'cp') return characterOf(attributes['hex'] ?? '');
  const inner = Object.entries(attributes).map(([key, value]) => ` ${key}=${attribute(value)}`);
  return `<${name}${inner.join('')}${isSelfClosing ? '/' : ''}>`;
};

const inlineEnd = (name: string, { isSelfClosing }: SaxesTagPlain): string =>
  marks.has(name) || name === 'cp' || isSelfClosing ? '' : `</${name}>`;

/** Without `xml:space="preserve"` a tool may have put the text on lines of its own. */
const withoutIndent = (text: string): string => text.replace(/^\s*\n\s*/, '').replace(/\s*\n\s*$/, '');
