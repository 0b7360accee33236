/**
 * Who follows which run. A process renews the leases of the runs that it follows; when it dies they run out, and
 * another process takes over under a higher token. Time is the database's: clocks of machines differ.
 */
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

export const LEASE_MS = 8000;
const BEAT_MS = 2000;

export interface Lease {
  name: string;
  token: string;
}

export class RunLeases {
  /** This process, as leases and what they guard know it. */
  readonly holder = uuidv7();
  private readonly active = new Set<string>();
  private readonly lossListeners = new Set<(name: string) => void>();
  private beating: NodeJS.Timeout | undefined;
  private lastFault = 0;

  constructor(
    private readonly pool: Pool,
    private readonly onFault: (error: unknown) => void,
  ) {}

  start(): void {
    this.beating = setInterval(() => void this.beat(), BEAT_MS).unref();
  }

  stop(): void {
    clearInterval(this.beating);
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
      `insert into app.leases (name, holder, token, until)
       values ($1, $2, 1, clock_timestamp() + make_interval(secs => $3)) on conflict do nothing`,
      [name, this.holder, LEASE_MS / 1000],
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

  /** Leases that ran out. None while this process could not renew its own: then the fault may be everybody's. */
  async expired(prefix: string): Promise<Lease[]> {
    if (Date.now() - this.lastFault < LEASE_MS) return [];
    const { rows } = await this.pool.query<Lease>(
      'select name, token::text from app.leases where until < clock_timestamp() and starts_with(name, $1) limit 100',
      [prefix],
    );
    return rows;
  }

  /** Of several who try, one succeeds. */
  async takeOver({ name, token }: Lease): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `update app.leases set holder = $1, token = token + 1, until = clock_timestamp() + make_interval(secs => $4)
       where name = $2 and token = $3::bigint and until < clock_timestamp()`,
      [this.holder, name, token, LEASE_MS / 1000],
    );
    if (rowCount === 1) this.active.add(name);
    return rowCount === 1;
  }

  private async beat(): Promise<void> {
    if (this.active.size === 0) return;
    const names = [...this.active];
    try {
      const { rows } = await this.pool.query<{ name: string }>(
        // In the order in which writers of output lock them.
        `with mine as (
           select name from app.leases where holder = $1 and name = any($2) order by name for update)
         update app.leases l set until = clock_timestamp() + make_interval(secs => $3)
         from mine where l.name = mine.name returning l.name`,
        [this.holder, names, LEASE_MS / 1000],
      );
      const held = new Set(rows.map(({ name }) => name));
      for (const name of names) if (!held.has(name)) this.lost(name);
    } catch (error) {
      this.lastFault = Date.now();
      this.onFault(error);
    }
  }
}
