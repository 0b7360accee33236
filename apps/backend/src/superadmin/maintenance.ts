/**
 * Requested maintenance runs in the process that leads, whichever process got the request. If that process dies in the
 * middle, the next leader continues.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { MAINTENANCE_ID } from '@quarterdeck/events/catalogue';
import { RebuildRefused } from '@quarterdeck/projections/runner';
import { Decisions } from '../platform/decisions';
import { LOGGER, PROJECTIONS, type Logger, type ProjectionRunner } from '../platform/tokens';
import { MaintenanceLog } from './maintenance-book';
import { maintenanceDecider } from './maintenance.decider';

/** Interval of the check for missed notifications. */
const LOOK_MS = 1_000;
const STREAM = streamName(maintenanceDecider.category, MAINTENANCE_ID);

@Injectable()
export class MaintenanceWork implements OnApplicationBootstrap, OnModuleDestroy {
  readonly log: MaintenanceLog;
  private timer: NodeJS.Timeout | undefined;
  private stopListening: (() => void) | undefined;
  private working: { cancel: AbortController; done: Promise<void> } | undefined;
  private looking = false;

  constructor(
    decisions: Decisions,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.log = new MaintenanceLog(decisions, projections);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), LOOK_MS).unref();
    // The leader gets the events directly.
    this.stopListening = this.projections.onProjected((_position, events) => {
      if (events?.some(({ stream }) => stream === STREAM)) void this.look();
    });
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
    this.stopListening?.();
  }

  private async look(): Promise<void> {
    if (this.looking || !(this.projections.leading || this.working)) return;
    this.looking = true;
    try {
      const current = await this.log.current();
      if (this.working && (!current || current.cancelRequested)) this.working.cancel.abort();
      if (current && !this.working) this.begin();
    } catch (error) {
      this.logger.warn({ err: error }, 'could not look up whether maintenance is requested');
    } finally {
      this.looking = false;
    }
  }

  private begin(): void {
    const cancel = new AbortController();
    const done = this.log
      .work(cancel.signal, () => Promise.resolve())
      .then(() => undefined)
      .catch((error: unknown) => {
        // Another process holds the lock, such as the command line or a rebuild after an update. Check again later.
        if (!(error instanceof RebuildRefused)) this.logger.warn({ err: error }, 'maintenance failed');
      })
      .finally(() => (this.working = undefined));
    this.working = { cancel, done };
  }
}
