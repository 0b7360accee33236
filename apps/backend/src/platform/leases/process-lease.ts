/**
 * Decides which of several back ends does work that only one may do at a time. The holder renews the lease. When it
 * dies, the lease expires and another process takes it. A holder that cannot renew stops by itself before others may
 * begin.
 */
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

const LEASE_MS = 8000;
const BEAT_MS = 2000;

/** Key in `app.installation`: after a restore, no scheduled work begins before somebody says so. */
export const HELD = 'held';

/**
 * Takes the lease if it is free or expired, and renews it if it is ours. Returns no row if another process has it, or while
 * all leases are held back.
 */
const TAKE = `
  insert into app.leases as held (name, holder, token, until)
  select $1::text, $2::uuid, 1, clock_timestamp() + make_interval(secs => $3)
  where not exists (select from app.installation where key = '${HELD}')
  on conflict (name) do update set
    holder = excluded.holder, until = excluded.until,
    token = held.token + case when held.holder = excluded.holder then 0 else 1 end
  where held.holder = excluded.holder or held.until < clock_timestamp()
  returning token`;

interface Tenure {
  onTaken: () => void;
  onLost: () => void;
  onFault: (error: unknown) => void;
}

export class ProcessLease {
  private readonly holder = uuidv7();
  private held = false;
  private renewedAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private beating = Promise.resolve();
  private stopped = false;

  /** @param name of the work; never changes, because processes of two versions have to agree on it */
  constructor(
    private readonly pool: Pool,
    private readonly name: string,
    private readonly tenure: Tenure,
  ) {}

  start(): void {
    this.beat();
  }

  /** Releases the lease, so that another process can begin at its next beat. Does nothing if it was never started. */
  async stop(): Promise<void> {
    this.stopped = true;
    if (!this.timer) return;
    clearTimeout(this.timer);
    await this.beating;
    this.lose();
    await this.pool
      .query('delete from app.leases where name = $1 and holder = $2', [this.name, this.holder])
      .catch(this.tenure.onFault);
  }

  private beat(): void {
    this.timer = setTimeout(() => this.beat(), BEAT_MS).unref();
    // A hanging beat must not keep this process from noticing that its lease is over.
    if (this.held && performance.now() - this.renewedAt > LEASE_MS - BEAT_MS) this.lose();
    this.beating = this.beating.then(() => this.renew());
  }

  private async renew(): Promise<void> {
    if (this.stopped) return;
    // Measured from before the query, so our clock can only expire earlier than the database's.
    const asked = performance.now();
    try {
      const { rowCount } = await this.pool.query(TAKE, [this.name, this.holder, LEASE_MS / 1000]);
      if (this.stopped) return;
      if (rowCount !== 1 || performance.now() - asked > LEASE_MS - BEAT_MS) return this.lose();
      this.renewedAt = asked;
      if (this.held) return;
      this.held = true;
      this.tenure.onTaken();
    } catch (error) {
      this.tenure.onFault(error);
    }
  }

  private lose(): void {
    if (!this.held) return;
    this.held = false;
    this.tenure.onLost();
  }
}
