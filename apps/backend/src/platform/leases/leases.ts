/**
 * Which process follows which run, and which one does work that only one process may do. A process renews its leases.
 * When it dies, another one takes over with a higher token.
 *
 * A dead process is detected by its connection: it holds a lock under a number that is stored in its leases, and
 * Postgres releases the lock when the connection ends. A process that is frozen or cut off keeps its connection, so its
 * leases have to expire: each process watches the leases of the others, and takes over one that did not change for a
 * while. It measures that while on its own steady clock, because clocks that tell the time can be set. Decision 42
 * explains why two processes cannot both drive a run, decision 80 why no clock of the day decides.
 */
import { randomInt } from 'node:crypto';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { LastingConnection } from '@quarterdeck/log/store';
import { LEASE_MS, LeaseSightings, type Sighting } from './lease-sightings';

export const BEAT_MS = 1500;
/** A lease can be overlooked for this long after its renewal, and again after it expired. */
export const LOOK_MS = 400;
/** A holder that could not renew for this long stops its work. Others see a renewal only after it was asked for. */
const HELD_MS = LEASE_MS - LOOK_MS - 200;
/** Key in `app.installation`, set by a restore. While it is set, no scheduled work begins. */
export const HELD = 'held';
/** Any number that all processes of a database share. */
const LOCKS = 517_114;

export type Lease = Pick<Sighting, 'name' | 'mark'>;

interface LeaseRow extends Sighting {
  holder: string;
  /** Whether its holder handed it over. */
  free: boolean;
}

/**
 * `until` is compared only with itself: it changes with each renewal, whatever the clock says, and is `-infinity` if the
 * holder has handed the lease over. Earlier versions take over a lease whose `until` has passed.
 */
const MARK = `concat_ws(' ', token, extract(epoch from until), session)`;
const UNTIL = 'clock_timestamp() + make_interval(secs => $3)';

/**
 * After a restart of Postgres all connections are new, so a connection counts as gone only if the lease was renewed
 * since. Both instants are from the same clock. If it was set in between, the lease expires instead.
 */
const FOUND = `
  with living as materialized (
    select objid::bigint as session from pg_locks
    where locktype = 'advisory' and classid = ${LOCKS}::oid and objsubid = 2 and granted
      and database = (select oid from pg_database where datname = current_database()))
  select name, holder, ${MARK} as mark, until = '-infinity' as free,
    coalesce(session not in (select session from living)
      and until - make_interval(secs => $2) > pg_postmaster_start_time(), false) as dead
  from app.leases where name ^@ any($1)`;

export class Leases {
  /** Id of this process in leases and in everything that they guard. */
  readonly holder = uuidv7();
  /** Leases of this process, and when it last asked to renew each, on the clock of `performance`. */
  private readonly active = new Map<string, number>();
  private readonly lossListeners = new Set<(name: string) => void>();
  private readonly overListeners = new Set<(names: readonly string[]) => void>();
  /** Number of the lock on our connection; undefined without a connection. */
  private session: number | undefined;
  private readonly sightings = new LeaseSightings();
  /** Names that the next query will take. Only one such query runs at a time. */
  private wanted: { names: Set<string>; taken: Promise<ReadonlySet<string>> } | undefined;
  private lastTaken: Promise<unknown> = Promise.resolve();
  private beating: NodeJS.Timeout | undefined;
  private looking: NodeJS.Timeout | undefined;
  private lastBeat = Promise.resolve();
  private lastLook: Promise<unknown> | undefined;
  private lastFault = -Infinity;

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
    this.looking = setInterval(() => this.look(), LOOK_MS).unref();
  }

  stop(): void {
    clearInterval(this.beating);
    clearInterval(this.looking);
  }

  /** Calls back for a lease that another process took over while this process believed that it held it. */
  onLost(listener: (name: string) => void): void {
    this.lossListeners.add(listener);
  }

  /** Calls back as long as there are leases that a process may take over. */
  onOver(listener: (names: readonly string[]) => void): void {
    this.overListeners.add(listener);
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
    const { rows } = await this.pool.query<{ name: string }>({
      name: 'lease-taken',
      // In a fixed order, so that two processes cannot deadlock.
      text: `insert into app.leases (name, holder, token, until, session)
             select name, $2, 1, ${UNTIL}, $4 from unnest($1::text[]) name
             where $5 or not exists (select from app.installation where key = $6)
             order by name on conflict do nothing returning name`,
      values: [names, this.holder, LEASE_MS / 1000, this.session, evenIfHeld, HELD],
    });
    for (const { name } of rows) this.active.set(name, asked);
    return new Set(rows.map(({ name }) => name));
  }

  /** False long enough before the lease expires. Our clock starts before the query, so it can only be early. */
  isOurs(name: string): boolean {
    return performance.now() - (this.active.get(name) ?? -Infinity) < HELD_MS;
  }

  /** Whether a process has the lease, as far as this one has seen. */
  async isHeld(name: string): Promise<boolean> {
    return (await this.over([name])).held.has(name);
  }

  /** Stops renewing the lease, so that another process takes over and finds out what became of the run. */
  abandon(name: string): void {
    this.active.delete(name);
  }

  /** Releases the lease for the next process that looks, or for this one after its restart. */
  async handOver(name: string): Promise<void> {
    this.active.delete(name);
    await this.pool.query(`update app.leases set until = '-infinity' where name = $1 and holder = $2`, [
      name,
      this.holder,
    ]);
  }

  async release(name: string): Promise<void> {
    this.active.delete(name);
    await this.pool.query({
      name: 'lease-released',
      text: 'delete from app.leases where name = $1 and holder = $2',
      values: [name, this.holder],
    });
  }

  /**
   * Leases that were handed over, have expired, or whose process has died. Expired and dead ones count only if earlier
   * calls found them unchanged. Returns none if this process recently failed to renew its own leases: others may have
   * the same problem.
   */
  async expired(...prefixes: string[]): Promise<Lease[]> {
    if (performance.now() - this.lastFault < LEASE_MS) return [];
    return (await this.over(prefixes)).leases;
  }

  private async over(prefixes: string[]): Promise<{ leases: Lease[]; held: Set<string> }> {
    const asked = performance.now();
    const { rows } = await this.pool
      .query<LeaseRow>({ name: 'leases-found', text: FOUND, values: [prefixes, LEASE_MS / 1000] })
      .catch((error: unknown) => {
        this.sightings.forget();
        throw error;
      });
    const held = new Set<string>();
    const leases = rows.filter((found) => {
      if (found.holder === this.holder && this.active.has(found.name)) held.add(found.name);
      else if (found.free || this.sightings.isOver(found, asked)) return true;
      else held.add(found.name);
      return false;
    });
    return { leases: leases.map(({ name, mark }) => ({ name, mark })), held };
  }

  /** Succeeds for only one of several processes, and for none once the holder has renewed the lease. */
  async takeOver({ name, mark }: Lease): Promise<boolean> {
    const asked = performance.now();
    const { rowCount } = await this.pool.query(
      `update app.leases set holder = $1, token = token + 1, until = ${UNTIL}, session = $2
       where name = $4 and ${MARK} = $5`,
      [this.holder, this.session, LEASE_MS / 1000, name, mark],
    );
    if (rowCount === 1) this.active.set(name, asked);
    return rowCount === 1;
  }

  /** One look at a time: after a stall of Postgres the others get the time to renew. */
  private look(): void {
    this.lastLook ??= this.expired('')
      .then((over) => {
        const names = over.map(({ name }) => name);
        if (names.length > 0) for (const listener of this.overListeners) listener(names);
      })
      .catch(this.onFault)
      .finally(() => (this.lastLook = undefined));
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
         update app.leases l set until = ${UNTIL}, session = $4
         from mine where l.name = mine.name returning l.name`,
        [this.holder, names, LEASE_MS / 1000, this.session],
      );
      const held = new Set(rows.map(({ name }) => name));
      for (const name of names)
        if (!held.has(name)) this.lost(name);
        else if (this.active.has(name)) this.active.set(name, asked);
    } catch (error) {
      this.lastFault = performance.now();
      this.onFault(error);
    }
  }
}
