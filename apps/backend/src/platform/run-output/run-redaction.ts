/**
 * Masks known secrets in a stream of text. Every character of every occurrence is masked, even where occurrences
 * overlap. So the result depends only on the text, not on how it was cut. Pure.
 */

/** Shorter secrets occur in any text, and masking them would reveal their positions. */
const SHORTEST = 4;
const SHORTEST_KEY_LINE = 8;
const MASK_LENGTH = 7;

const linesOf = (text: string): string[] =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_KEY_LINE && !line.startsWith('-----'));

/**
 * A secret of several lines is recognised by each line, so it is also found if it is indented, escaped or printed in
 * part.
 */
export const secretsOf = (key: { privateKey: string; passphrase?: string | undefined }): string[] => {
  const { privateKey, passphrase = '' } = key;
  const lines = linesOf(privateKey).filter((line) => !/^[A-Za-z-]+: /.test(line));
  if (passphrase.length < SHORTEST) return lines;
  return [...lines, passphrase, ...(/[\r\n]/.test(passphrase) ? linesOf(passphrase) : [])];
};

/** Uses a character that no secret contains. With another one, the mask and its surroundings could form a secret. */
const maskFor = (secrets: readonly string[]): string => {
  const used = new Set<string>();
  for (const secret of secrets) for (let at = 0; at < secret.length; at++) used.add(secret.charAt(at));
  let mark = '*';
  for (let code = 0x2588; used.has(mark); code++) mark = String.fromCharCode(code);
  return mark.repeat(MASK_LENGTH);
};

/** A masked range of the text. If it begins before the held text, its mask was output already. */
interface Span {
  from: number;
  to: number;
}

export class Redactor {
  private known: Prepared;
  private state = ROOT;
  private held = '';
  /** How much of the held text was searched. */
  private searched = 0;
  private spans: Span[] = [];

  /** @param secrets passing the same array again is free: the automaton is cached as long as the array lives */
  constructor(secrets: readonly string[]) {
    this.known = preparedFor(secrets);
  }

  /** Masks these secrets from now on, also in the text that is held back. */
  renew(secrets: readonly string[]): void {
    const known = preparedFor(secrets);
    if (known === this.known) return;
    this.known = known;
    this.state = ROOT;
    this.searched = 0;
  }

  /** Whether text is held back. */
  get holding(): boolean {
    return this.held !== '';
  }

  /** Returns text that can be output now. Text that may be the beginning of a secret is held back. */
  push(text: string): string {
    const { automaton } = this.known;
    const all = this.held + text;
    if (!automaton) return this.show(all, all.length);
    const { first, length, depth } = automaton;
    let state = this.state;
    for (let at = this.searched; at < all.length; at++) {
      // No secret begins in most text, so most of it is skipped.
      if (state === ROOT) at = automaton.skipped(all, at);
      const code = all.charCodeAt(at);
      state = state === ROOT ? (first[code] ?? ROOT) : automaton.next(state, code);
      if (state === ROOT) continue;
      const found = length[state] ?? 0;
      if (found > 0) this.cover(at + 1 - found, at + 1);
    }
    this.state = automaton.open(state);
    // Any secret still to be found begins within the held text.
    return this.show(all, all.length - (depth[this.state] ?? 0));
  }

  end(): string {
    const rest = this.push('');
    this.state = ROOT;
    return rest + this.show(this.held, this.held.length);
  }

  private cover(from: number, to: number): void {
    let span: Span = { from, to };
    // Held text that is searched again has spans behind this one.
    const later: Span[] = [];
    for (let last = this.spans.at(-1); last && last.to > span.from; last = this.spans.at(-1)) {
      this.spans.pop();
      if (last.from >= span.to) later.unshift(last);
      else span = { from: Math.min(last.from, span.from), to: Math.max(last.to, span.to) };
    }
    this.spans.push(span, ...later);
  }

  private show(all: string, until: number): string {
    let shown = '';
    let at = 0;
    for (const { from, to } of this.spans) {
      if (from >= until) break;
      if (from >= 0) shown += all.slice(at, from) + this.known.mask;
      at = Math.min(to, until);
    }
    this.held = all.slice(until);
    this.searched = this.held.length;
    this.spans = this.spans
      .filter(({ to }) => to > until)
      .map(({ from, to }) => ({ from: from - until, to: to - until }));
    return shown + all.slice(at, until);
  }
}

interface Prepared {
  automaton: Automaton | undefined;
  mask: string;
}

/** A hundred concurrent runs look for the same secrets. */
const prepared = new WeakMap<readonly string[], Prepared>();

const prepare = (secrets: readonly string[]): Prepared => {
  const known = [...new Set(secrets)].filter(Boolean);
  return { automaton: known.length > 0 ? new Automaton(known) : undefined, mask: maskFor(known) };
};

const preparedFor = (secrets: readonly string[]): Prepared => {
  const made = prepared.get(secrets) ?? prepare(secrets);
  prepared.set(secrets, made);
  return made;
};

const ROOT = 0;
const NONE = -1;
const LONGEST_WINDOW = 32;
const PAIRS = 0x10000;

/** Hash of two characters. A collision only means that less text is skipped. */
const pairOf = (text: string, end: number): number =>
  ((text.charCodeAt(end - 1) << 8) ^ text.charCodeAt(end)) & (PAIRS - 1);

/**
 * Finds all secrets in one pass (Aho-Corasick). The state is the longest suffix of the text that is a prefix of a
 * secret. Stored as a tree in flat arrays, so that a step takes a few nanoseconds, and hundreds of secrets take a few
 * hundred kilobytes.
 */
class Automaton {
  /** Length of the state's prefix. */
  readonly depth: Int32Array;
  /** Length of the longest secret that ends in this state; 0 for none. */
  readonly length: Int32Array;
  /** The state to continue from if no child matches: the next shorter suffix that is a prefix of a secret. */
  private readonly shorter: Int32Array;
  private readonly child: Int32Array;
  private readonly sibling: Int32Array;
  private readonly code: Uint16Array;
  /** The state after one character from the root, which has many children and takes most of the steps. */
  readonly first = new Int32Array(0x10000);
  private size = 1;
  private readonly window: number;
  /** By the last two characters of a window: distance to the nearest place at which a secret can begin. */
  private readonly shifts: Uint8Array;

  constructor(secrets: readonly string[]) {
    const most = secrets.reduce((sum, secret) => sum + secret.length, 1);
    this.depth = new Int32Array(most);
    this.length = new Int32Array(most);
    this.shorter = new Int32Array(most);
    this.child = new Int32Array(most).fill(NONE);
    this.sibling = new Int32Array(most).fill(NONE);
    this.code = new Uint16Array(most);
    for (const secret of secrets) this.add(secret);
    this.link();
    this.window = secrets.reduce((least, { length }) => Math.min(least, length), LONGEST_WINDOW);
    this.shifts = new Uint8Array(PAIRS).fill(this.window - 1);
    for (const secret of secrets)
      for (let end = 1; end < this.window; end++) {
        const pair = pairOf(secret, end);
        this.shifts[pair] = Math.min(this.shifts[pair] ?? 0, this.window - 1 - end);
      }
  }

  /**
   * The next place at or after `from` at which a secret can begin (Wu-Manber). The window is as long as the shortest
   * secret, and its last two characters determine how far it can move.
   */
  skipped(text: string, from: number): number {
    const { window, shifts } = this;
    if (window < 2) return from;
    const last = text.length - window;
    let at = from;
    while (at <= last) {
      const shift = shifts[pairOf(text, at + window - 1)] ?? 0;
      if (shift === 0) break;
      at += shift;
    }
    return at;
  }

  next(from: number, code: number): number {
    for (let state = from; state !== ROOT; state = this.shorter[state] ?? ROOT) {
      const child = this.childOf(state, code);
      if (child !== NONE) return child;
    }
    return this.first[code] ?? ROOT;
  }

  /** The state without complete secrets: the longest suffix that is a proper prefix of a secret. */
  open(from: number): number {
    let state = from;
    while (state !== ROOT && this.child[state] === NONE) state = this.shorter[state] ?? ROOT;
    return state;
  }

  private childOf(state: number, code: number): number {
    let child = this.child[state] ?? NONE;
    while (child !== NONE && this.code[child] !== code) child = this.sibling[child] ?? NONE;
    return child;
  }

  private add(secret: string): void {
    let state = ROOT;
    for (let at = 0; at < secret.length; at++) {
      const code = secret.charCodeAt(at);
      const known = this.childOf(state, code);
      state = known === NONE ? this.grow(state, code) : known;
    }
    this.length[state] = secret.length;
  }

  private grow(parent: number, code: number): number {
    const state = this.size++;
    this.code[state] = code;
    this.depth[state] = (this.depth[parent] ?? 0) + 1;
    this.sibling[state] = this.child[parent] ?? NONE;
    this.child[parent] = state;
    if (parent === ROOT) this.first[code] = state;
    return state;
  }

  /** Breadth first: shorter states are linked before longer ones. */
  private link(): void {
    const queue = [ROOT];
    for (const parent of queue)
      for (let state = this.child[parent] ?? NONE; state !== NONE; state = this.sibling[state] ?? NONE) {
        const shorter =
          parent === ROOT ? ROOT : this.next(this.shorter[parent] ?? ROOT, this.code[state] ?? 0);
        this.shorter[state] = shorter;
        this.length[state] = Math.max(this.length[state] ?? 0, this.length[shorter] ?? 0);
        queue.push(state);
      }
  }
}
