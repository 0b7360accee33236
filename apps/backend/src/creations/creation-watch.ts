/**
 * Carries on what a dead process left: a section that is in progress and whose run was never requested, or has ended
 * without telling the creation, as an interrupted run does.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { CreationSection } from '@quarterdeck/events';
import type { CreationSectionView, CreationView } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { Creations } from './creations';
import { busyCreations } from './creations.queries';
import { EndSection, EndUndo } from './creations.decider';

const EVERY_MS = 5000;

@Injectable()
export class CreationWatch extends LeasedRounds {
  constructor(
    leases: Leases,
    @Inject(LOGGER) logger: Logger,
    @Inject(DB) private readonly db: Pool,
    private readonly engine: RunEngine,
    private readonly commands: CommandBus,
    private readonly creations: Creations,
  ) {
    super(leases, logger, { lease: 'creations', what: 'the watch of creations', everyMs: EVERY_MS });
  }

  protected async round(signal: AbortSignal): Promise<void> {
    for (const creation of await busyCreations(this.db)) {
      if (signal.aborted) return;
      for (const section of creation.sections)
        if (section.state === 'running' || section.state === 'undoing') await this.settle(creation, section);
    }
  }

  private async settle({ id, workspace }: CreationView, section: CreationSectionView): Promise<void> {
    const { state, run: own = '', undoRun = '', by = 'system', made } = section;
    const name = section.section as CreationSection;
    const run = state === 'running' ? own : undoRun;
    // On behalf of who started it: the source host is asked with their token.
    const meta = ownMeta(by, workspace, run);
    if (!(await this.engine.knows(run, workspace))) {
      const resume = state === 'running' ? this.creations.resume : this.creations.resumeUndo;
      await resume.call(this.creations, id, name, meta).catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
        this.logger.warn({ err: error, creation: id }, 'a section could not be carried on');
      });
      return;
    }
    if (await this.engine.isOpen(run, workspace)) return;
    const { end } = await this.engine.ended(run, workspace);
    // Its own end was recorded before that of the run.
    if (end.is === 'succeeded') return;
    const code = 'code' in end ? end.code : undefined;
    const told = { section: name, run, made, reason: end.reason, code };
    await this.commands.execute(
      state === 'running' ? new EndSection(id, told, meta) : new EndUndo(id, told, meta),
    );
  }
}
