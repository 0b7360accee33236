/** Colours and font styles of terminal output (SGR, the `m` sequences), as values for a component. */

/** A number is one of the theme's sixteen colours, a string a colour chosen by the program. */
export type Colour = number | string;

export interface Style {
  fg?: Colour;
  bg?: Colour;
  bold?: boolean;
  dim?: boolean;
  italic?: boolean;
  underline?: boolean;
  strike?: boolean;
  inverse?: boolean;
}

export const PLAIN: Style = Object.freeze({});

export const isPlain = (style: Style): boolean => Object.keys(style).length === 0;

export const sameStyle = (a: Style, b: Style): boolean =>
  a === b ||
  (a.fg === b.fg &&
    a.bg === b.bg &&
    a.bold === b.bold &&
    a.dim === b.dim &&
    a.italic === b.italic &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    a.inverse === b.inverse);

const LEVELS = [0, 95, 135, 175, 215, 255];

/** The xterm palette: the theme's 16 colours, a 6 x 6 x 6 cube, and 24 greys. */
const indexed = (n: number): Colour | undefined => {
  if (!(n >= 0 && n <= 255)) return undefined;
  if (n < 16) return n;
  if (n >= 232) return `rgb(${[0, 0, 0].fill(8 + (n - 232) * 10).join(' ')})`;
  const at = n - 16;
  return `rgb(${[Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((level) => LEVELS[level]).join(' ')})`;
};

/** Converts colon syntax to plain codes: `4:3` (a style of underline), `38:2::r:g:b` and `38:5:n` (colours). */
const codesIn = (parameter: string): readonly number[] => {
  const [code = 0, ...parts] = parameter.split(':').map(Number);
  if (parts.length === 0) return [code];
  if (code === 4) return [parts[0] === 0 ? 24 : 4];
  // An optional colour space precedes red, green and blue.
  if (parts[0] === 2) return [code, 2, ...parts.slice(parts.length > 4 ? 2 : 1).slice(0, 3)];
  return parts[0] === 5 ? [code, ...parts.slice(0, 2)] : [];
};

/** `38;5;n` and `38;2;r;g;b`: the colour, and how many codes it took after the 38 or 48. */
const extended = (codes: readonly number[], at: number): { colour?: Colour; used: number } => {
  if (codes[at] === 5) return { colour: indexed(codes[at + 1] ?? -1), used: 2 };
  // Unknown colour format: its numbers must not be read as codes of their own.
  if (codes[at] !== 2) return { used: codes.length };
  const rgb = codes.slice(at + 1, at + 4);
  const valid = rgb.length === 3 && rgb.every((part) => part >= 0 && part <= 255);
  return { colour: valid ? `rgb(${rgb.join(' ')})` : undefined, used: 4 };
};

const ON: Record<number, Style> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  21: { underline: true },
  7: { inverse: true },
  9: { strike: true },
};
const OFF: Record<number, readonly (keyof Style)[]> = {
  22: ['bold', 'dim'],
  23: ['italic'],
  24: ['underline'],
  27: ['inverse'],
  29: ['strike'],
  39: ['fg'],
  49: ['bg'],
};

const without = (style: Style, keys: readonly (keyof Style)[]): Style => {
  const rest = { ...style };
  for (const key of keys) delete rest[key];
  return isPlain(rest) ? PLAIN : rest;
};

/** The style after an SGR sequence with these parameters (`1;31` of `ESC[1;31m`). Unknown codes change nothing. */
export const applySgr = (style: Style, parameters: string): Style => {
  const codes = parameters.split(';').flatMap(codesIn);
  let next = style;
  for (let i = 0; i < codes.length; i += 1) {
    const code = codes[i] ?? 0;
    if (code === 0) next = PLAIN;
    else if (ON[code]) next = { ...next, ...ON[code] };
    else if (OFF[code]) next = without(next, OFF[code]);
    else if (code === 38 || code === 48 || code === 58) {
      const { colour, used } = extended(codes, i + 1);
      // The colour of an underline (58) is not shown.
      if (colour !== undefined && code !== 58) next = { ...next, [code === 38 ? 'fg' : 'bg']: colour };
      i += used;
    } else if (code >= 30 && code <= 37) next = { ...next, fg: code - 30 };
    else if (code >= 90 && code <= 97) next = { ...next, fg: code - 90 + 8 };
    else if (code >= 40 && code <= 47) next = { ...next, bg: code - 40 };
    else if (code >= 100 && code <= 107) next = { ...next, bg: code - 100 + 8 };
  }
  return next;
};
