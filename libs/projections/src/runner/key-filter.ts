/** Which keys may be in a table (a Bloom filter). "No" is certain, "yes" needs a look-up. */
const BITS = 2 ** 26;
const PROBES = 4;

export class KeyFilter {
  readonly #words = new Uint32Array(BITS / 32);

  add(key: string): void {
    const [first, step] = hashes(key);
    for (let probe = 0, bit = first; probe < PROBES; probe += 1, bit = (bit + step) >>> 0) {
      const at = bit % BITS;
      this.#words[at >>> 5] = (this.#words[at >>> 5] ?? 0) | (1 << (at & 31));
    }
  }

  mayHave(key: string): boolean {
    const [first, step] = hashes(key);
    for (let probe = 0, bit = first; probe < PROBES; probe += 1, bit = (bit + step) >>> 0) {
      const at = bit % BITS;
      if (((this.#words[at >>> 5] ?? 0) & (1 << (at & 31))) === 0) return false;
    }
    return true;
  }
}

/** Two FNV-1a hashes with different seeds. The second is made odd so that the probes cover the whole filter. */
function hashes(key: string): [number, number] {
  let first = 0x811c9dc5;
  let second = 0x9747b28c;
  for (let index = 0; index < key.length; index += 1) {
    const code = key.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  return [(first ^ (first >>> 15)) >>> 0, (second | 1) >>> 0];
}
