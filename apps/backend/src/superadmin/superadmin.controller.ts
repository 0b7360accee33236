/** The only controller that reads across workspaces. Everything here requires the role superadmin. */
import { Controller, Inject } from '@nestjs/common';
import { superadmin, type InputOf } from '@quarterdeck/contract';
import {
  allPeopleColumns,
  allWorkspacesColumns,
  pageOf,
  type MaintenanceKind,
} from '@quarterdeck/projections';
import { Answers, type Asker, CallerWatch, written } from '../platform/http';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, PROJECTIONS, type Pool, type ProjectionRunner } from '../platform/tokens';
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

@Controller()
export class SuperadminController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly eventLog: EventLog,
    private readonly foreign: ForeignEvents,
    private readonly processes: Processes,
    private readonly maintenance: MaintenanceWork,
    private readonly callers: CallerWatch,
  ) {}

  @Answers(superadmin.overview)
  async overview() {
    const [eventLog, processes, events] = await Promise.all([
      this.eventLog.facts(),
      this.processes.list(),
      listInstallationEvents(this.db),
    ]);
    const hiddenCallers = this.callers.finding;
    return { version: VERSION, eventLog, processes, events, ...(hiddenCallers && { hiddenCallers }) };
  }

  @Answers(superadmin.acknowledge)
  async acknowledge({ upTo, reason }: InputOf<typeof superadmin.acknowledge>, { meta }: Asker) {
    const { position } = await this.foreign.acknowledge(upTo, reason, meta);
    return written({ upTo }, position);
  }

  @Answers(superadmin.workspaces)
  async workspaces(asked: InputOf<typeof superadmin.workspaces>) {
    return pageOf(await listWorkspaces(this.db), allWorkspacesColumns, asked);
  }

  @Answers(superadmin.people)
  async people(asked: InputOf<typeof superadmin.people>) {
    return pageOf(await listPeople(this.db), allPeopleColumns, asked);
  }

  @Answers(superadmin.runs)
  runs(query: InputOf<typeof superadmin.runs>) {
    return listRuns(this.db, query);
  }

  @Answers(superadmin.projections)
  async readModels() {
    const [{ position, lag, projections, parked, maintenance }, current, last] = await Promise.all([
      this.projections.status(),
      this.maintenance.log.current(),
      lastMaintenance(this.db),
    ]);
    return {
      position,
      lag,
      projections,
      parked,
      ...(current ? { current } : {}),
      ...(maintenance ? { progress: maintenance } : {}),
      ...(last ? { last } : {}),
    };
  }

  @Answers(superadmin.rebuild)
  rebuild({ readModel }: InputOf<typeof superadmin.rebuild>, { meta }: Asker) {
    return this.start('rebuild', readModel, meta);
  }

  @Answers(superadmin.verify)
  verify({ readModel }: InputOf<typeof superadmin.verify>, { meta }: Asker) {
    return this.start('verify', readModel, meta);
  }

  @Answers(superadmin.cancel)
  async cancel({ maintenance }: InputOf<typeof superadmin.cancel>, { meta }: Asker) {
    const { position } = await this.maintenance.log.cancel(maintenance, meta);
    return written({ maintenance }, position);
  }

  @Answers(superadmin.retry)
  async retry({ readModel, stream }: InputOf<typeof superadmin.retry>, { meta }: Asker) {
    const { result, position } = await this.maintenance.log.retryParked(readModel, stream, meta);
    return written(result, position);
  }

  private async start(kind: MaintenanceKind, readModel: string, meta: CommandMeta) {
    const maintenance = idFor('maintenance', meta);
    const { position } = await this.maintenance.log.request({ maintenance, kind, readModel }, meta);
    return written({ maintenance }, position);
  }
}
