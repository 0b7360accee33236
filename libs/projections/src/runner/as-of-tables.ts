/**
 * Queries on the read models at an instant. Rows that have not changed since then come from the present table. When a
 * query uses a read model, its other rows are folded again from their streams, up to the instant, into temporary
 * tables. In such a query `read.servers` is the union of both, so every query works unchanged for the past.
 */
import { comparePositions, type Position } from '@quarterdeck/events';
import type { EventStore } from '@quarterdeck/log/store';
import { LRUCache } from 'lru-cache';
import pg, { Client, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import type { AnyProjection } from '../define-projection';
import { AsOf } from './as-of';
import { asJson } from './batch-statement';
import { continuedStreams, recent, streamsOf, type Instant, type Streams } from './as-of-streams';
import type { Row } from './row';
import { columnsOf, createTable, orderedIndexes, quoted, viewOf, writeRows } from './tables';

export interface AsOfTablesOptions {
  connectionString: string;
  store: EventStore;
  projections: readonly AnyProjection[];
  /** Other tables, by name with schema: a query (without parentheses) for their contents at an instant. */
  timed?: Readonly<Record<string, (at: string) => string>>;
  /** Called when the connection is lost. The next query opens another. */
  onFault?: (error: unknown) => void;
}

/** Changes since an instant, up to the position `seen`. */
interface Changed {
  seen: Position;
  /** Streams that existed at the instant and have changed since. */
  streams: Streams;
  /** Only for the projections that somebody asked for. */
  tables: ReadonlyMap<string, ChangedRows>;
}

interface ChangedRows {
  seen: Position;
  /** Unset while no row differs. */
  table?: string;
  keys: ReadonlySet<string>;
  /** Streams already folded up to the instant. The result does not change any more. */
  folded: ReadonlySet<string>;
}

/** How many instants are kept. Each is a few temporary tables, which are built again if needed. */
const REMEMBERED = 32;
const REMEMBERED_ROWS = 500_000;
/** How many rows one statement writes. */
const AT_ONCE = 1_000;
const STATEMENT_MS = 20_000;

export class AsOfTables {
  readonly #projections: ReadonlyMap<string, AnyProjection>;
  /**
   * A separate connection, so that the past never takes one from the present. Its temporary tables are private and
   * vanish with it.
   */
  #client: Promise<Client> | undefined;
  #known = remembered(() => undefined);
  #last: Promise<unknown> = Promise.resolve();
  #tables = 0;

  constructor(readonly options: AsOfTablesOptions) {
    this.#projections = new Map(options.projections.map((projection) => [projection.name, projection]));
  }

  /** Runs one query at a time, read-only. */
  query<R extends QueryResultRow>(
    instant: Instant,
    query: string | QueryConfig,
    values?: unknown[],
  ): Promise<QueryResult<R>> {
    // Drops the name of a prepared statement, because the SQL text differs for each instant.
    const { text, values: given = [] } = typeof query === 'string' ? { text: query, values } : query;
    const answer = this.#last.then(() => this.#answer<R>(instant, text, given));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async stop(): Promise<void> {
    await this.#last;
    await this.#client?.then((client) => client.end()).catch(() => undefined);
  }

  async #answer<R extends QueryResultRow>(
    instant: Instant,
    text: string,
    values: unknown[],
  ): Promise<QueryResult<R>> {
    const client = await this.#connected();
    const known = this.#known;
    // Both steps need the same snapshot. Otherwise a change between them would be missed.
    await client.query('begin isolation level repeatable read');
    try {
      const key = `${instant.workspace} ${instant.position}`;
      const before = known.get(key);
      const wanted = this.#wanted(text);
      const changed =
        wanted.length > 0
          ? await this.#lookOn(client, instant, before, wanted)
          : (before ?? unchangedSince(instant));
      await client.query('set transaction read only');
      const result = await client.query<R>(this.#inPast(text, instant, changed), values);
      await client.query('commit');
      if (wanted.length > 0 && changed !== before) known.set(key, changed);
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  }

  #connected(): Promise<Client> {
    if (this.#client) return this.#client;
    const client = new Client({
      connectionString: this.options.connectionString,
      application_name: 'quarterdeck past',
      statement_timeout: STATEMENT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const known = remembered(({ tables }) => {
      for (const { table } of tables.values())
        if (table !== undefined)
          client.query(`drop table if exists pg_temp.${quoted(table)}`).catch(() => undefined);
    });
    this.#known = known;
    const connected = client.connect().then(() => client);
    this.#client = connected;
    const lost = (error?: unknown): void => {
      if (this.#client !== connected) return;
      this.#client = undefined;
      if (error) this.options.onFault?.(error);
    };
    client.on('error', lost);
    client.on('end', () => lost());
    connected.catch(lost);
    return connected;
  }

  /** The read models that a query uses. */
  #wanted(text: string): AnyProjection[] {
    const names = new Set(Array.from(text.matchAll(/\bread\.(\w+)/g), ([, name]) => name));
    return [...this.#projections.values()].filter(({ name, appendOnly }) => names.has(name) && !appendOnly);
  }

  /** Adds what has changed since the last look. Returns the same object if nothing has. */
  async #lookOn(
    client: Client,
    instant: Instant,
    before: Changed | undefined,
    wanted: readonly AnyProjection[],
  ): Promise<Changed> {
    const known = before ?? unchangedSince(instant);
    const found = await recent(client, this.options.store, instant);
    const seen = comparePositions(found.seen, known.seen) > 0 ? found.seen : known.seen;
    const streams =
      seen === known.seen ? known.streams : await continuedStreams(client, instant, found, before);
    const seenBy = ({ later }: AnyProjection): Position => (later ? found.written : seen);
    const late = wanted.filter((one) => known.tables.get(one.name)?.seen !== seenBy(one));
    if (seen === known.seen && (late.length === 0 || streams.size === 0)) return known;
    const tables = new Map(known.tables);
    for (const projection of late) {
      const rows = tables.get(projection.name) ?? { keys: new Set(), folded: new Set() };
      const changed = await this.#foldInto(client, { projection, instant, streams }, rows);
      tables.set(projection.name, { ...changed, seen: seenBy(projection) });
    }
    return { seen, streams, tables };
  }

  async #foldInto(
    client: Client,
    { projection, instant, streams }: { projection: AnyProjection; instant: Instant; streams: Streams },
    before: Omit<ChangedRows, 'seen'>,
  ): Promise<Omit<ChangedRows, 'seen'>> {
    const { workspace, position } = instant;
    const names = await streamsOf(client, projection, streams, { position, except: before.folded });
    if (names.length === 0) return before;
    const past = new AsOf(projection, { workspace });
    for await (const events of this.options.store.readStreams(names, { upTo: position })) past.apply(events);
    const kept = await this.#keep(client, { projection, position }, past.rows(), before);
    return { ...kept, folded: new Set([...before.folded, ...names]) };
  }

  /** Writes the rows that differ from the present table or are missing there. */
  async #keep(
    client: Client,
    { projection, position }: { projection: AnyProjection; position: Position },
    rows: Map<string, Row>,
    before: Pick<ChangedRows, 'table' | 'keys'>,
  ): Promise<Pick<ChangedRows, 'table' | 'keys'>> {
    const fresh = [...rows].filter(([key]) => !before.keys.has(key));
    if (fresh.length === 0) return before;
    const { rows: same } = await client.query<{ id: string }>(
      `select id from ${viewOf(projection)} where id = any($1) and position <= $2`,
      [fresh.map(([key]) => key), position],
    );
    const unchanged = new Set(same.map(({ id }) => id));
    const wanted = fresh.filter(([key]) => !unchanged.has(key));
    if (wanted.length === 0) return before;
    const table = before.table ?? `${projection.name}_${(this.#tables += 1)}`;
    const target = { projection, table };
    const name = `pg_temp.${quoted(table)}`;
    if (before.table === undefined) await client.query(createTable(target, 'temporary'));
    for (let from = 0; from < wanted.length; from += AT_ONCE)
      await client.query(writeRows(target, 'insert', '$1', { temporary: true }), [
        asJson(wanted.slice(from, from + AT_ONCE)),
      ]);
    if (before.table === undefined)
      for (const statement of [...orderedIndexes(target, name), `analyze ${name}`])
        await client.query(statement);
    return { table, keys: new Set([...before.keys, ...wanted.map(([key]) => key)]) };
  }

  #inPast(text: string, instant: Instant, { tables }: Changed): string {
    return text.replace(/\b(?:read|app)\.\w+/g, (name) => {
      const timed = this.options.timed?.[name];
      if (timed) return `(${timed(pg.escapeLiteral(instant.at))})`;
      const projection = this.#projections.get(name.replace('read.', ''));
      if (!projection) return name;
      return `(${this.#rowsAt(projection, instant, tables.get(projection.name))})`;
    });
  }

  /**
   * The conditions are outside of the union. Over a union of bare tables Postgres can use the order of their indexes,
   * and finds the newest row of a subject without reading the others.
   */
  #rowsAt(projection: AnyProjection, instant: Instant, changed: ChangedRows | undefined): string {
    const columns = columnsOf(projection).join(', ');
    const present = `select ${columns} from ${viewOf(projection)}`;
    const rows =
      changed?.table === undefined
        ? present
        : `${present} union all select ${columns} from pg_temp.${quoted(changed.table)}`;
    const position = BigInt(instant.position);
    const { madeBy, hiddenBy } = projection;
    const conditions = [
      `workspace = ${pg.escapeLiteral(instant.workspace)}`,
      `position <= ${position}`,
      ...(madeBy === undefined ? [] : [`${quoted(madeBy)} <= ${position}`]),
      ...(hiddenBy === undefined ? [] : [`${quoted(hiddenBy)} is null`]),
    ];
    return `select ${columns} from (${rows}) as rows_at where ${conditions.join(' and ')}`;
  }
}

const unchangedSince = ({ position }: Instant): Changed => ({
  seen: position,
  streams: new Map(),
  tables: new Map(),
});

const remembered = (forget: (changed: Changed) => void) =>
  new LRUCache<string, Changed>({
    max: REMEMBERED,
    maxSize: REMEMBERED_ROWS,
    // An instant larger than the limit is kept as well, but alone.
    sizeCalculation: ({ tables }) =>
      Math.min(
        [...tables.values()].reduce((sum, { keys, folded }) => sum + keys.size + folded.size, 1),
        REMEMBERED_ROWS,
      ),
    dispose: (changed, _key, reason) => {
      if (reason === 'evict') forget(changed);
    },
  });
