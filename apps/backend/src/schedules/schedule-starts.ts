/** Starts the run of a schedule, by the action that workflows use for the same. */
import { Inject, Injectable } from '@nestjs/common';
import { isTransient } from '../platform/database';
import { DomainError, notFound } from '../platform/errors';
import { Hooks } from '../platform/hooks';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { workflowActions, type WorkflowAction } from '../workflows';
import { ScheduleFirings } from './schedule-firings';
import { doesOf, missingTarget, scheduleOf, type Schedule } from './schedule-view';

@Injectable()
export class ScheduleStarts {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly hooks: Hooks,
    private readonly engine: RunEngine,
    private readonly firings: ScheduleFirings,
  ) {}

  /**
   * Starts the run of this id, or joins it.
   *
   * @returns why it cannot be started
   * @throws errors that pass
   */
  async start(schedule: Schedule, run: string, meta: CommandMeta): Promise<string | undefined> {
    const { id, name } = schedule;
    // A run that was started before it was recorded here is none that is refused now.
    const missing = (await this.engine.knows(run, schedule.workspace)) ? undefined : missingTarget(schedule);
    if (missing !== undefined) return missing;
    const does = doesOf(schedule);
    const action = this.hooks.of(workflowActions).find(({ is }) => is === does.is) as
      | WorkflowAction
      | undefined;
    if (!action) throw new Error(`no feature has registered the action ${does.is}`);
    try {
      await action.start({ id: run, does, data: {}, workflow: { id, name }, instance: id, visit: 0, meta });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || isTransient(error) || error.code === 'tooMany') throw error;
      return error.msg;
    }
  }

  /** By hand, besides its times, switched on or not. */
  async startNow(id: string, run: string, meta: CommandMeta): Promise<void> {
    const { workspace } = meta;
    const schedule = await scheduleOf(this.db, workspace, id);
    if (!schedule) throw notFound('schedule');
    if (await this.firings.known(id, run)) return;
    const [last] = await this.firings.list(id, 'started', 1);
    if (last && last.id !== run && (await this.engine.isOpen(last.id, workspace)))
      throw new DomainError('conflict', `the last run of ${schedule.name} is still going`);
    const refused = await this.start(schedule, run, { ...meta, waits: true });
    if (refused !== undefined) throw new DomainError('unprocessable', refused);
    await this.firings.record(id, { id: run, workspace, is: 'started', source: 'by hand' });
  }
}
