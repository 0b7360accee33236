import { setTimeout as sleep } from 'node:timers/promises';
import { jsonEvent, type EventStoreDBClient } from '@eventstore/db-client';
import type { EncodedEvent } from '../../codec';
import type { EventMeta, ExpectedRevision } from '../../envelope';
import { InvalidEvent, StoreUnavailable, WrongExpectedRevision, type AppendResult } from '../event-store';
import { isConflict, isFinal, isTooLarge } from './faults';
import type { Reader } from './reader';

const DEADLINE_MS = 5_000;
/** With pauses of 50, 100, 200 and 400 ms between them: within a second the caller knows that the log is away. */
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 50;

/**
 * Appends through the client's multiplexed call. When the line breaks, the outcome of every append under way is
 * unknown (the client rejects all of them, of all its instances in the process), so each is looked for by its ids
 * before it is written again: the server itself recognises a repeated append for certain only with an exact revision.
 */
export class Appender {
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly reader: Reader,
  ) {}

  async append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (attempt > 1) {
          await sleep(FIRST_PAUSE_MS * 2 ** (attempt - 2));
          const known = await this.reader.find(stream, events, expected);
          if (known) return known;
        }
        return await this.#write(stream, events, expected);
      } catch (error) {
        if (isConflict(error)) return this.#conflict(stream, events, expected, error.actualVersion);
        if (isTooLarge(error)) throw new InvalidEvent(events[0]?.type ?? '', error.message);
        if (isFinal(error)) throw error;
        if (attempt === ATTEMPTS)
          throw error instanceof StoreUnavailable ? error : new StoreUnavailable(error);
      }
    }
  }

  async #write(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<AppendResult> {
    const written = await this.client.appendToStream(stream, events.map(eventData), {
      expectedRevision: typeof expected === 'number' ? BigInt(expected) : expected,
      deadline: DEADLINE_MS,
    });
    const revision = Number(written.nextExpectedRevision);
    const commit = written.position?.commit;
    if (commit !== undefined && commit > 0n) return { revision, position: String(commit) };
    const [last] = await this.reader.stream(stream, revision, 1);
    return { revision, position: last?.position ?? '0' };
  }

  /** Our own events at that stream already are a success, whatever it has become meanwhile. */
  async #conflict(
    stream: string,
    events: EncodedEvent[],
    expected: ExpectedRevision,
    actual: bigint | 'no_stream',
  ): Promise<AppendResult> {
    const known = await this.reader.find(stream, events, expected);
    if (known) return known;
    throw new WrongExpectedRevision(stream, expected, actual === 'no_stream' ? -1 : Number(actual));
  }
}

/** The client turns data into text again; JSON text of ours comes out of that as it went in. */
const eventData = ({ id, type, data, meta }: EncodedEvent) =>
  jsonEvent({
    id,
    type,
    data: JSON.parse(data) as Record<string, unknown>,
    metadata: { ...(JSON.parse(meta) as EventMeta) },
  });
