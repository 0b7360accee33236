/** Stored answers of calls with an Idempotency-Key, for a day. */
import type { Pool } from 'pg';

export interface ReceiptKey {
  workspace: string;
  actor: string;
  key: string;
}

export interface Receipt {
  request: Buffer;
  /** Differs after each renewal of the worker. */
  mark: string;
  /** Null while the call is running. */
  status: number | null;
  answer: unknown;
  headers: Record<string, string> | null;
}

/** A worker that has not renewed for this long counts as dead. */
export const WORKING_MS = 6000;
const WORKING = `interval '${WORKING_MS} milliseconds'`;
const MARK = `concat_ws(' ', worker, extract(epoch from working_until))`;
const KEPT = `interval '1 day'`;
const SWEEP_MS = 60_000;

export class Receipts {
  private swept = 0;

  constructor(private readonly pool: Pool) {}

  /**
   * @param dead mark of a worker that the caller did not see renew, whatever the clock of the database says
   * @returns true if the caller should do the work: no worker has begun it, or that worker died
   */
  async begin(
    { workspace, actor, key }: ReceiptKey,
    request: Buffer,
    worker: string,
    dead?: string,
  ): Promise<boolean> {
    this.sweep();
    const { rowCount } = await this.pool.query(
      `insert into app.command_receipts as r (workspace, actor, key, request, worker, working_until, expires_at)
       values ($1, $2, $3, $4, $5, now() + ${WORKING}, now() + ${KEPT})
       on conflict (workspace, actor, key) do update
       set request = excluded.request, worker = excluded.worker, working_until = excluded.working_until,
           status = null, answer = null, headers = null, expires_at = excluded.expires_at
       where r.expires_at < now() or (r.status is null and r.request = excluded.request
         and (r.working_until < now() or ${MARK.replace('worker', 'r.worker').replace('working', 'r.working')} = $6))`,
      [workspace, actor, key, request, worker, dead ?? null],
    );
    return rowCount === 1;
  }

  async read({ workspace, actor, key }: ReceiptKey): Promise<Receipt | undefined> {
    const { rows } = await this.pool.query<Receipt>(
      `select request, status, answer, headers, ${MARK} as mark
       from app.command_receipts where workspace = $1 and actor = $2 and key = $3`,
      [workspace, actor, key],
    );
    return rows[0];
  }

  async renew({ workspace, actor, key }: ReceiptKey, worker: string): Promise<void> {
    await this.pool.query(
      `update app.command_receipts set working_until = now() + ${WORKING}
       where workspace = $1 and actor = $2 and key = $3 and worker = $4`,
      [workspace, actor, key, worker],
    );
  }

  async finish(
    { workspace, actor, key }: ReceiptKey,
    worker: string,
    { status, answer, headers }: { status: number; answer: unknown; headers: Record<string, unknown> },
  ): Promise<void> {
    await this.pool.query(
      `update app.command_receipts set status = $5, answer = $6, headers = $7
       where workspace = $1 and actor = $2 and key = $3 and worker = $4`,
      [workspace, actor, key, worker, status, JSON.stringify(answer ?? null), JSON.stringify(headers)],
    );
  }

  async forget({ workspace, actor, key }: ReceiptKey, worker: string): Promise<void> {
    await this.pool.query(
      `delete from app.command_receipts
       where workspace = $1 and actor = $2 and key = $3 and worker = $4 and status is null`,
      [workspace, actor, key, worker],
    );
  }

  private sweep(): void {
    if (Date.now() - this.swept < SWEEP_MS) return;
    this.swept = Date.now();
    this.pool.query('delete from app.command_receipts where expires_at < now()').catch(() => undefined);
  }
}
