/** Definitions that are not the present one: those of the past that operators ask. Only the newest few are kept. */
import type { Definition } from './definition';

const MAX_KEPT = 8;

/** The key of one of them. Elsewhere than on the Unix socket, it means nothing. */
export const ANSWERS_BY = 'x-answers-by';

export class KeptDefinitions {
  private readonly all = new Map<string, Definition>();

  /** One that is known already is not made again: a definition never changes. */
  async add(key: string, make: () => Promise<Definition>): Promise<void> {
    const definition = this.all.get(key) ?? (await make());
    // The last one that was asked for is the last one to go.
    this.all.delete(key);
    this.all.set(key, definition);
    const [oldest] = this.all.keys();
    if (this.all.size > MAX_KEPT && oldest !== undefined) this.all.delete(oldest);
  }

  get(key: string): Definition | undefined {
    return this.all.get(key);
  }
}
