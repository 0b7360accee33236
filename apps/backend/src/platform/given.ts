/**
 * What one feature needs and another one gives while the program is put together, so that the first need not know the
 * second. What nobody has given ends the start, and not the first call that needs it.
 */
import type { OnApplicationBootstrap } from '@nestjs/common';

export abstract class Given<T> implements OnApplicationBootstrap {
  #given: T | undefined;

  /** @param what completes 'no feature says …' */
  protected constructor(private readonly what: string) {}

  /** Once. */
  give(it: T): void {
    if (this.#given !== undefined) throw new Error(`two features say ${this.what}`);
    this.#given = it;
  }

  protected get given(): T {
    if (this.#given === undefined) throw new Error(`no feature says ${this.what}`);
    return this.#given;
  }

  onApplicationBootstrap(): void {
    void this.given;
  }
}
