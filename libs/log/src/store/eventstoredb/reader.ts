import { setTimeout as sleep } from 'node:timers/promises';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { comparePositions, isBy, isPast, START, type Position } from '../../envelope';
import type { KeptEvent, Pages } from '../engine';
import { StoreUnavailable, StreamCut } from '../event-store';
import type { Connection } from './connection';
import { eventIn, idOf, positionOf, revisionOf, type Names, type Raw } from './events';
import { finalFault } from './faults';
import type { Leader } from './leader';
import type { RecordedIds } from './recorded-ids';
import { readAllRequest, readStreamRequest, type Filter, type ReadAll } from './requests';
import { Source } from './source';

const PAGE = 500;
/** A page of large events is shorter. */
const PAGE_BYTES = 8 * 1024 * 1024;
/** How many streams are read at once. */
const STREAMS = 16;
/** Every call ends within this time if the log has stopped answering. */
const READ_MS = 4_000;
const LEAST_MS = 1_000;
const PAUSE_MS = 50;
/** The server may have to search through many events of other programs before it finds one of ours. */
const SEARCH_MS = 60_000;

export class Reader {
  /** The end of the log at the last look, and our last event at that time. */
  #end: { all: Position; ours: Position } | undefined;

  constructor(
    private readonly leader: Leader,
    private readonly names: Names,
    private readonly ids: RecordedIds,
  ) {}

  async stream(stream: string, from: number, limit?: number): Promise<KeptEvent[]> {
    return this.#ours(await this.#stream(stream, from, limit));
  }

  /** @throws StreamCut if the server hides the first of these events */
  async uncut(stream: string, from: number, limit?: number): Promise<KeptEvent[]> {
    const found = await this.#stream(stream, from, limit);
    const [first] = found;
    if (first && revisionOf(first) > from)
      throw new StreamCut(stream, `it begins with event ${revisionOf(first)}`);
    return this.#ours(found);
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

  /** Remembers the ids in a stream up to its end, or up to a revision. */
  async learn(stream: string, upTo = Number.MAX_SAFE_INTEGER): Promise<void> {
    const from = this.ids.upTo(stream) + 1;
    if (from <= upTo) await this.#stream(stream, from, upTo - from + 1);
  }

  async all(after: Position, limit: number): Promise<KeptEvent[]> {
    const events: KeptEvent[] = [];
    for (let from = after; ;) {
      // The first event of a read is inclusive, except at the very start.
      const count = limit - events.length + (from === START ? 0 : 1);
      const page = await this.#all({ from, count, filter: this.names.filter });
      for (const raw of page) {
        const event = comparePositions(positionOf(raw), from) > 0 ? this.names.kept(raw) : undefined;
        if (event) events.push(event);
      }
      const last = page.at(-1);
      if (events.length === limit || page.length < count || !last) return events;
      from = positionOf(last);
    }
  }

  /** One call of the server, as long as it lasts. After a fault another one goes on behind the last page. */
  async *pages(after: Position, { upTo, size }: Pages): AsyncGenerator<KeptEvent[]> {
    let from = after;
    for (let attempt = 1; ; attempt += 1) {
      let connection: Connection | undefined;
      let source: Source | undefined;
      try {
        connection = await this.leader.connection(Date.now() + READ_MS);
        const filter = this.names.filter;
        source = new Source(connection, readAllRequest({ from, count: Number.MAX_SAFE_INTEGER, filter }));
        for (let more = true; more;) {
          const page = await this.#pulled(source, from, size);
          const last = page.at(-1)?.position;
          more = !source.ended && last !== undefined && !isPast(last, upTo);
          const wanted = page.filter(({ position }) => isBy(position, upTo));
          if (wanted.length > 0) yield wanted;
          from = last ?? from;
          attempt = 0;
        }
        return;
      } catch (error) {
        if (connection) this.leader.failed(connection, error);
        const fault = finalFault(error, undefined);
        if (fault) throw fault;
        if (!connection || attempt > 1) throw new StoreUnavailable(error);
        await sleep(PAUSE_MS);
      } finally {
        source?.close();
      }
    }
  }

  /** The first event of a read is inclusive. */
  async #pulled(source: Source, after: Position, size: number): Promise<KeptEvent[]> {
    const page: KeptEvent[] = [];
    for (let bytes = 0; page.length < size && bytes < PAGE_BYTES;) {
      const answer = source.take();
      if (!answer && source.ended) break;
      if (!answer) {
        await source.more();
        continue;
      }
      const raw = eventIn(answer);
      const event = raw && comparePositions(positionOf(raw), after) > 0 ? this.names.kept(raw) : undefined;
      if (!event) continue;
      page.push(event);
      bytes += event.data.length + event.meta.length;
    }
    return page;
  }

  /**
   * Position of our last event. If others write to the log too, it may be far from the end. So only what was added
   * since the last look is searched.
   */
  async head(): Promise<Position> {
    const [newest] = await this.#all({ backwards: true, count: 1 });
    if (!newest) return START;
    const all = positionOf(newest);
    const known = this.#end;
    if (this.names.owns(newest)) this.#end = { all, ours: all };
    else if (known?.all !== all) {
      const since = known ? await this.all(known.all, 1) : undefined;
      const ours = known && since?.length === 0 ? known.ours : await this.#last();
      this.#end = { all: comparePositions(all, ours) > 0 ? all : ours, ours };
    }
    return this.#end?.ours ?? START;
  }

  async #last(): Promise<Position> {
    const newest = await this.newest();
    return newest ? positionOf(newest) : START;
  }

  /** Passes on every event that matches the filter, until `take` returns true, however long the server searches. */
  search(filter: Filter, take: (event: Raw) => boolean | void, from?: Position): Promise<void> {
    return this.#read(
      readAllRequest({ from, count: Number.MAX_SAFE_INTEGER, filter }),
      (answer) => {
        const event = eventIn(answer);
        return event && take(event);
      },
      Infinity,
    );
  }

  /** Position of the newest event of any writer. */
  async end(): Promise<Position> {
    const [newest] = await this.#all({ backwards: true, count: 1 });
    return newest ? positionOf(newest) : START;
  }

  /** Our last event. */
  async newest(): Promise<Raw | undefined> {
    for (let from: Position | undefined, count = 1; ; count = PAGE) {
      const page = await this.#all({ from, backwards: true, count, filter: this.names.filter });
      const event = page.find((raw) => this.names.owns(raw));
      if (event) return event;
      const last = page.at(-1);
      if (!last || page.length < count) return undefined;
      from = positionOf(last);
    }
  }

  #ours(events: readonly Raw[]): KeptEvent[] {
    return events.flatMap((raw) => this.names.kept(raw) ?? []);
  }

  async #stream(stream: string, from: number, limit = Number.MAX_SAFE_INTEGER): Promise<Raw[]> {
    const events = await this.#page(
      readStreamRequest(this.names.inLog(stream), from, limit),
      READ_MS,
      stream,
    );
    if (from <= this.ids.upTo(stream) + 1)
      this.ids.add(
        stream,
        events.map((raw) => ({ id: idOf(raw), revision: revisionOf(raw), position: positionOf(raw) })),
      );
    return events;
  }

  #all(wanted: ReadAll): Promise<Raw[]> {
    return this.#page(readAllRequest(wanted), wanted.filter ? SEARCH_MS : READ_MS);
  }

  async #page(request: streams.ReadReq, ms: number, stream?: string): Promise<Raw[]> {
    let events: Raw[] = [];
    await this.#read(
      request,
      (answer) => {
        const event = eventIn(answer);
        if (event) events.push(event);
      },
      ms,
      () => (events = []),
      stream,
    );
    return events;
  }

  /** Tries twice, since the leader may be replaced during the read. */
  async #read(
    request: streams.ReadReq,
    take: (answer: streams.ReadResp) => boolean | void,
    ms: number,
    again?: () => void,
    stream?: string,
  ): Promise<void> {
    const until = Date.now() + READ_MS;
    for (let attempt = 1; ; attempt += 1) {
      let connection: Connection | undefined;
      try {
        connection = await this.leader.connection(until);
        return await connection.read(
          request,
          take,
          Math.max(LEAST_MS, Math.min(ms, ms + until - Date.now() - READ_MS)),
        );
      } catch (error) {
        if (connection) this.leader.failed(connection, error);
        const fault = finalFault(error, stream);
        if (fault) throw fault;
        if (!again || !connection || attempt > 1 || Date.now() > until) throw new StoreUnavailable(error);
        again();
        await sleep(PAUSE_MS);
      }
    }
  }
}
