/** Probes the servers of all workspaces while this process holds the lease. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '@quarterdeck/events';
import type { ServerView } from '@quarterdeck/projections';
import { LiveMessages } from '../platform/live';
import { LeasedWork, Leases } from '../platform/leases';
import { ownMeta } from '../platform/sessions';
import { CONFIG, DB, EVENT_STORE, LOGGER, PROJECTIONS } from '../platform/tokens';
import type { Config, EventStore, Logger, Pool, ProjectionRunner } from '../platform/tokens';
import { RecordHealth } from '../servers';
import { ageSamples } from './health-retention';
import { insertSamples } from './health-samples';
import { ProbeRoster } from './probe-roster';
import { ProbeShift, type Change } from './probe-shift';
import { Probes } from './one-probe';
import { SampleBatches } from './sample-batches';

const AGEING_MS = 60 * 60_000;
/** How long to wait at shutdown for running probes. */
const PATIENCE_MS = 2000;

@Injectable()
export class Prober extends LeasedWork {
  private readonly batches: SampleBatches;
  private end: (() => Promise<void>) | undefined;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(LOGGER) logger: Logger,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly commands: CommandBus,
    private readonly probes: Probes,
    messages: LiveMessages,
    leases: Leases,
  ) {
    super(leases, logger, {
      lease: 'health-probes',
      what: 'the health checks',
      isOn: config.HEALTH_CHECKS === 'on',
    });
    this.batches = new SampleBatches({
      keep: (samples) => insertSamples(db, samples),
      tell: (news) => messages.send(news),
      onFault: this.fault('samples of health checks'),
    });
  }

  override async onModuleDestroy(): Promise<void> {
    await this.cease();
    await this.batches.flush();
    await super.onModuleDestroy();
  }

  protected begin(): void {
    this.logger.info({}, 'health checks: this process probes');
    const shift = new ProbeShift({
      probe: (server, signal) => this.probes.probe(server.id, server.workspace, signal),
      record: (server, change) => this.record(server, change),
      keep: (sample) => this.batches.add(sample),
      onFault: this.fault('a health check'),
    });
    const roster = new ProbeRoster(this.db, this.store, this.projections, {
      listed: (entry, known) => shift.listed(entry, known),
      removed: (servers) => shift.removed(servers),
      onFault: this.fault('the servers to be probed'),
    });
    roster.start();
    const age = (): void => void ageSamples(this.db).catch(this.fault('the age of samples'));
    age();
    const ageing = setInterval(age, AGEING_MS).unref();
    this.end = async () => {
      clearInterval(ageing);
      roster.stop();
      await Promise.race([shift.stop(), sleep(PATIENCE_MS, undefined, { ref: false })]);
    };
  }

  protected async cease(): Promise<void> {
    const end = this.end;
    this.end = undefined;
    if (!end) return;
    this.logger.info({}, 'health checks: this process no longer probes');
    await end();
  }

  private async record({ id, workspace }: ServerView, change: Change): Promise<Position> {
    const recorded = await this.commands.execute(new RecordHealth(id, change, ownMeta('system', workspace)));
    return recorded.position;
  }

  private fault(what: string): (error: unknown) => void {
    return (error) => this.logger.warn({ err: error }, what);
  }
}
