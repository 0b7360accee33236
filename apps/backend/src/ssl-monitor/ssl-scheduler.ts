/** Starts the SSL monitor of each workspace on its schedule. One of all processes does this. */
import { Inject, Injectable } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { LeasedRounds, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, EVENT_STORE, LOGGER } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool } from '../platform/tokens';
import { settingsOfAll } from '../workspaces';
import { SslMonitor } from './ssl-monitor';
import { lastOccurrence } from '../platform/cron-occurrences';

const LOOK_MS = 20_000;
/** How long a missed occurrence is made up for, if no process was up or another run was active. */
const MADE_UP_MS = 60 * 60_000;

/** The run id of an occurrence, so that only one run starts, whichever process starts it. */
export const runOf = (workspace: string, at: Date): string => uuidv5(`ssl ${at.toISOString()}`, workspace);

@Injectable()
export class SslScheduler extends LeasedRounds {
  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) logger: Logger,
    private readonly monitor: SslMonitor,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'ssl-schedule',
      what: 'the schedule of the SSL monitor',
      isOn: config.SSL_SCHEDULE === 'on',
      everyMs: LOOK_MS,
    });
  }

  protected round(): Promise<void> {
    return this.look(new Date());
  }

  /** Starts occurrences of the last hour that have no run yet. Skips workspaces without domains. */
  async look(now: Date): Promise<void> {
    const { rows } = await this.db.query<{ workspace: string }>(
      'select distinct workspace from read.domains',
    );
    const withDomains = new Set(rows.map(({ workspace }) => workspace));
    for (const { workspace, chosen } of await settingsOfAll(this.db, 'sslMonitor')) {
      if (chosen.schedule === undefined || !withDomains.has(workspace)) continue;
      const at = lastOccurrence(chosen.schedule, now, MADE_UP_MS);
      // A fault in one workspace must not affect the others.
      if (at)
        await this.startOnce(workspace, at).catch((error: unknown) =>
          this.logger.warn({ err: error, workspace }, 'the SSL monitor could not be started by its schedule'),
        );
    }
  }

  private async startOnce(workspace: string, at: Date): Promise<void> {
    const runId = runOf(workspace, at);
    const { rowCount } = await this.db.query('select 1 from read.runs where id = $1', [runId]);
    if (rowCount !== 0 || at.getTime() <= (await this.scheduledSince(workspace))) return;
    // If somebody started a run by hand, this one waits in line for its end.
    await this.monitor.start({ runId }, ownMeta('system', workspace));
  }

  /** Occurrences before the schedule was set are not made up for. In milliseconds, as in `Date`. */
  private async scheduledSince(workspace: string): Promise<number> {
    const events = await this.store.readStream(streamName('workspace', workspace));
    const chosen = events.findLast(({ type }) => type === 'SslMonitorConfigured') ?? events[0];
    return chosen ? Date.parse(chosen.meta.at) : Infinity;
  }
}
