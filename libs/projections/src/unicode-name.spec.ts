import { domainToASCII, domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { unicodeName } from './unicode-name';

test('a name is told as people write it', () => {
  expect(
    ['xn--bcher-kva.example', 'shop.example.org', 'xn--bcher-kva.xn--p1ai', 'xn--ls8h.la'].map(unicodeName),
  ).toEqual(['bücher.example', 'shop.example.org', 'bücher.рф', '💩.la']);
});

test('what encodes nothing stays as it is', () => {
  for (const name of ['xn--99999999', 'xn--a-ü.org']) expect(unicodeName(name)).toBe(name);
});

test('every name is read as Node reads it', () => {
  const label = fc.string({
    unit: fc.constantFrom(...'abcz09äöüßñжшя漢字日本한글عربי'),
    minLength: 1,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
      const ascii = domainToASCII(labels.join('.'));
      fc.pre(ascii !== '');
      expect(unicodeName(ascii)).toBe(domainToUnicode(ascii));
    }),
    { seed: 20261122, numRuns: 500 },
  );
});
