/** Cancels the open instances of workflows that were removed: nobody could see them, and they would go on. */
import { Inject, Injectable } from '@nestjs/common';
import { isTransient } from '../platform/database';
import { Decisions } from '../platform/decisions';
import { ownMeta } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import type { ReadInstance } from './instance-reader';
import { CancelInstance, instanceDecider } from './instances.decider';

const AT_ONCE = 500;

/** Goes from workflow to workflow by the index, so the number of instances does not matter. */
const ORPHANED = `
  with recursive w as (
    (select i.workspace, i."workflowId" as id from read.workflow_instances i
     order by i.workspace, i."workflowId" limit 1)
    union all
    select n.workspace, n.id from w, lateral (
      select i.workspace, i."workflowId" as id from read.workflow_instances i
      where (i.workspace, i."workflowId") > (w.workspace, w.id)
      order by i.workspace, i."workflowId" limit 1) n)
  select i.id, i.workspace from w, lateral (
    select o.id, o.workspace from read.workflow_instances o
    where o.workspace = w.workspace and o."workflowId" = w.id
      and o."is" in ('running', 'waiting', 'asking', 'acting', 'stopped')
    limit ${AT_ONCE}) i
  where not exists (select from read.workflows f where f.workspace = w.workspace and f.id = w.id collate "C")
  limit ${AT_ONCE}`;

@Injectable()
export class OrphanedInstances {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly decisions: Decisions,
  ) {}

  /**
   * An instance that begins right after its workflow was removed, which nobody knew when it was started. The read models
   * show an instance only together with everything that was recorded before it.
   */
  async cancelIfBegunTooLate({ id, workspace, state }: ReadInstance): Promise<boolean> {
    if (state.is !== 'open' || state.visit > 0) return false;
    const { rowCount } = await this.db.query('select from read.workflows where workspace = $1 and id = $2', [
      workspace,
      state.started.workflow.id,
    ]);
    if (rowCount === 1) return false;
    await this.cancel(id, workspace);
    return true;
  }

  /** @returns whether there may be more. The read models show the ends of these only later. */
  async cancelSome(signal: AbortSignal): Promise<boolean> {
    const { rows } = await this.db.query<{ id: string; workspace: string }>(ORPHANED);
    for (const { id, workspace } of rows) {
      if (signal.aborted) return true;
      await this.cancel(id, workspace);
    }
    return rows.length > 0;
  }

  private async cancel(id: string, workspace: string): Promise<void> {
    const reason = 'its workflow was removed';
    const cancel = new CancelInstance(id, { reason }, ownMeta('system', workspace));
    try {
      await this.decisions.execute(instanceDecider, cancel);
    } catch (error) {
      if (isTransient(error)) throw error;
      this.logger.info({ err: error, instance: id }, 'an instance of a removed workflow has ended already');
    }
  }
}
