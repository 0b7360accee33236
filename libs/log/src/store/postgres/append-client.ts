import type { Pool, PoolClient } from 'pg';
import type { ExpectedRevision } from '../../envelope';
import type { KeptAppend } from '../engine';
import type { PendingAppend } from './appender';
import { faultOf } from './faults';
import { problemOf } from './outside';
import { byteaArray, int4Array, int8Array, textArray, uuidArray } from './binary-arrays';
import { Forecast, type Links } from './forecast';

export interface WrittenBatch {
  /** Position before the first event of the batch. */
  start: number;
  recordedAt: string;
  /** Per append: the stream's last revision, or -2 minus the actual one on a conflict. */
  outcomes: number[];
}

const NO_STREAM = -1;
const expectedCode = (expected: ExpectedRevision): number =>
  expected === 'no_stream' ? NO_STREAM : expected;

const APPEND = {
  name: 'log.append',
  text: `select start, recorded_at, outcomes, new_head
    from log.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
  rowMode: 'array',
} as const;

const APPEND_ONE = {
  name: 'log.append_one',
  text: `select start, recorded_at, outcome, new_head
    from log.append_one($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  rowMode: 'array',
} as const;

const FIND = {
  name: 'log.find',
  text: `select event_id, stream, revision, position from log.events
    where event_id = any($1) and position between 1 and (select log.last())`,
  rowMode: 'array',
} as const;

/** The only connection that writes. It is kept as long as it works. */
export class AppendClient {
  #connection: PoolClient | undefined;
  readonly #forecast = new Forecast();

  constructor(
    private readonly pool: Pool,
    /** Whether another process has to be told about an append. */
    private readonly tells: () => boolean,
  ) {}

  async append(batch: PendingAppend[]): Promise<WrittenBatch> {
    // If there is a connection, nothing is awaited before the batch is on the socket. So the work of the callers and of
    // the database overlaps.
    const connection = this.#connection ?? (await this.#connect());
    const links = this.#forecast.links(batch);
    const query = queryOf(batch, links, this.tells());
    try {
      const { rows } = await connection.query<[string, string, string, Buffer | null]>(query);
      const [start, recordedAt, outcome, newHead] = rows[0]!;
      const outcomes = query.name === APPEND.name ? (JSON.parse(outcome) as number[]) : [Number(outcome)];
      const written = batch.reduce(
        (sum, { events }, index) => sum + ((outcomes[index] ?? -1) < 0 ? 0 : events.length),
        0,
      );
      const hash = newHead ?? links?.hashes.at(-1);
      if (hash) this.#forecast.wrote({ position: Number(start) + written, hash, recordedAt });
      return { start: Number(start), recordedAt, outcomes };
    } catch (error) {
      this.#fault(connection, error);
      throw error;
    }
  }

  /** Id of the database process that writes. Its notifications are about this process's own appends. */
  get process(): number | undefined {
    return (this.#connection as (PoolClient & { processID?: number }) | undefined)?.processID;
  }

  /** Tells others about the head, after whatever is being written. */
  tell(): void {
    void this.#connection
      ?.query(`select pg_notify('log_appended', position::text) from log.head`)
      .catch(() => undefined);
  }

  /**
   * Looks up which of these ids are in the log. The returned function says whether an append was written as a whole.
   */
  async find(ids: string[]): Promise<(append: PendingAppend) => KeptAppend | undefined> {
    const { rows } = await this.pool.query<[string, string, string, string]>({
      ...FIND,
      values: [uuidArray(ids)],
    });
    const found = new Map(
      rows.map(([id, stream, revision, position]) => [id, { stream, revision, position }]),
    );
    return ({ stream, events }) => {
      const places = events.map(({ id }) => found.get(id));
      const first = Number(places[0]?.revision);
      const together = places.every(
        (place, index) => place?.stream === stream && Number(place.revision) === first + index,
      );
      const last = places.at(-1);
      return together && last
        ? { revision: Number(last.revision), position: last.position, repeated: true }
        : undefined;
    };
  }

  /** Why nothing can be appended, in words. */
  problem(): Promise<string | undefined> {
    return problemOf(this.pool);
  }

  close(): void {
    this.#connection?.release();
    this.#connection = undefined;
  }

  async #connect(): Promise<PoolClient> {
    const connection = await this.pool.connect();
    connection.on('error', (error) => this.#fault(connection, error));
    this.#connection = connection;
    return connection;
  }

  /** After an error about the data the connection can be reused. After any other error it is discarded. */
  #fault(connection: PoolClient, error: unknown): void {
    if (connection !== this.#connection || faultOf(error) !== 'unavailable') return;
    this.#connection = undefined;
    connection.release(true);
  }
}

const queryOf = (batch: PendingAppend[], links: Links | undefined, tells: boolean) => {
  const [first, second] = batch;
  const { head, at, hashes } = links ?? { head: null, at: null, hashes: null };
  if (!first || second || first.events.length > 1) {
    const sent = hashes && byteaArray(hashes);
    return { ...APPEND, values: [...parameters(batch), head, at, sent, tells] };
  }
  const [event] = first.events;
  const values = [
    first.stream,
    expectedCode(first.expected),
    event?.id,
    event?.type,
    event?.data,
    event?.meta,
    head,
    at,
    hashes?.[0] ?? null,
    tells,
  ];
  return { ...APPEND_ONE, values };
};

function parameters(batch: PendingAppend[]): Buffer[] {
  const streams = new Map<string, number>();
  const target: number[] = [];
  for (const { stream } of batch) {
    const index = streams.get(stream) ?? streams.size + 1;
    streams.set(stream, index);
    target.push(index);
  }
  const events = batch.flatMap(({ stream, events }) => events.map((event) => ({ stream, event })));
  return [
    textArray([...streams.keys()]),
    int4Array(target),
    int8Array(batch.map(({ expected }) => expectedCode(expected))),
    int4Array(batch.map(({ events }) => events.length)),
    textArray(events.map(({ stream }) => stream)),
    uuidArray(events.map(({ event }) => event.id)),
    textArray(events.map(({ event }) => event.type)),
    textArray(events.map(({ event }) => event.data)),
    textArray(events.map(({ event }) => event.meta)),
  ];
}
