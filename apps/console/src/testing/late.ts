/**
 * Answers and the parts of the console that are loaded when first shown come late, as in a browser. A test that looks at
 * a page before it has waited is red at once, and not only on a busy machine.
 *
 * With `LATE_SEED`, each call and part has a lateness of its own, so they overtake each other. An odd seed mirrors the even
 * one before it: of two that are requested together, each comes first in one of both. (`npm run faults -- late`)
 */
const LATE_MS = 10;
const LATEST_MS = 150;

/** FNV-1a, as a fraction: the same on every machine. */
const fractionOf = (text: string): number =>
  ([...text].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 16_777_619), 2_166_136_261) >>> 0) /
  2 ** 32;

const { LATE_SEED } = process.env;
const latenessMs = (of: string): number => {
  if (LATE_SEED === undefined) return LATE_MS;
  const seed = Number(LATE_SEED);
  const fraction = fractionOf(`${Math.floor(seed / 2)} ${of}`);
  return Math.floor((seed % 2 === 0 ? fraction : 1 - fraction) * LATEST_MS);
};

/** Where a test moves the clock itself, everything comes at once. */
const isClockMoved = (): boolean => Object.hasOwn(setTimeout, 'clock');

/** @param of what comes: the path of a call, or the name of a part */
export const late = (of: string): Promise<void> =>
  isClockMoved() ? Promise.resolve() : new Promise((done) => setTimeout(done, latenessMs(of)));
