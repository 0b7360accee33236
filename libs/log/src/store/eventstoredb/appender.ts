import { Backoff } from '../../backoff';
import type { EncodedEvent } from '../../codec';
import type { ExpectedRevision } from '../../envelope';
import type { KeptAppend } from '../engine';
import { EventIdTaken, InvalidEvent, StoreUnavailable, WrongExpectedRevision } from '../event-store';
import type { Connection } from './connection';
import type { Names } from './events';
import { Conflict, finalFault, isTooLarge } from './faults';
import type { Leader } from './leader';
import type { Reader } from './reader';
import type { RecordedIds } from './recorded-ids';

const ANSWER_MS = 5_000;
/** An append that may have been written before the connection broke is worth a longer wait for certainty. */
const UNKNOWN_MS = 8_000;
/**
 * With pauses of 50, 100, 200 and 400 ms between them, the caller knows within a second that the log cannot be reached.
 */
const ATTEMPTS = 5;
const PAUSES_MS = { first: 50, longest: 400 };

/**
 * Appends each event exactly once. The server recognises a repeated append only at the same expected revision. So the
 * ids of the stream are checked first, which costs a read only if this process has not seen the stream. When the
 * connection breaks, the outcome of every pending append is unknown, and each is written again at the same revision.
 */
export class Appender {
  constructor(
    private readonly leader: Leader,
    private readonly reader: Reader,
    private readonly names: Names,
    private readonly ids: RecordedIds,
  ) {}

  async append(stream: string, events: EncodedEvent[], expected: ExpectedRevision): Promise<KeptAppend> {
    if (typeof expected === 'number') {
      await this.reader.learn(stream, expected);
      const known = await this.#recorded(stream, events);
      if (known) return known;
    }
    const began = Date.now();
    let until = began + ANSWER_MS;
    const backoff = new Backoff(PAUSES_MS.first, PAUSES_MS.longest);
    for (let attempt = 1; ; attempt += 1) {
      let connection: Connection | undefined;
      try {
        connection = await this.leader.connection(until);
        const written = await this.#write(connection, stream, events, expected, until - Date.now());
        // An earlier attempt may have been written, and the server may only have recognised this one.
        return attempt === 1 ? written : { ...written, repeated: true };
      } catch (error) {
        if (error instanceof Conflict) return this.#conflict(stream, events, expected, error);
        if (isTooLarge(error)) throw new InvalidEvent(events[0]?.type ?? '', error.message);
        if (connection) {
          this.leader.failed(connection, error);
          until = began + UNKNOWN_MS;
        }
        const fault = finalFault(error, stream);
        if (fault) throw fault;
        if (attempt === ATTEMPTS || Date.now() >= until) throw new StoreUnavailable(error);
        await backoff.pause();
      }
    }
  }

  async #write(
    connection: Connection,
    stream: string,
    events: EncodedEvent[],
    expected: ExpectedRevision,
    ms: number,
  ): Promise<KeptAppend> {
    const wait = Math.max(1, Math.min(ms, ANSWER_MS));
    const written = await connection.append(this.names.inLog(stream), events, expected, wait);
    const { revision } = written;
    const first = revision - events.length + 1;
    const seen = events.map(({ id }, nth) => ({ id, revision: first + nth, position: undefined }));
    const position = written.position ?? (await this.#positionOf(stream, revision));
    this.ids.add(
      stream,
      seen.map((event) => (event.revision === revision ? { ...event, position } : event)),
    );
    return { revision, position, ...(written.position === undefined && { repeated: true }) };
  }

  /** If our own events are in the stream already, that is a success, whatever has been appended since. */
  async #conflict(
    stream: string,
    events: EncodedEvent[],
    expected: ExpectedRevision,
    { actual }: Conflict,
  ): Promise<KeptAppend> {
    await this.reader.learn(stream);
    const known = await this.#recorded(stream, events);
    if (known) return known;
    throw new WrongExpectedRevision(stream, expected, actual);
  }

  async #recorded(stream: string, events: EncodedEvent[]): Promise<KeptAppend | undefined> {
    const place = this.ids.find(
      stream,
      events.map(({ id }) => id),
    );
    if (!place) return undefined;
    if (place === 'mixed') throw new EventIdTaken(events[0]?.type ?? '');
    const { revision, position } = place;
    return { revision, position: position ?? (await this.#positionOf(stream, revision)), repeated: true };
  }

  async #positionOf(stream: string, revision: number): Promise<string> {
    const [event] = await this.reader.stream(stream, revision, 1);
    return event?.position ?? '0';
  }
}
