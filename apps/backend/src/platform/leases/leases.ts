/**
 * Which process follows which run, and which one does work that only one process may do. A process renews its leases.
 * When it dies, another one takes over with a higher token. All times are the database's, since clocks of machines
 * differ.
 *
 * A dead process is detected by its connection: it holds a lock under a number that is stored in its leases, and
 * Postgres releases the lock when the connection ends. A process that is frozen or cut off keeps its connection, so its
 * leases have to expire. Decision 42 explains why two processes cannot both drive a run.
 */
import { randomInt } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { LastingConnection } from '@quarterdeck/events/store';

export const LEASE_MS = 8000;
export const BEAT_MS = 2000;
/** Key in `app.installation`, set by a restore. While it is set, no scheduled work begins. */
export const HELD = 'held';
/**
 * How long to wait after a connection is gone: a process that only lost its connection renews its leases in this time.
 */
const DOUBT_MS = 900;
/** Any number that all processes of a database share. */
const LOCKS = 517_114;

export interface Lease {
  name: string;
  token: string;
  /** Present if the lease has not expired: number of the connection that vouched for it and is gone. */
  session?: number;
}

interface Found {
  name: string;
  token: string;
  session: number;
  ranOut: boolean;
}

/** After a restart of Postgres all connections are new, so only expiry counts. */
const OVER = `
  with living as materialized (
    select objid::bigint as session from pg_locks
    where locktype = 'advisory' and classid = ${LOCKS}::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()))
  select name, token::text, session, until < clock_timestamp() as "ranOut" from app.leases
  where name ^@ any($1) and (until < clock_timestamp()
    or (holder <> $2 and session not in (select session from living)
      and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $3)))
  limit 100`;

export class Leases {
  /** Id of this process in leases and in everything that they guard. */
  readonly holder = uuidv7();
  /** Leases of this process, and when it last asked to renew each, on the clock of `performance`. */
  private readonly active = new Map<string, number>();
  private readonly lossListeners = new Set<(name: string) => void>();
  /** Number of the lock on our connection; undefined without a connection. */
  private session: number | undefined;
  /** Numbers of other processes whose connection is gone, and since when we know. */
  private readonly gone = new LRUCache<number, number>({ max: 1000 });
  /** Names that the next query will take. Only one such query runs at a time. */
  private wanted: { names: Set<string>; taken: Promise<ReadonlySet<string>> } | undefined;
  private lastTaken: Promise<unknown> = Promise.resolve();
  private beating: NodeJS.Timeout | undefined;
  private lastBeat = Promise.resolve();
  private lastFault = 0;

  constructor(
    private readonly pool: Pool,
    connection: Pick<LastingConnection, 'use'>,
    private readonly onFault: (error: unknown) => void,
  ) {
    connection.use({
      onConnected: async (client) => {
        // A new number each time: the old connection may not have ended yet.
        const session = randomInt(1, 2 ** 31);
        await client.query('select pg_advisory_lock($1, $2)', [LOCKS, session]);
        this.session = session;
        this.renew();
      },
      onLost: () => {
        this.session = undefined;
        this.renew();
      },
    });
  }

  start(): void {
    this.beating = setInterval(() => this.renew(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.beating);
  }

  /** Calls back for a lease that another process took over while this process believed that it held it. */
  onLost(listener: (name: string) => void): void {
    this.lossListeners.add(listener);
  }

  lost(name: string): void {
    if (!this.active.delete(name)) return;
    for (const listener of this.lossListeners) listener(name);
  }

  /** @returns false if any process has it, including this one */
  async acquire(name: string): Promise<boolean> {
    return (await this.insert([name], { evenIfHeld: true })).has(name);
  }

  /**
   * Takes the lease if nobody has it, or its holder is gone. No work begins while scheduled work is held back. Two
   * dozen schedulers call this when the console starts. They share a query, or each would open a connection.
   */
  async take(name: string): Promise<boolean> {
    if (this.wanted === undefined) {
      const names = new Set<string>();
      const taken = this.lastTaken.then(() => {
        this.wanted = undefined;
        return this.takeAll([...names]);
      });
      this.lastTaken = taken.catch(() => undefined);
      this.wanted = { names, taken };
    }
    const { names, taken } = this.wanted;
    // Only one of two callers gets it.
    if (names.has(name)) return false;
    names.add(name);
    return (await taken).has(name);
  }

  private async takeAll(names: string[]): Promise<ReadonlySet<string>> {
    const taken = await this.insert(names, { evenIfHeld: false });
    const over = taken.size < names.length ? await this.expired(...names) : [];
    // `expired` looks for prefixes, and a name may be the prefix of another one.
    const ours = over.filter(({ name }) => names.includes(name));
    if (ours.length === 0 || (await this.areHeld())) return taken;
    for (const lease of ours) if (await this.takeOver(lease)) taken.add(lease.name);
    return taken;
  }

  private async areHeld(): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from app.installation where key = $1', [HELD]);
    return rowCount !== 0;
  }

  private async insert(names: string[], { evenIfHeld }: { evenIfHeld: boolean }): Promise<Set<string>> {
    const asked = performance.now();
    const { rows } = await this.pool.query<{ name: string }>(
      // In a fixed order, so that two processes cannot deadlock.
      `insert into app.leases (name, holder, token, until, session)
       select name, $2, 1, clock_timestamp() + make_interval(secs => $3), $4 from unnest($1::text[]) name
       where $5 or not exists (select from app.installation where key = $6)
       order by name on conflict do nothing returning name`,
      [names, this.holder, LEASE_MS / 1000, this.session, evenIfHeld, HELD],
    );
    for (const { name } of rows) this.active.set(name, asked);
    return new Set(rows.map(({ name }) => name));
  }

  /** False long enough before the lease expires. Our clock starts before the query, so it can only be early. */
  isOurs(name: string): boolean {
    return performance.now() - (this.active.get(name) ?? -Infinity) < LEASE_MS - BEAT_MS;
  }

  async isHeld(name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'select from app.leases where name = $1 and until > clock_timestamp()',
      [name],
    );
    return rowCount === 1;
  }

  /** Stops renewing the lease, so that another process takes over and finds out what became of the run. */
  abandon(name: string): void {
    this.active.delete(name);
  }

  /** Releases the lease for the next process that looks, or for this one after its restart. */
  async handOver(name: string): Promise<void> {
    this.active.delete(name);
    await this.pool.query('update app.leases set until = clock_timestamp() where name = $1 and holder = $2', [
      name,
      this.holder,
    ]);
  }

  async release(name: string): Promise<void> {
    this.active.delete(name);
    await this.pool.query('delete from app.leases where name = $1 and holder = $2', [name, this.holder]);
  }

  /**
   * Leases that have expired, or whose process has died. Dead ones count only if an earlier call found them too.
   * Returns none if this process recently failed to renew its own leases: others may have the same problem.
   */
  async expired(...prefixes: string[]): Promise<Lease[]> {
    if (Date.now() - this.lastFault < LEASE_MS) return [];
    const { rows } = await this.pool.query<Found>({
      name: 'leases-over',
      text: OVER,
      values: [prefixes, this.holder, LEASE_MS / 1000],
    });
    const now = performance.now();
    return rows.flatMap(({ name, token, session, ranOut }) => {
      if (ranOut) return [{ name, token }];
      const since = this.gone.get(session) ?? now;
      this.gone.set(session, since);
      return now - since >= DOUBT_MS ? [{ name, token, session }] : [];
    });
  }

  /** Succeeds for only one of several processes, and for none once the holder has renewed the lease. */
  async takeOver({ name, token, session }: Lease): Promise<boolean> {
    const asked = performance.now();
    const { rowCount } = await this.pool.query(
      `update app.leases set holder = $1, token = token + 1, until = clock_timestamp() + make_interval(secs => $4),
         session = $5
       where name = $2 and token = $3::bigint and (until < clock_timestamp() or session = $6)`,
      [this.holder, name, token, LEASE_MS / 1000, this.session, session],
    );
    if (rowCount === 1) this.active.set(name, asked);
    return rowCount === 1;
  }

  /** One after the other: a late renewal must not restore the number of a connection that is gone. */
  private renew(): void {
    this.lastBeat = this.lastBeat.then(() => this.beat());
  }

  private async beat(): Promise<void> {
    if (this.active.size === 0) return;
    const names = [...this.active.keys()];
    const asked = performance.now();
    try {
      const { rows } = await this.pool.query<{ name: string }>(
        // In the same order in which writers of output lock them.
        `with mine as (
           select name from app.leases where holder = $1 and name = any($2) order by name for update)
         update app.leases l set until = clock_timestamp() + make_interval(secs => $3), session = $4
         from mine where l.name = mine.name returning l.name`,
        [this.holder, names, LEASE_MS / 1000, this.session],
      );
      const held = new Set(rows.map(({ name }) => name));
      for (const name of names)
        if (!held.has(name)) this.lost(name);
        else if (this.active.has(name)) this.active.set(name, asked);
    } catch (error) {
      this.lastFault = Date.now();
      this.onFault(error);
    }
  }
}
