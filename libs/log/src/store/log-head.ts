/**
 * Tracks where the log is written: here, until `LogMoved` names another place, and here again after `LogArrived`.
 *
 * Postgres itself refuses appends to a log that has moved. EventStoreDB does not, so every process checks before it
 * appends. It confirms an append only if it has recently found the log in place. The mover waits longer than that after
 * `LogMoved`, and then copies what was still appended. So no confirmed event is left behind.
 */
import { LOG_STREAM, logEvents } from '../log.events';
import type { KeptEvent, LogEngine } from './engine';
import { LogElsewhere } from './event-store';
import { parsedText } from './json-text';

/** How long a process relies on its last check. */
const BELIEVED_MS = 500;
/** After this time no process confirms an append that came too late to be copied. */
export const SETTLED_MS = 1_000;

export class LogHead {
  #revision = -1;
  #lookedAt = -Infinity;
  #moved: string | undefined;
  #arrived: string | undefined;
  #looking: Promise<void> | undefined;

  /** @param isForeign whether another program wrote the event */
  constructor(
    private readonly log: LogEngine,
    private readonly isForeign: (event: KeptEvent) => boolean,
  ) {}

  /** The log's new place, as far as known. */
  get moved(): string | undefined {
    return this.#moved;
  }

  /** Id of the event with which the log last arrived here. Positions start again from there. */
  get arrived(): string | undefined {
    return this.#arrived;
  }

  look(): Promise<void> {
    this.#looking ??= this.#read().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** @throws LogElsewhere */
  async confirm(): Promise<void> {
    if (performance.now() - this.#lookedAt > BELIEVED_MS) await this.look();
    if (this.#moved !== undefined) throw new LogElsewhere(this.#moved);
  }

  async #read(): Promise<void> {
    const began = performance.now();
    for (const event of await this.log.readStream(LOG_STREAM, { from: this.#revision + 1 })) {
      this.#revision = event.revision;
      if (this.isForeign(event)) continue;
      if (event.type === 'LogArrived') [this.#moved, this.#arrived] = [undefined, event.id];
      const moved = event.type === 'LogMoved' && logEvents.LogMoved.schema.safeParse(parsedText(event.data));
      if (moved && moved.success) this.#moved = moved.data.to;
    }
    this.#lookedAt = began;
  }
}
