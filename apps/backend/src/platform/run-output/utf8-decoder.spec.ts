import * as fc from 'fast-check';
import { Utf8Decoder } from './utf8-decoder';

const decoded = (pieces: readonly Buffer[]): string => {
  const decoder = new Utf8Decoder();
  return pieces.map((piece) => decoder.push(piece)).join('') + decoder.end();
};
const cut = (bytes: Buffer, at: readonly number[]): Buffer[] => {
  const places = [
    0,
    ...at.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  return places.slice(1).map((place, i) => bytes.subarray(places[i], place));
};

test('text is decoded unchanged, wherever it was cut', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat()), (text, places) => {
      const bytes = Buffer.from(text);
      expect(decoded(cut(bytes, places))).toBe(bytes.toString());
    }),
  );
});

test('invalid bytes give the same result, wherever they were cut', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.array(fc.nat()), (raw, places) => {
      const bytes = Buffer.from(raw);
      expect(decoded(cut(bytes, places))).toBe(bytes.toString());
    }),
  );
});

test('reports whether it holds the beginning of a character', () => {
  const decoder = new Utf8Decoder();
  const ship = Buffer.from('\u{1F6F3}');
  expect([decoder.push(ship.subarray(0, 2)), decoder.holding]).toEqual(['', true]);
  expect([decoder.push(ship.subarray(2)), decoder.holding]).toEqual(['\u{1F6F3}', false]);
});
