/**
 * Calls to a provider that must not be made twice. What the provider has is asked first; that the call is about to be made
 * is stored before it is made. If its answer is lost, or the process dies, only what the provider has decides. A person who
 * retries the step permits another call.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { isAnswerLost } from '../digitalocean';
import { DB, type Pool } from '../platform/tokens';
import { StepFailed, type LocalIo, type RunContext } from '../runs';

export interface OnceOnly<T> {
  step: string;
  /** What the call makes, in words: "the droplet". */
  what: string;
  /** Looks for what an earlier call made. `before`: as returned by `mark`. */
  find(before: number | undefined): Promise<T | undefined>;
  /** A number that tells what was there before from what the call makes. */
  mark?(): Promise<number>;
  make(): Promise<T>;
}

@Injectable()
export class CloudRequests {
  /** Tests shorten them. The provider's lists may be late. */
  readonly patience = { looks: 6, pauseMs: 5000 };

  constructor(@Inject(DB) private readonly db: Pool) {}

  /** @throws StepFailed `unknownOutcome` if it cannot be known whether the call had its effect */
  async once<T>(wanted: OnceOnly<T>, { run, attempts }: RunContext, io: LocalIo): Promise<T> {
    const { step, find, mark, make } = wanted;
    // An attempt that was lost with its process permits no other call: only a person does, after one that has ended.
    const attempt = attempts.filter((one) => one.step === step && one.outcome !== 'lost').length;
    const known = await this.stored(run, step, attempt);
    if (known) return this.settled(wanted, known.before, io);
    // An earlier attempt may have had its effect after all.
    const earlier = attempt > 0 ? await this.stored(run, step, attempt - 1) : undefined;
    const before = await find(earlier?.before);
    if (before !== undefined && (earlier || !mark)) return before;
    const at = await mark?.();
    await this.db.query(
      `insert into app.cloud_requests (run, step, attempt, workspace, before) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [run, step, attempt, io.meta.workspace, at ?? null],
    );
    try {
      return await make();
    } catch (error) {
      if (!isAnswerLost(error)) throw error;
      io.print(`The answer was lost. Looking for ${wanted.what} at the provider.\n`);
      return this.settled(wanted, at, io);
    }
  }

  /** Whether a run was about to make a call, whatever came of it. */
  async wasMade(run: string): Promise<boolean> {
    const { rowCount } = await this.db.query('select from app.cloud_requests where run = $1 limit 1', [run]);
    return rowCount === 1;
  }

  private async settled<T>({ find, what }: OnceOnly<T>, before: number | undefined, io: LocalIo): Promise<T> {
    const { looks, pauseMs } = this.patience;
    for (let look = 1; look <= looks; look += 1) {
      const found = await find(before).catch((error: unknown) => {
        if (isAnswerLost(error)) return undefined;
        throw error;
      });
      if (found !== undefined) return found;
      if (look < looks) await sleep(pauseMs, undefined, { signal: io.signal });
    }
    throw new StepFailed(
      'unknownOutcome',
      `The answer of the provider was lost, and ${what} was not found there. Look at the list before you retry: a retry asks for it again.`,
    );
  }

  private async stored(
    run: string,
    step: string,
    attempt: number,
  ): Promise<{ before: number | undefined } | undefined> {
    const { rows } = await this.db.query<{ before: string | null }>(
      'select before::text from app.cloud_requests where run = $1 and step = $2 and attempt = $3',
      [run, step, attempt],
    );
    const [row] = rows;
    return row && { before: row.before === null ? undefined : Number(row.before) };
  }
}
