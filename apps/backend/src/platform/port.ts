/**
 * A dependency that one feature needs and another provides at startup, so that the first need not import the second. If
 * no feature provides it, the start fails, rather than the first call that needs it.
 */
import type { OnApplicationBootstrap } from '@nestjs/common';

export abstract class Port<T> implements OnApplicationBootstrap {
  #given: T | undefined;

  /** @param what completes 'no feature says …' */
  protected constructor(private readonly what: string) {}

  /** May be called only once: by a `hook` of the feature that provides it. */
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
