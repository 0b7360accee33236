import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { domains, type InputOf } from '@quarterdeck/contract';
import {
  domainColumns,
  expiriesOf,
  pageOf,
  worstDomainsFirst,
  type DomainRow,
  type DomainView,
  type ListAsked,
  type ListPage,
} from '@quarterdeck/projections';
import { Answers, type Asker, done, withCurrentOnConflict, written } from '../platform/http';
import type { Decision } from '../platform/decider';
import { notFound } from '../platform/errors';
import { present } from '../platform/as-of';
import { idFor } from '../platform/sessions';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { workspaceDetail } from '../workspaces';
import { DomainRegistry } from './domain-registry';
import { ChangeSiteSettings, ConfigureDomainAlerts } from './domains.decider';
import {
  domainWithFolders,
  expiringOf,
  listDomains,
  listDomainsOfServer,
  type ListedRow,
} from './domains.queries';
import { PendingChanges } from './pending-changes';

@Controller()
export class DomainsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly commands: CommandBus,
    private readonly registry: DomainRegistry,
    private readonly servers: ServerRegistry,
    private readonly pending: PendingChanges,
  ) {}

  @Answers(domains.list)
  async list(_: object, { session: { workspace } }: Asker) {
    const rows = await listDomains(this.db, workspace);
    return this.pending.added(rows);
  }

  @Answers(domains.page)
  page(asked: InputOf<typeof domains.page>, { session: { workspace } }: Asker) {
    return this.pageOfThose(listDomains(this.db, workspace), asked, workspace);
  }

  @Answers(domains.listByServer)
  async listByServer({ server }: InputOf<typeof domains.listByServer>, { session: { workspace } }: Asker) {
    await this.servers.server(server.id, workspace);
    const rows = await listDomainsOfServer(this.db, workspace, server.id);
    return this.pending.added(rows);
  }

  @Answers(domains.pageByServer)
  async pageByServer(
    { server, ...asked }: InputOf<typeof domains.pageByServer>,
    { session: { workspace } }: Asker,
  ) {
    await this.servers.server(server.id, workspace);
    return this.pageOfThose(listDomainsOfServer(this.db, workspace, server.id), asked, workspace);
  }

  @Answers(domains.expiries)
  async expiries({ month }: InputOf<typeof domains.expiries>, { session: { workspace } }: Asker) {
    const now = present().toISOString();
    return expiriesOf(await expiringOf(this.db, workspace), { month, now });
  }

  @Answers(domains.detail)
  detail({ id }: InputOf<typeof domains.detail>, { session: { workspace } }: Asker) {
    return this.shown(id, workspace);
  }

  @Answers(domains.insert)
  async insert({ serverName, server }: InputOf<typeof domains.insert>, { meta }: Asker) {
    return done(await this.registry.add({ serverName, server: server.id }, meta));
  }

  @Answers(domains.update)
  async update({ data, filters: { id }, revision }: InputOf<typeof domains.update>, { meta }: Asker) {
    const { serverName, server, leave } = data;
    const fields = { serverName, server: server.id, leave };
    return this.edited(id, meta.workspace, () => this.registry.edit(id, fields, meta, revision));
  }

  @Answers(domains.delete)
  async delete(input: InputOf<typeof domains.delete>, { meta }: Asker) {
    const { id, serverName, keep = { config: false, certificate: false }, runId: chosen } = input;
    const { position, runId } = await this.registry.remove(
      id,
      { serverName, keep, runId: chosen ?? idFor('run', meta) },
      meta,
    );
    return written({ id, uuid: id, ...(runId && { runId }) }, position);
  }

  @Answers(domains.removeLeft)
  async removeLeft(input: InputOf<typeof domains.removeLeft>, { meta }: Asker) {
    const { id, serverName, server, runId: chosen } = input;
    const where = { serverName, server: server.id, runId: chosen ?? idFor('run', meta) };
    const { position, runId } = await this.registry.removeLeft(id, where, meta);
    return written({ id, uuid: id, ...(runId && { runId }) }, position);
  }

  @Answers(domains.checkDns)
  async checkDns({ id }: InputOf<typeof domains.checkDns>, { meta }: Asker) {
    const { answer, position } = await this.registry.check(id, meta);
    return written({ ...answer, at: meta.at }, position);
  }

  @Answers(domains.alerts)
  async alerts({ id, thresholds, revision }: InputOf<typeof domains.alerts>, { meta }: Asker) {
    const configure = new ConfigureDomainAlerts(id, { thresholds }, meta, revision);
    return this.edited(id, meta.workspace, () => this.commands.execute(configure));
  }

  @Answers(domains.names)
  async names({ id, names, revision }: InputOf<typeof domains.names>, { meta }: Asker) {
    return this.edited(id, meta.workspace, () => this.registry.changeNames(id, names, meta, revision));
  }

  @Answers(domains.settings)
  async settings({ id, settings, revision }: InputOf<typeof domains.settings>, { meta }: Asker) {
    const change = new ChangeSiteSettings(id, { settings }, meta, revision);
    return this.edited(id, meta.workspace, () => this.commands.execute(change));
  }

  private async pageOfThose(
    reading: Promise<ListedRow[]>,
    asked: ListAsked,
    workspace: string,
  ): Promise<ListPage<DomainRow>> {
    const [rows, { sslMonitor }] = await Promise.all([reading, workspaceDetail(this.db, workspace)]);
    const asOf = { now: present().getTime(), expiringDays: sslMonitor.expiringDays };
    const domainRows = worstDomainsFirst(await this.pending.added(rows), asOf);
    return pageOf(domainRows, domainColumns(asOf), asked);
  }

  private async edited(id: string, workspace: string, edit: () => Promise<Decision>) {
    return done(await withCurrentOnConflict(this.projections, edit, () => this.shown(id, workspace)));
  }

  private async shown(id: string, workspace: string): Promise<DomainView> {
    const found = await domainWithFolders(this.db, workspace, id);
    if (!found) throw notFound('domain');
    const [shown] = await this.pending.added([found]);
    return shown ?? found.domain;
  }
}
