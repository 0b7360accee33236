/** covers: I18N-01, CMS-01 */
import fc from 'fast-check';
import { compareTexts } from './comparison';
import type { TextEntry } from './file';
import { formats, type Format } from './formats';
import { problemOfText } from './limits';
import { asOneFile, readTexts, writeTexts } from './files';
import { languageCodes, type Language } from './languages';

/** Signs that one format or another treats in its own way. */
const hostile = [
  '"',
  "'",
  '\\',
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '&amp;',
  '&',
  '<b>',
  '</source>',
  ']]>',
  '<!--',
  '=',
  '+',
  '-',
  '@',
  ',',
  ';',
  '\u2028',
  '\u2029',
  '\u0085',
  '\u00A0',
  '\uFEFF',
  '😀',
  '👩‍👩‍👧',
  'مرحبا',
  'שלום',
  '\u202E',
  '{name}',
  '{n, plural, one {#} other {#}}',
  '{{x}}',
  '%s',
  '.',
  '..',
  'é',
  'e\u0301',
  '#',
  '#~',
  'msgid ""',
  '\\n',
  '\\x41',
  '\\0',
  '&#13;',
  '日本語',
  'ไทย',
  '__proto__',
  '1',
  'key',
  'en',
  "'key",
];
const piece = fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: 'grapheme', maxLength: 5 }));
const text = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter((one) => one !== '' && problemOfText(one) === undefined);
const key = text.filter((one) => one.trim() === one && one.length <= 200);
const texts = fc.dictionary(fc.constantFrom(...languageCodes), text) as fc.Arbitrary<
  Partial<Record<Language, string>>
>;
const entries = fc.uniqueArray(
  fc.record({ key, texts }).map((one): TextEntry => ({ ...one, texts: { ...one.texts } })),
  { selector: (one) => one.key, minLength: 1, maxLength: 8 },
);

const reread = (of: readonly TextEntry[], format: Format) =>
  writeTexts(of, { format, languages: languageCodes, product: 'Shop & "Co"' }).flatMap((file) => {
    const { texts: found, leftOut } = readTexts(file);
    expect(leftOut).toEqual([]);
    return found;
  });

describe.each(formats)('%s', (format) => {
  it('loses nothing on the way out and in again', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const wanted = all
          .flatMap((one) =>
            Object.entries(one.texts).map(([language, it]) => JSON.stringify([one.key, language, it])),
          )
          .toSorted();
        const found = reread(all, format);
        expect(found.map((one) => JSON.stringify([one.key, one.language, one.text])).toSorted()).toEqual(
          wanted,
        );
        const comparison = compareTexts(all, { texts: found, leftOut: [] });
        expect(comparison).toMatchObject({
          newKeys: [],
          added: [],
          changed: [],
          removed: [],
          conflicts: [],
          unchanged: wanted.length,
        });
      }),
      { seed: 32, numRuns: 100 },
    );
  });

  it('gives equal bytes for equal texts in another order', () => {
    fc.assert(
      fc.property(entries, (all) => {
        const file = (of: readonly TextEntry[]) =>
          asOneFile(writeTexts(of, { format, languages: languageCodes, product: 'shop' }), 'shop');
        expect(file(all.toReversed())).toEqual(file(all));
      }),
      { seed: 32, numRuns: 20 },
    );
  });
});
