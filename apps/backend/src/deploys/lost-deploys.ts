/**
 * Ends deploys whose back end died between the request of the deploy and the request of its run. The run is not started
 * late: the requester got no answer, and may have deployed something else since.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { RunEngine } from '../runs';
import { DeployVariables } from './deploy-variables';
import { RecordReleaseFailure } from './deploys.decider';
import { lostDeploys } from './deploys.queries';

const EVERY_MS = 15_000;
const reason =
  'The console ended before the deploy began. Nothing was changed on the server: start a new deploy.';

@Injectable()
export class LostDeploys extends LeasedRounds {
  /** Values that a process that died left behind: looked for once. */
  private isSwept = false;

  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    private readonly commands: CommandBus,
    private readonly engine: RunEngine,
    private readonly variables: DeployVariables,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'lost-releases',
      what: 'looking for deploys that never began',
      everyMs: EVERY_MS,
    });
  }

  /** Public for tests. */
  async round(): Promise<void> {
    if (!this.isSwept) await this.variables.sweep();
    this.isSwept = true;
    for (const { id, workspace } of await lostDeploys(this.db))
      await this.engine.unlessRequested(id, workspace, () =>
        this.commands.execute(
          new RecordReleaseFailure(id, { step: 'begin', reason }, ownMeta('system', workspace)),
        ),
      );
  }
}
