import type { Pool, PoolClient } from 'pg';
import type { ExpectedRevision } from '../../envelope';
import type { KeptAppend } from '../engine';
import type { PendingAppend } from './appender';
import { faultOf } from './faults';
import { problemOf } from './outside';
import { byteaArray, int4Array, int8Array, textArray, uuidArray } from './binary-arrays';
import { Forecast } from './forecast';

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
  text: 'select start, recorded_at, outcomes, new_head from log.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
  rowMode: 'array',
} as const;

const APPEND_ONE = {
  name: 'log.append_one',
  text: 'select start, recorded_at, outcome, new_head from log.append_one($1, $2, $3, $4, $5, $6, $7)',
  rowMode: 'array',
} as const;

/**
 * As forecast: without a function, an append takes about half of the database's time. Answers no row, and has written
 * nothing, if the head, the instant or a stream is not as expected. `moved` also holds off other writers.
 */
const ONE_AS_FORECAST = {
  name: 'log.one_as_forecast',
  text: `with moved as (
    update log.head as h set position = h.position + 1, hash = $9, written_at = $8::timestamptz
    where h.hash = $7 and h.moved is null and $4::text <> 'LogMoved' and log.is_instant($8, h.written_at)
      and $2 = coalesce((select max(e.revision) from log.events as e
        where e.stream = $1 and e.position <= h.position), ${NO_STREAM})
    returning h.position
  ), written as (
    insert into log.events select position, $1::text, $2::bigint + 1, $3::uuid, $4, $5::json, $6::json, $8, $9
    from moved
  )
  select position - 1 as start, case when $10::boolean then pg_notify('log_appended', position::text) end
  from moved`,
  rowMode: 'array',
} as const;

const MANY_AS_FORECAST = {
  name: 'log.many_as_forecast',
  text: `with moved as (
    update log.head as h set position = h.position + cardinality($5::uuid[]), hash = $10, written_at = $2::timestamptz
    where h.hash = $1 and h.moved is null and log.is_instant($2, h.written_at)
      and not exists (
        select from unnest($11::text[], $12::bigint[]) as wanted(stream, revision)
        where wanted.revision <> coalesce((select max(e.revision) from log.events as e
          where e.stream = wanted.stream and e.position <= h.position), ${NO_STREAM}))
    returning h.position, h.position - cardinality($5::uuid[]) as start
  ), written as (
    insert into log.events select start + n, stream, revision, id, type, data::json, meta::json, $2, hash
    from moved, unnest($3::text[], $4::bigint[], $5::uuid[], $6::text[], $7::text[], $8::text[], $9::bytea[])
      with ordinality as e(stream, revision, id, type, data, meta, hash, n)
  )
  select start, case when $13::boolean then pg_notify('log_appended', position::text) end from moved`,
  rowMode: 'array',
} as const;

/** Beyond, the database computes as fast as this process, which has other things to do. */
const MAX_FORECAST = 32;

const FIND = {
  name: 'log.find',
  text: `select event_id, stream, revision, position from log.events
    where event_id = any($1) and position + 0 between 1 and (select log.last())`,
  rowMode: 'array',
} as const;

const CLOCK = 'select extract(epoch from clock_timestamp()) * 1000 as now';
/** The quickest of a few answers tells best what time it is there. */
const LOOKS_AT_CLOCK = 3;
/** The functions cut their instants to this. */
const CUT_MS = 1;

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
    try {
      return (await this.#asForecast(connection, batch)) ?? (await this.#asItIs(connection, batch));
    } catch (error) {
      this.#fault(connection, error);
      throw error;
    }
  }

  async #asForecast(connection: PoolClient, batch: PendingAppend[]): Promise<WrittenBatch | undefined> {
    const events = batch.reduce((sum, append) => sum + append.events.length, 0);
    const links = events > MAX_FORECAST ? undefined : this.#forecast.links(batch);
    const hash = links?.hashes.at(-1);
    if (!links || !hash) return undefined;
    const { head, at, hashes } = links;
    const [first] = batch;
    const query =
      first && events === 1
        ? { ...ONE_AS_FORECAST, values: [...parametersOfOne(first), head, at, hash, this.tells()] }
        : {
            ...MANY_AS_FORECAST,
            values: [head, at, ...forecastOf(batch), byteaArray(hashes), hash, ...ends(batch), this.tells()],
          };
    const { rows } = await connection.query<[string]>(query);
    const [row] = rows;
    if (!row) return undefined;
    const written = { start: Number(row[0]), recordedAt: at };
    this.#forecast.wrote({ ...written, position: written.start + events, hash });
    const outcomes = batch.map((append) => expectedCode(append.expected) + append.events.length);
    return { ...written, outcomes };
  }

  async #asItIs(connection: PoolClient, batch: PendingAppend[]): Promise<WrittenBatch> {
    const [first, second] = batch;
    const only = !second && first?.events.length === 1 ? first : undefined;
    const query = only
      ? { ...APPEND_ONE, values: [...parametersOfOne(only), this.tells()] }
      : { ...APPEND, values: [...parameters(batch), this.tells()] };
    const sent = performance.now();
    const { rows } = await connection.query<[string, string, string, Buffer]>(query);
    const [start, recordedAt, outcome, hash] = rows[0]!;
    this.#forecast.measured(Date.parse(recordedAt) + CUT_MS / 2, sent, performance.now());
    const outcomes = only ? [Number(outcome)] : (JSON.parse(outcome) as number[]);
    const events = batch
      .filter((_, index) => (outcomes[index] ?? -1) >= 0)
      .reduce((sum, append) => sum + append.events.length, 0);
    this.#forecast.wrote({ position: Number(start) + events, hash, recordedAt });
    return { start: Number(start), recordedAt, outcomes };
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
    try {
      // For the statement that calls no function.
      await connection.query(`set log.appending = 'on'`);
      for (let look = 0; look < LOOKS_AT_CLOCK; look += 1) {
        const sent = performance.now();
        const { rows } = await connection.query<{ now: string }>(CLOCK);
        this.#forecast.measured(Number(rows[0]?.now), sent, performance.now());
      }
    } catch (error) {
      connection.release(true);
      throw error;
    }
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

const parametersOfOne = ({ stream, expected, events: [event] }: PendingAppend) => [
  stream,
  expectedCode(expected),
  event?.id,
  event?.type,
  event?.data,
  event?.meta,
];

function parameters(batch: PendingAppend[]): Buffer[] {
  const streams = new Map<string, number>();
  const target: number[] = [];
  for (const { stream } of batch) {
    const index = streams.get(stream) ?? streams.size + 1;
    streams.set(stream, index);
    target.push(index);
  }
  const [stream, ...rest] = columns(batch);
  return [
    textArray([...streams.keys()]),
    int4Array(target),
    int8Array(batch.map(({ expected }) => expectedCode(expected))),
    int4Array(batch.map(({ events }) => events.length)),
    stream,
    ...rest,
  ];
}

/** Streams, ids, types, data and meta, by event. */
function columns(batch: PendingAppend[]): [stream: Buffer, ...Buffer[]] {
  const events = batch.flatMap(({ stream, events }) => events.map((event) => ({ stream, event })));
  return [
    textArray(events.map(({ stream }) => stream)),
    uuidArray(events.map(({ event }) => event.id)),
    textArray(events.map(({ event }) => event.type)),
    textArray(events.map(({ event }) => event.data)),
    textArray(events.map(({ event }) => event.meta)),
  ];
}

function forecastOf(batch: PendingAppend[]): Buffer[] {
  const [stream, ...rest] = columns(batch);
  const revisions = batch.flatMap(({ expected, events }) =>
    events.map((_, at) => expectedCode(expected) + 1 + at),
  );
  return [stream, int8Array(revisions), ...rest];
}

/** Each stream, and the revision that it has to have before the batch. */
function ends(batch: PendingAppend[]): [streams: Buffer, revisions: Buffer] {
  const first = new Map<string, number>();
  for (const { stream, expected } of batch) if (!first.has(stream)) first.set(stream, expectedCode(expected));
  return [textArray([...first.keys()]), int8Array([...first.values()])];
}
