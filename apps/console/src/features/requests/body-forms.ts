/** The ways in which a body can be shown. Pure. */

export type BodyForm = 'json' | 'text' | 'image' | 'hex';

const MAX_TEXT = 200_000;
const MAX_HEX = 16 * 1024;
const WIDTH = 16;
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

export const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
};

export const typeIn = (headers: readonly (readonly [string, string])[]): string =>
  (headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase() ?? '';

const isText = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, 1000), { stream: true });
    return !bytes.subarray(0, 1000).includes(0);
  } catch {
    return false;
  }
};

/** What fits, the best first. Pictures in SVG are text: they could contain scripts. */
export const formsOf = (bytes: Uint8Array, type: string): readonly BodyForm[] => {
  const text: readonly BodyForm[] = isText(bytes) ? ['text'] : [];
  const first = /^\s*[[{"\d]/.test(new TextDecoder().decode(bytes.subarray(0, 100)));
  const json: readonly BodyForm[] = text.length > 0 && (type.endsWith('json') || first) ? ['json'] : [];
  const image: readonly BodyForm[] = PICTURES.includes(type) ? ['image'] : [];
  return [...image, ...json, ...text, 'hex'];
};

export const textIn = (bytes: Uint8Array): { text: string; isCut: boolean } => ({
  text: new TextDecoder().decode(bytes.subarray(0, MAX_TEXT)),
  isCut: bytes.length > MAX_TEXT,
});

const printable = (byte: number): string => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.');

/** `00000010  7b 22 69 64 …  {"id` */
export const hexOf = (bytes: Uint8Array): { text: string; isCut: boolean } => {
  const shown = bytes.subarray(0, MAX_HEX);
  const lines = Array.from({ length: Math.ceil(shown.length / WIDTH) }, (_, at) => {
    const line = [...shown.subarray(at * WIDTH, (at + 1) * WIDTH)];
    const hex = line.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const place = (at * WIDTH).toString(16).padStart(8, '0');
    return `${place}  ${hex.padEnd(WIDTH * 3 - 1)}  ${line.map(printable).join('')}`;
  });
  return { text: lines.join('\n'), isCut: bytes.length > MAX_HEX };
};
