import { SshFailure } from './failure';

interface Waiter {
  enter: () => void;
  leave: (reason: unknown) => void;
}

/** A number of places, first come, first served, with a limited queue. */
export class Slots {
  taken = 0;
  private readonly queue: Waiter[] = [];

  constructor(
    private limit: number,
    private readonly maxWaiting: number,
    private readonly maxWaitMs: number,
    private readonly what: string,
  ) {}

  get waiting(): number {
    return this.queue.length;
  }

  get full(): boolean {
    return this.taken >= this.limit;
  }

  setLimit(limit: number): void {
    this.limit = limit;
    this.admit();
  }

  /** Resolves with a function that releases the place. */
  async take(signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    if (this.taken < this.limit && this.queue.length === 0) this.taken += 1;
    else await this.waitInLine(signal);
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.taken -= 1;
      this.admit();
    };
  }

  private waitInLine(signal?: AbortSignal): Promise<void> {
    if (this.queue.length >= this.maxWaiting) {
      throw new SshFailure(
        'busy',
        `${this.queue.length} commands already wait for ${this.what}. Try again later.`,
      );
    }
    return new Promise((resolve, reject) => {
      const leave = (reason: unknown): void => {
        this.queue.splice(this.queue.indexOf(waiter), 1);
        done();
        reject(reason);
      };
      const timeUp = (): void =>
        leave(new SshFailure('busy', `Waited ${this.maxWaitMs / 1000} s for ${this.what}. Try again later.`));
      const aborted = (): void => leave(signal?.reason);
      const timer = setTimeout(timeUp, this.maxWaitMs);
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', aborted);
      };
      const enter = (): void => {
        done();
        resolve();
      };
      const waiter: Waiter = { enter, leave };
      signal?.addEventListener('abort', aborted);
      this.queue.push(waiter);
    });
  }

  get unused(): boolean {
    return this.taken === 0 && this.queue.length === 0;
  }

  private admit(): void {
    while (this.taken < this.limit) {
      const next = this.queue.shift();
      if (!next) return;
      this.taken += 1;
      next.enter();
    }
  }
}

/** Separate slots for each name. Names without a taken slot are forgotten. */
export class SlotsByName {
  private readonly known = new Map<string, Slots>();

  constructor(private readonly make: (name: string) => Slots) {}

  async take(name: string): Promise<() => void> {
    const slots = this.known.get(name) ?? this.make(name);
    this.known.set(name, slots);
    const leave = await slots.take();
    return () => {
      leave();
      if (slots.unused) this.known.delete(name);
    };
  }
}
