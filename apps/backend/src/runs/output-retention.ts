/**
 * Every hour, deletes the output of old runs in workspaces that have enabled this, in the process that holds the lease.
 * The run keeps its events with sizes and hashes, and gets one more event that records the deletion.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { RunView } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { inView } from '../platform/in-view';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { settingsOfAll } from '../workspaces';
import { RemoveRunOutput } from './runs.decider';

const EVERY_MS = 60 * 60_000;
const AT_ONCE = 100;

interface OldRun {
  id: string;
  workspace: string;
}

/**
 * Runs with output that ended long enough ago, ordered by id, so that a run that cannot be cleared now does not hold up
 * the rest.
 */
const OLD = `
  select r.id, r.workspace from read.runs r
  where r.workspace = $1
    and r.state in ('succeeded', 'failed', 'interrupted', 'cancelled')
    and ${inView<RunView>('r.view').text('endedAt')}::timestamptz < clock_timestamp() - make_interval(days => $2)
    and exists (select from app.run_output o where o.run = r.id::uuid)
    and r.id > $3
  order by r.id limit ${AT_ONCE}`;

@Injectable()
export class OutputRetention extends LeasedRounds {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly commands: CommandBus,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'output-retention',
      what: 'the retention of output',
      everyMs: EVERY_MS,
    });
  }

  protected round(signal: AbortSignal): Promise<number> {
    return this.sweep(signal);
  }

  /** @returns how many runs lost their output */
  async sweep(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (const { workspace, chosen } of await settingsOfAll(this.db, 'retention'))
      if (chosen.runOutputDays !== undefined)
        removed += await this.sweepWorkspace(workspace, chosen.runOutputDays, signal);
    if (removed > 0) this.logger.info({ runs: removed }, 'the output of old runs was removed');
    return removed;
  }

  private async sweepWorkspace(workspace: string, days: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (let after = ''; !signal?.aborted;) {
      const { rows } = await this.db.query<OldRun>(OLD, [workspace, days, after]);
      for (const run of rows) if (!signal?.aborted && (await this.remove(run, days))) removed += 1;
      after = rows.at(-1)?.id ?? '';
      if (rows.length < AT_ONCE) break;
    }
    return removed;
  }

  /** Records the event before it deletes the output: if this process dies in between, the next sweep continues. */
  private async remove({ id, workspace }: OldRun, days: number): Promise<boolean> {
    // Up to the current last chunk, so the output of a later retry is kept.
    const { rows } = await this.db.query<{ last: string; bytes: string }>(
      `select coalesce(max(seq), 0) as last, coalesce(sum(octet_length(text)), 0) as bytes
       from app.run_output where run = $1`,
      [id],
    );
    const [found] = rows;
    if (!found) return false;
    try {
      const meta = ownMeta('system', workspace);
      await this.commands.execute(new RemoveRunOutput(id, { days, bytes: Number(found.bytes) }, meta));
    } catch (error) {
      // The run was retried meanwhile, so it is not old any more.
      if (error instanceof DomainError && error.code === 'unprocessable') return false;
      throw error;
    }
    await this.db.query('delete from app.run_output where run = $1 and seq <= $2', [id, found.last]);
    return true;
  }
}
