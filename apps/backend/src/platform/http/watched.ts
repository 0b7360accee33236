/**
 * What the main thread shows to the thread that watches it: a count that grows as long as it lives, and the calls under
 * way. They are in shared memory, because a thread that is held cannot be asked.
 */

/** Calls that are shown. Of more, the last ones. */
const SLOTS = 32;
const SLOT_BYTES = 192;
const COUNT_BYTES = 4;

export type Memory = SharedArrayBuffer;

export const sharedMemory = (): Memory => new SharedArrayBuffer(COUNT_BYTES + SLOTS * SLOT_BYTES);

const countIn = (memory: Memory): Int32Array => new Int32Array(memory, 0, 1);
const slotIn = (memory: Memory, slot: number): Uint8Array =>
  new Uint8Array(memory, COUNT_BYTES + slot * SLOT_BYTES, SLOT_BYTES);

/** The side of the main thread. */
export class Shown {
  private readonly count: Int32Array;
  private readonly encoder = new TextEncoder();
  private begun = 0;
  /** Which call has each place. */
  private readonly shown: number[] = [];

  constructor(private readonly memory: Memory) {
    this.count = countIn(memory);
  }

  beat(): void {
    Atomics.add(this.count, 0, 1);
  }

  /** Returns how to end it. */
  begin(call: string): () => void {
    const own = (this.begun += 1);
    const place = own % SLOTS;
    const slot = slotIn(this.memory, place);
    slot.fill(0, this.encoder.encodeInto(call, slot).written);
    this.shown[place] = own;
    return () => {
      if (this.shown[place] === own) slot.fill(0);
    };
  }
}

/** The side of the thread that watches. */
export const beatsIn = (memory: Memory): number => Atomics.load(countIn(memory), 0);

export const callsIn = (memory: Memory): string[] =>
  Array.from({ length: SLOTS }, (_, slot) =>
    Buffer.from(slotIn(memory, slot)).toString().replaceAll('\0', ''),
  ).filter(Boolean);
