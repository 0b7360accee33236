import { bytesInWords } from './bytes';

test.each([
  [0, '0 bytes'],
  [1023, '1023 bytes'],
  [1024, '1 KiB'],
  [1536, '1.5 KiB'],
  [25_276_514_304, '23.5 GiB'],
  [270_582_939_648, '252 GiB'],
  [2 ** 43, '8 TiB'],
  [1024 ** 5 * 2000, '2000 PiB'],
])('%i bytes read as %s', (bytes, words) => expect(bytesInWords(bytes)).toBe(words));

test.each([
  [999, '999 bytes'],
  [1000, '1 kB'],
  [8192, '8.2 kB'],
  [52_000_000, '52 MB'],
  [1_234_000_000, '1.2 GB'],
])('%i bytes read as %s in decimal units', (bytes, words) => expect(bytesInWords(bytes, 1000)).toBe(words));
