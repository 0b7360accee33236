import type { Pool } from 'pg';
import { isBy, isPast, type Position } from '../../envelope';
import type { KeptEvent, Pages } from '../engine';
import { LogDamaged } from '../event-store';
import type { Page } from '../subscriber';
import { unavailable } from './faults';

/**
 * Position, stream, revision, id, type, instant, data, meta. The last two are null if they exceed the page's byte
 * limit.
 */
type Row = [string, string, string, string, string, string, string | null, string | null];

const COLUMNS = 'position, stream, revision, event_id, type, recorded_at::text';
/** Every column as the text that Postgres sends: the text of `data` and `meta` was hashed and tagged. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** Limit of JSON per page. A page has at least one event. */
const MAX_BYTES = 8_000_000;

/** How many streams are read at once, and how many events of each. */
const STREAMS = 64;
const OF_EACH = 250;

/** SQL of the newest position. */
const LAST = 'select log.last()';
/** The same in a log that an earlier version made, which had no such function. */
const LAST_OF_OLD = 'select position from log.head';

/**
 * Not a condition for the index of positions: nearly every event is between them, and Postgres, which does not know that, would
 * read all of that index for each stream.
 */
const upTo = (last: string): string => `position + 0 between 1 and (${last})`;

/** @param last SQL of the newest position, which no reader goes past */
const queriesOf = (last: string) =>
  ({
    all: {
      name: 'log.read_all',
      text: `select ${COLUMNS}, case when before < ${MAX_BYTES} then data end, case when before < ${MAX_BYTES} then meta end
        from (
          select *, sum(octet_length(data::text)) over (order by position) - octet_length(data::text) as before
          from (select * from log.events where position > $1 and position <= (${last}) order by position limit $2) as page
        ) as sized order by position`,
      rowMode: 'array',
      types: AS_TEXT,
    },
    stream: {
      name: 'log.read_stream',
      text: `select ${COLUMNS}, data, meta from log.events
        where stream = $1 and revision >= $2 and ${upTo(last)} order by revision limit $3`,
      rowMode: 'array',
      types: AS_TEXT,
    },
    /** For a longer stream, at most one page is read beyond the position. */
    streams: {
      name: 'log.read_streams',
      text: `select ${COLUMNS}, data, meta
        from unnest($1::text[], $2::bigint[]) as wanted(name, "from") cross join lateral (
          select * from log.events
          where stream = wanted.name and revision >= wanted."from" and ${upTo(last)}
          order by revision limit ${OF_EACH}
        ) as page where $3::bigint is null or position <= $3`,
      rowMode: 'array',
      types: AS_TEXT,
    },
    head: { name: 'log.position', text: last, rowMode: 'array' },
  }) as const;

/** The rest of a stream from that revision on. */
interface Rest {
  stream: string;
  from: number;
}

export class Reader {
  #queries = queriesOf(LAST);

  constructor(private readonly pool: Pool) {}

  /** Reads a log that an earlier version made and that is not migrated. @throws LogDamaged */
  async asItIs(): Promise<void> {
    const [found] = await this.#query(() =>
      this.pool.query<{ whole: boolean; old: boolean }>(
        `select exists (select from log.head) as whole, to_regprocedure('log.last()') is null as old`,
      ),
    );
    // Without it, the log would look empty.
    if (!found?.whole) throw new LogDamaged('the head row of the event log is missing');
    if (found.old) this.#queries = queriesOf(LAST_OF_OLD);
  }

  /** Up to `limit` events, fewer where they are large. */
  async page(after: Position, limit: number): Promise<Page> {
    const rows = await this.#query(() =>
      this.pool.query<Row>({ ...this.#queries.all, values: [after, limit] }),
    );
    const beyond = rows.findIndex((row) => row[7] === null);
    const events = this.#events(beyond < 0 ? rows : rows.slice(0, beyond));
    return { events, more: rows.length === limit || beyond >= 0 };
  }

  async all(after: Position, limit: number): Promise<KeptEvent[]> {
    const first = await this.page(after, limit);
    const events = first.events;
    for (let more = first.more; more && events.length < limit;) {
      const page = await this.page(events.at(-1)?.position ?? after, limit - events.length);
      for (const event of page.events) events.push(event);
      more = page.more;
    }
    return events;
  }

  /** Fetches the next page while the caller works on the last. */
  async *pages(after: Position, { upTo, size }: Pages): AsyncGenerator<KeptEvent[]> {
    for (let next = this.page(after, size); ;) {
      const { events, more } = await next;
      const last = events.at(-1);
      if (!last) return;
      const goesOn = more && !isPast(last.position, upTo);
      if (goesOn) {
        next = this.page(last.position, size);
        // If the caller stops reading, nobody awaits this promise, so its failure must not go unhandled.
        next.catch(() => undefined);
      }
      const wanted = events.filter(({ position }) => isBy(position, upTo));
      if (wanted.length > 0) yield wanted;
      if (!goesOn) return;
    }
  }

  async stream(stream: string, from: number, limit: number | null): Promise<KeptEvent[]> {
    return this.#events(
      await this.#query(() =>
        this.pool.query<Row>({ ...this.#queries.stream, values: [stream, from, limit] }),
      ),
    );
  }

  async *streams(names: Iterable<string>, upTo: Position | undefined): AsyncGenerator<KeptEvent[]> {
    const waiting = [...new Set(names)].map((stream): Rest => ({ stream, from: 0 }));
    const read = () => {
      const page = this.#pageOf(waiting.splice(0, STREAMS), upTo);
      // If the caller stops here, nobody awaits the next page, so its error must not go unhandled.
      page.catch(() => undefined);
      return page;
    };
    for (let page = waiting.length > 0 ? read() : undefined; page;) {
      const { events, rest } = await page;
      waiting.unshift(...rest);
      // Read the next page while the caller works on this one.
      page = waiting.length > 0 ? read() : undefined;
      if (events.length > 0) yield events;
    }
  }

  async head(): Promise<Position> {
    try {
      const { rows } = await this.pool.query<[string]>(this.#queries.head);
      return rows[0]?.[0] ?? '0';
    } catch (error) {
      throw unavailable(error);
    }
  }

  async #pageOf(
    asked: readonly Rest[],
    upTo: Position | undefined,
  ): Promise<{ events: KeptEvent[]; rest: Rest[] }> {
    const values = [asked.map(({ stream }) => stream), asked.map(({ from }) => from), upTo ?? null];
    const rows = await this.#query(() => this.pool.query<Row>({ ...this.#queries.streams, values }));
    const ofStreams = new Map(asked.map(({ stream }): [string, KeptEvent[]] => [stream, []]));
    for (const event of this.#events(rows)) ofStreams.get(event.stream)?.push(event);
    const rest = asked.flatMap(({ stream, from }) =>
      ofStreams.get(stream)?.length === OF_EACH ? [{ stream, from: from + OF_EACH }] : [],
    );
    // SQL does not define the order of a join.
    const inOrder = [...ofStreams.values()].map((events) => events.sort((a, b) => a.revision - b.revision));
    return { events: inOrder.flat(), rest };
  }

  async #query<T>(run: () => Promise<{ rows: T[] }>): Promise<T[]> {
    try {
      return (await run()).rows;
    } catch (error) {
      throw unavailable(error);
    }
  }

  #events(rows: Row[]): KeptEvent[] {
    const instant = instants();
    return rows.map(([position, stream, revision, id, type, recordedAt, data, meta]) => ({
      id,
      type,
      data: data ?? '',
      meta: meta ?? '',
      stream,
      revision: Number(revision),
      position,
      recordedAt: instant(recordedAt),
    }));
  }
}

/**
 * Converts `2026-11-20 13:46:47.1+00` to ISO. Events of one batch share their instant, so few conversions are needed.
 */
function instants(): (text: string) => string {
  let last = '';
  let iso = '';
  return (text) => {
    if (text !== last) {
      iso = new Date(text).toISOString();
      last = text;
    }
    return iso;
  };
}
