/**
 * Which of several back ends does what only one may do at a time. Whoever has the lease renews it; when it dies, the
 * lease runs out and another takes it. One that could not renew stops by itself before others may begin.
 */
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';

const LEASE_MS = 8000;
const BEAT_MS = 2000;

/** Key in `app.installation`: after a restore, no scheduled work begins before somebody says so. */
export const HELD = 'held';

/** Takes it when it is free or ran out, renews it when it is ours; no row when somebody else has it, or while all are held. */
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

  /** @param name of the work, for ever: processes of two versions have to agree on it. */
  constructor(
    private readonly pool: Pool,
    private readonly name: string,
    private readonly tenure: Tenure,
  ) {}

  start(): void {
    this.beat();
  }

  /** Gives it back: another process begins at its next beat. Of one that was never started there is nothing to give. */
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
    // A beat that hangs must not keep this process from noticing that its time is over.
    if (this.held && performance.now() - this.renewedAt > LEASE_MS - BEAT_MS) this.lose();
    this.beating = this.beating.then(() => this.renew());
  }

  private async renew(): Promise<void> {
    if (this.stopped) return;
    // Counted from before the question: the database's clock starts later, never earlier.
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
