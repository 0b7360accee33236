import {
  BACKWARDS,
  END,
  FORWARDS,
  StreamNotFoundError,
  type EventStoreDBClient,
  type ReadStreamOptions,
  type ResolvedEvent,
} from '@eventstore/db-client';
import type { EncodedEvent } from '../../codec';
import { comparePositions, START, type ExpectedRevision, type Position } from '../../envelope';
import type { KeptEvent } from '../engine';
import { StoreUnavailable, type AppendResult } from '../event-store';
import { keptEvent, positionOf, readPosition } from './events';
import { isFinal } from './faults';

/** A page of `$all`, which holds the server's own events too and cannot be filtered when it is read. */
const PAGE = 500;
/** So many streams are read at a time. */
const STREAMS = 16;
/** How far back an append is looked for that may have been written already. */
const LOOK_BACK = 1_000;

const isBy = (position: Position, upTo: Position | undefined): boolean =>
  upTo === undefined || comparePositions(position, upTo) <= 0;

export class Reader {
  constructor(private readonly client: EventStoreDBClient) {}

  async stream(stream: string, from: number, limit = Number.MAX_SAFE_INTEGER): Promise<KeptEvent[]> {
    return this.#guard(async () => {
      const events: KeptEvent[] = [];
      const options = { direction: FORWARDS, fromRevision: BigInt(from), maxCount: limit } as const;
      for await (const resolved of this.client.readStream(stream, options)) {
        const event = keptEvent(resolved);
        if (event) events.push(event);
      }
      return events;
    }, []);
  }

  async *streams(names: Iterable<string>, upTo: Position | undefined): AsyncGenerator<KeptEvent[]> {
    const waiting = [...new Set(names)].map((stream) => ({ stream, from: 0 }));
    while (waiting.length > 0) {
      const asked = waiting.splice(0, STREAMS);
      const pages = await Promise.all(asked.map(({ stream, from }) => this.stream(stream, from, PAGE)));
      const wanted = pages.map((events) => events.filter(({ position }) => isBy(position, upTo)));
      asked.forEach(({ stream, from }, nth) => {
        if (wanted[nth]?.length === PAGE) waiting.push({ stream, from: from + PAGE });
      });
      const events = wanted.flat();
      if (events.length > 0) yield events;
    }
  }

  async all(after: Position, limit: number): Promise<KeptEvent[]> {
    return this.#guard(async () => {
      const events: KeptEvent[] = [];
      // Where a read begins is included, except at the very start.
      for (let from = after; ;) {
        let seen = 0;
        const options = { direction: FORWARDS, fromPosition: readPosition(from), maxCount: PAGE } as const;
        for await (const resolved of this.client.readAll(options)) {
          const position = positionOf(resolved);
          if (comparePositions(position, from) <= 0) continue;
          seen += 1;
          from = position;
          const event = keptEvent(resolved);
          if (event) events.push(event);
          if (events.length === limit) return events;
        }
        if (seen === 0) return events;
      }
    });
  }

  async head(): Promise<Position> {
    return this.#guard(async () => {
      for (let from: Position | undefined; ;) {
        let seen = 0;
        const options = {
          direction: BACKWARDS,
          fromPosition: from === undefined ? END : readPosition(from),
          maxCount: PAGE,
        } as const;
        for await (const resolved of this.client.readAll(options)) {
          const position = positionOf(resolved);
          if (from !== undefined && comparePositions(position, from) >= 0) continue;
          seen += 1;
          from = position;
          if (keptEvent(resolved)) return position;
        }
        if (seen === 0) return START;
      }
    });
  }

  /** Where these events stand when they have been appended to that stream before, as it was expected then. */
  async find(
    stream: string,
    events: EncodedEvent[],
    expected: ExpectedRevision,
  ): Promise<AppendResult | undefined> {
    const place = expected === 'no_stream' ? 0 : typeof expected === 'number' ? expected + 1 : undefined;
    const options: ReadStreamOptions =
      place === undefined
        ? { direction: BACKWARDS, fromRevision: END, maxCount: LOOK_BACK + events.length }
        : { direction: FORWARDS, fromRevision: BigInt(place), maxCount: events.length };
    return this.#guard(async () => {
      const found: ResolvedEvent[] = [];
      for await (const resolved of this.client.readStream(stream, options)) {
        found.push(resolved);
        if (place === undefined && resolved.event?.id === events[0]?.id) break;
      }
      if (place === undefined) found.reverse();
      const last = found[events.length - 1];
      if (!last || !events.every(({ id }, index) => found[index]?.event?.id === id)) return undefined;
      return { revision: Number(last.event?.revision), position: positionOf(last) };
    }, undefined);
  }

  /** @param none what to answer for a stream that is not there */
  async #guard<T>(read: () => Promise<T>, none?: T): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof StreamNotFoundError && arguments.length > 1) return none as T;
      if (isFinal(error)) throw error;
      throw new StoreUnavailable(error);
    }
  }
}
