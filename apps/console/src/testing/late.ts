/**
 * Answers and the parts of the console that are loaded when first shown come late, as in a browser. A test that looks at
 * a page before it has waited is red at once, and not only on a busy machine.
 *
 * With `LATE_SEED`, each comes after a time of its own, so answers also overtake each other: `npm run faults -- late`.
 */
const LATE_MS = 10;
const LATEST_MS = 150;

/** Mulberry32: small, and the same on every machine. */
const randomOf = (text: string): (() => number) => {
  let state = [...text].reduce(
    (hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 16_777_619),
    2_166_136_261,
  );
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const { LATE_SEED: seed } = process.env;
const random = seed === undefined ? undefined : randomOf(`${seed} ${expect.getState().testPath}`);
const latenessMs = (): number => (random ? Math.floor(random() * LATEST_MS) : LATE_MS);

/** Where a test moves the clock itself, everything comes at once. */
const isClockMoved = (): boolean => Object.hasOwn(setTimeout, 'clock');

export const late = (): Promise<void> =>
  isClockMoved() ? Promise.resolve() : new Promise((done) => setTimeout(done, latenessMs()));
