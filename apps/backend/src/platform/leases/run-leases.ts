/**
 * Who follows which run. A process renews the leases of the runs that it follows; when it dies another process takes
 * over under a higher token. Time is the database's: clocks of machines differ.
 *
 * A dead process is known at once by its connection: it holds a lock under a number that its leases hold, and
 * Postgres lets go of it when the connection ends. A process that is frozen or cut off keeps its connection: its leases
 * run out. Why two processes cannot both drive a run is decision 42.
 */
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { LastingConnection } from '../database';

export const LEASE_MS = 8000;
const BEAT_MS = 2000;
/** A process that only lost its connection has renewed its leases by then. */
const DOUBT_MS = 900;
/** Any number: what matters is that every process of one database uses the same. */
const LOCKS = 517_114;

export interface Lease {
  name: string;
  token: string;
  /** Given where it has not run out: the connection that vouched for it is no more. */
  session?: number;
}

interface Found {
  name: string;
  token: string;
  session: number;
  ranOut: boolean;
}

/** After a restart of Postgres all connections are new: then only time tells. */
const OVER = `
  with living as materialized (
    select objid::bigint as session from pg_locks
    where locktype = 'advisory' and classid = ${LOCKS}::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()))
  select name, token::text, session, until < clock_timestamp() as "ranOut" from app.leases
  where starts_with(name, $1) and (until < clock_timestamp()
    or (holder <> $2 and session not in (select session from living)
      and pg_postmaster_start_time() < clock_timestamp() - make_interval(secs => $3)))
  limit 100`;

export class RunLeases {
  /** This process, as leases and what they guard know it. */
  readonly holder = uuidv7();
  private readonly active = new Set<string>();
  private readonly lossListeners = new Set<(name: string) => void>();
  private readonly connection: LastingConnection;
  /** The number of the lock that our connection holds; none while there is no connection. */
  private session: number | undefined;
  /** Sessions of others that are no more, and since when we know. */
  private gone = new Map<number, number>();
  private beating: NodeJS.Timeout | undefined;
  private lastBeat = Promise.resolve();
  private lastFault = 0;

  constructor(
    private readonly pool: Pool,
    connectionString: string,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.connection = new LastingConnection({
      connectionString,
      name: 'run leases',
      onConnected: async (client) => {
        // Another one each time: the old one may not have ended yet.
        const session = randomInt(1, 2 ** 31);
        await client.query('select pg_advisory_lock($1, $2)', [LOCKS, session]);
        this.session = session;
        this.renew();
      },
      onLost: () => {
        this.session = undefined;
        this.renew();
      },
      onFault,
    });
  }

  async start(): Promise<void> {
    this.beating = setInterval(() => this.renew(), BEAT_MS).unref();
    await this.connection.start();
  }

  async stop(): Promise<void> {
    clearInterval(this.beating);
    await this.connection.stop();
  }

  /** Told of a lease that somebody else took over while this process thought that it had it. */
  onLost(listener: (name: string) => void): void {
    this.lossListeners.add(listener);
  }

  lost(name: string): void {
    if (!this.active.delete(name)) return;
    for (const listener of this.lossListeners) listener(name);
  }

  /** @returns false when somebody has it, also this process itself. */
  async acquire(name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `insert into app.leases (name, holder, token, until, session)
       values ($1, $2, 1, clock_timestamp() + make_interval(secs => $3), $4) on conflict do nothing`,
      [name, this.holder, LEASE_MS / 1000, this.session],
    );
    if (rowCount === 1) this.active.add(name);
    return rowCount === 1;
  }

  async isHeld(name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      'select from app.leases where name = $1 and until > clock_timestamp()',
      [name],
    );
    return rowCount === 1;
  }

  /** Lets it run out: somebody else is to look what became of it. */
  abandon(name: string): void {
    this.active.delete(name);
  }

  /** For whoever looks next: another process, or this one after its restart. */
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
   * Leases that ran out, or whose process has died: of the latter those that an earlier call has found too. None while
   * this process could not renew its own: then the fault may be everybody's.
   */
  async expired(prefix: string): Promise<Lease[]> {
    if (Date.now() - this.lastFault < LEASE_MS) return [];
    const { rows } = await this.pool.query<Found>({
      name: 'leases-over',
      text: OVER,
      values: [prefix, this.holder, LEASE_MS / 1000],
    });
    const now = performance.now();
    const dead = rows.filter(({ ranOut }) => !ranOut);
    this.gone = new Map(dead.map(({ session }) => [session, this.gone.get(session) ?? now]));
    return rows.flatMap(({ name, token, session, ranOut }) => {
      if (ranOut) return [{ name, token }];
      return now - (this.gone.get(session) ?? now) >= DOUBT_MS ? [{ name, token, session }] : [];
    });
  }

  /** Of several processes that try, one succeeds; none does once the holder has renewed it. */
  async takeOver({ name, token, session }: Lease): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update app.leases set holder = $1, token = token + 1, until = clock_timestamp() + make_interval(secs => $4),
         session = $5
       where name = $2 and token = $3::bigint and (until < clock_timestamp() or session = $6)`,
      [this.holder, name, token, LEASE_MS / 1000, this.session, session],
    );
    if (rowCount === 1) this.active.add(name);
    return rowCount === 1;
  }

  /** One after the other: a late one must not bring back the number of a connection that is no more. */
  private renew(): void {
    this.lastBeat = this.lastBeat.then(() => this.beat());
  }

  private async beat(): Promise<void> {
    if (this.active.size === 0) return;
    const names = [...this.active];
    try {
      const { rows } = await this.pool.query<{ name: string }>(
        // In the order in which writers of output lock them.
        `with mine as (
           select name from app.leases where holder = $1 and name = any($2) order by name for update)
         update app.leases l set until = clock_timestamp() + make_interval(secs => $3), session = $4
         from mine where l.name = mine.name returning l.name`,
        [this.holder, names, LEASE_MS / 1000, this.session],
      );
      const held = new Set(rows.map(({ name }) => name));
      for (const name of names) if (!held.has(name)) this.lost(name);
    } catch (error) {
      this.lastFault = Date.now();
      this.onFault(error);
    }
  }
}
