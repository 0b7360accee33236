/**
 * Stores events of the same log from another place. Each append expects an exact revision, so no event is written
 * twice. One call carries all of them, and the server writes the appends of one call in order.
 */
import { RevisionsMissing, type KeptEvent } from '../engine';
import { InvalidEvent, StoreUnavailable } from '../event-store';
import type { Connection } from './connection';
import { withInstant, type Names } from './events';
import { Conflict, finalFault, isTooLarge } from './faults';
import type { Leader } from './leader';

const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;
/** By default the server accepts appends of up to 1 MB. */
const MAX_EVENTS = 200;
const MAX_CHARACTERS = 300_000;

interface Run {
  stream: string;
  /** Revision of the first event. */
  first: number;
  events: KeptEvent[];
  characters: number;
}

/** Consecutive events of one stream are written together. */
function runsOf(events: readonly KeptEvent[]): Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const characters = event.data.length + event.meta.length;
    const run = runs.at(-1);
    const fits =
      run?.stream === event.stream &&
      run.first + run.events.length === event.revision &&
      run.events.length < MAX_EVENTS &&
      run.characters + characters < MAX_CHARACTERS;
    if (run && fits) {
      run.events.push(event);
      run.characters += characters;
    } else runs.push({ stream: event.stream, first: event.revision, events: [event], characters });
  }
  return runs;
}

export class Intake {
  constructor(
    private readonly leader: Leader,
    private readonly names: Names,
  ) {}

  async take(events: readonly KeptEvent[]): Promise<void> {
    const runs = runsOf(events);
    const connection = await this.leader.connection(Date.now() + CONNECT_MS).catch((error: unknown) => {
      throw new StoreUnavailable(error);
    });
    while (runs.length > 0) {
      // If the server refuses an event, for example because it is too large, nothing after it may be written.
      const alone = runs.findIndex(({ characters }) => characters >= MAX_CHARACTERS);
      const count = !connection.writesInOrder || alone === 0 ? 1 : alone < 0 ? runs.length : alone;
      await this.#together(connection, runs.splice(0, count));
    }
  }

  /** Pending appends finish before anything is retried. */
  async #together(connection: Connection, runs: readonly Run[]): Promise<void> {
    const ended = await Promise.allSettled(runs.map((run) => this.#write(connection, run)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }

  async #write(connection: Connection, { stream, first, events }: Run): Promise<void> {
    const encoded = events.map(({ id, type, data, meta, recordedAt }) => ({
      id,
      type,
      data,
      meta: withInstant(meta, recordedAt),
    }));
    const expected = first === 0 ? 'no_stream' : first - 1;
    try {
      await connection.append(this.names.inLog(stream), encoded, expected, ANSWER_MS);
    } catch (error) {
      if (error instanceof Conflict && error.actual < first - 1) throw new RevisionsMissing(stream);
      if (isTooLarge(error)) throw new InvalidEvent(events[0]?.type ?? '', error.message);
      const final = finalFault(error, stream);
      if (final) throw final;
      if (!(error instanceof Conflict)) this.leader.failed(connection, error);
      throw new StoreUnavailable(error);
    }
  }
}
