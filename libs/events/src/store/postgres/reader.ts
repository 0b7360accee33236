import type { Pool } from 'pg';
import type { Codec } from '../../codec';
import type { EventMeta, Position, RecordedEvent } from '../../envelope';
import { StoreUnavailable } from '../event-store';
import type { Page } from '../subscriber';

/** Position, stream, revision, type, instant, data, meta; the last two are null beyond what a page may hold. */
type Row = [string, string, string, string, string, unknown, EventMeta];

const COLUMNS = 'position, stream, revision, type, recorded_at::text';

/** So much JSON is read at a time at most, and never less than one event. */
const MAX_BYTES = 8_000_000;

const READ_ALL = {
  name: 'log.read_all',
  text: `select ${COLUMNS}, case when before < ${MAX_BYTES} then data end, case when before < ${MAX_BYTES} then meta end
    from (
      select *, sum(octet_length(data::text)) over (order by position) - octet_length(data::text) as before
      from (select * from log.events where position > $1 order by position limit $2) as page
    ) as sized order by position`,
  rowMode: 'array',
} as const;

const READ_STREAM = {
  name: 'log.read_stream',
  text: `select ${COLUMNS}, data, meta from log.events where stream = $1 and revision >= $2 order by revision limit $3`,
  rowMode: 'array',
} as const;

const HEAD = { name: 'log.position', text: 'select position from log.head', rowMode: 'array' } as const;

export class Reader {
  constructor(
    private readonly pool: Pool,
    private readonly codec: Codec,
  ) {}

  /** Up to `limit` events, fewer where they are large. */
  async page(after: Position, limit: number): Promise<Page> {
    const rows = await this.#query(() => this.pool.query<Row>({ ...READ_ALL, values: [after, limit] }));
    const beyond = rows.findIndex((row) => row[6] === null);
    const events = this.#events(beyond < 0 ? rows : rows.slice(0, beyond));
    return { events, more: rows.length === limit || beyond >= 0 };
  }

  async all(after: Position, limit: number): Promise<RecordedEvent[]> {
    const first = await this.page(after, limit);
    const events = first.events;
    for (let more = first.more; more && events.length < limit;) {
      const page = await this.page(events.at(-1)?.position ?? after, limit - events.length);
      for (const event of page.events) events.push(event);
      more = page.more;
    }
    return events;
  }

  async stream(stream: string, from: number, limit: number | null): Promise<RecordedEvent[]> {
    return this.#events(
      await this.#query(() => this.pool.query<Row>({ ...READ_STREAM, values: [stream, from, limit] })),
    );
  }

  async head(): Promise<Position> {
    try {
      const { rows } = await this.pool.query<[string]>(HEAD);
      return rows[0]?.[0] ?? '0';
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  }

  async #query(run: () => Promise<{ rows: Row[] }>): Promise<Row[]> {
    try {
      return (await run()).rows;
    } catch (error) {
      throw new StoreUnavailable(error);
    }
  }

  #events(rows: Row[]): RecordedEvent[] {
    const instant = instants();
    return rows.map(([position, stream, revision, type, recordedAt, data, meta]) =>
      this.codec.decode({
        type,
        data,
        meta,
        stream,
        revision: Number(revision),
        position,
        recordedAt: instant(recordedAt),
      }),
    );
  }
}

/** `2026-11-20 13:46:47.1+00` to ISO. Events of one batch share their instant, so that one in many is converted. */
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
