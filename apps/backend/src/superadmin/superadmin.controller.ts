/** The one place that looks across workspaces. Everything here takes the role superadmin. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import {
  foreignAcknowledgement,
  maintenanceCancel,
  maintenanceStart,
  nothing,
  parkedRetry,
  superadminRuns,
} from '@quarterdeck/events/inputs';
import type { InstallationView, MaintenanceKind, ReadModelsView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { idFor, type CommandMeta } from '../platform/session';
import { DB, PROJECTIONS, type Pool, type ProjectionRunner } from '../platform/tokens';
import { valid } from '../platform/validation';
import { VERSION } from '../platform/version';
import { EventLog } from './event-log';
import { ForeignEvents } from './foreign';
import { MaintenanceWork } from './maintenance';
import { Processes } from './processes';
import {
  lastMaintenance,
  listInstallationEvents,
  listPeople,
  listRuns,
  listWorkspaces,
} from './superadmin.queries';

type Start = z.infer<typeof maintenanceStart>;

@Controller('superadmin')
export class SuperadminController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(EventLog) private readonly eventLog: EventLog,
    @Inject(ForeignEvents) private readonly foreign: ForeignEvents,
    @Inject(Processes) private readonly processes: Processes,
    @Inject(MaintenanceWork) private readonly maintenance: MaintenanceWork,
  ) {}

  @Post('overview')
  @HttpCode(200)
  @Access('superadmin', { summary: 'Event log, processes and version of the installation', receipt: false })
  async overview(@Body(valid(nothing)) _input: object): Promise<InstallationView> {
    const [eventLog, processes, events] = await Promise.all([
      this.eventLog.facts(),
      this.processes.list(),
      listInstallationEvents(this.db),
    ]);
    return { version: VERSION, eventLog, processes, events };
  }

  @Post('foreign/acknowledge')
  @HttpCode(200)
  @Access('superadmin', {
    summary: 'Says that the events of others, up to a position, were looked at, and why',
  })
  async acknowledge(
    @Meta() meta: CommandMeta,
    @Body(valid(foreignAcknowledgement)) { upTo, reason }: z.infer<typeof foreignAcknowledgement>,
  ) {
    const { position } = await this.foreign.acknowledge(upTo, reason, meta);
    return written({ upTo }, position);
  }

  @Post('workspaces')
  @HttpCode(200)
  @Access('superadmin', { summary: 'All workspaces, with counts', receipt: false })
  workspaces(@Body(valid(nothing)) _input: object) {
    return listWorkspaces(this.db);
  }

  @Post('people')
  @HttpCode(200)
  @Access('superadmin', { summary: 'The people of all workspaces', receipt: false })
  people(@Body(valid(nothing)) _input: object) {
    return listPeople(this.db);
  }

  @Post('runs')
  @HttpCode(200)
  @Access('superadmin', { summary: 'The runs of all workspaces, newest first, by pages', receipt: false })
  runs(@Body(valid(superadminRuns)) query: z.infer<typeof superadminRuns>) {
    return listRuns(this.db, query);
  }

  @Post('projections')
  @HttpCode(200)
  @Access('superadmin', { summary: 'State of the read models, and what is done to them', receipt: false })
  async readModels(@Body(valid(nothing)) _input: object): Promise<ReadModelsView> {
    const [{ position, lag, projections, parked, maintenance }, current, last] = await Promise.all([
      this.projections.status(),
      this.maintenance.log.current(),
      lastMaintenance(this.db),
    ]);
    return {
      ...{ position, lag, projections, parked },
      ...(current ? { current } : {}),
      ...(maintenance ? { progress: maintenance } : {}),
      ...(last ? { last } : {}),
    };
  }

  @Post('projections/rebuild')
  @HttpCode(200)
  @Access('superadmin', { summary: 'Rebuilds read models beside the ones in use' })
  rebuild(@Meta() meta: CommandMeta, @Body(valid(maintenanceStart)) { readModel }: Start) {
    return this.start('rebuild', readModel, meta);
  }

  @Post('projections/verify')
  @HttpCode(200)
  @Access('superadmin', { summary: 'Folds the log anew beside, and compares row by row' })
  verify(@Meta() meta: CommandMeta, @Body(valid(maintenanceStart)) { readModel }: Start) {
    return this.start('verify', readModel, meta);
  }

  @Post('projections/cancel')
  @HttpCode(200)
  @Access('superadmin', { summary: 'Asks for the end of a rebuild or a verification' })
  async cancel(
    @Meta() meta: CommandMeta,
    @Body(valid(maintenanceCancel)) { maintenance }: z.infer<typeof maintenanceCancel>,
  ) {
    const { position } = await this.maintenance.log.cancel(maintenance, meta);
    return written({ maintenance }, position);
  }

  @Post('projections/retry')
  @HttpCode(200)
  @Access('superadmin', { summary: 'Folds a parked stream again' })
  async retry(
    @Meta() meta: CommandMeta,
    @Body(valid(parkedRetry)) { readModel, stream }: z.infer<typeof parkedRetry>,
  ) {
    const { result, position } = await this.maintenance.log.retryParked(readModel, stream, meta);
    return written(result, position);
  }

  private async start(kind: MaintenanceKind, readModel: string, meta: CommandMeta) {
    const maintenance = idFor('maintenance', meta);
    const { position } = await this.maintenance.log.request({ maintenance, kind, readModel }, meta);
    return written({ maintenance }, position);
  }
}
