import { Body, Controller, Get, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  byId,
  domainAlerts,
  domainDelete,
  domainInsert,
  domainsByServer,
  domainUpdate,
} from '@quarterdeck/events/inputs';
import type { DomainRow, DomainView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done, orAsItIs, written } from '../platform/answers';
import type { Decision } from '../platform/decider';
import { notFound } from '../platform/errors';
import { idFor, type CommandMeta, type Session } from '../platform/session';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { valid } from '../platform/validation';
import { ServerRegistry } from '../servers';
import { DomainRegistry } from './domain-registry';
import { ConfigureDomainAlerts } from './domains.decider';
import { domainDetail, domainsOfServer, listDomains } from './domains.queries';

@Controller('domain')
export class DomainsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(DomainRegistry) private readonly registry: DomainRegistry,
    @Inject(ServerRegistry) private readonly servers: ServerRegistry,
  ) {}

  @Get('list')
  @Access('admin', { summary: 'The domains of the workspace', past: true })
  list(@CurrentSession() { workspace }: Session): Promise<DomainRow[]> {
    return listDomains(this.db, workspace);
  }

  @Post('listByServer')
  @HttpCode(200)
  @Access('admin', { summary: 'The domains of one server', receipt: false, past: true })
  async listByServer(
    @CurrentSession() { workspace }: Session,
    @Body(valid(domainsByServer)) { server }: z.infer<typeof domainsByServer>,
  ): Promise<DomainRow[]> {
    await this.servers.server(server.id, workspace);
    return domainsOfServer(this.db, workspace, server.id);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'One domain', receipt: false, past: true })
  detail(
    @CurrentSession() { workspace }: Session,
    @Body(valid(byId)) { id }: z.infer<typeof byId>,
  ): Promise<DomainView> {
    return this.shown(id, workspace);
  }

  @Post('insert')
  @HttpCode(200)
  @Access('admin', { summary: 'Adds a domain whose DNS address is that of the server' })
  async insert(
    @Meta() meta: CommandMeta,
    @Body(valid(domainInsert)) { serverName, server }: z.infer<typeof domainInsert>,
  ) {
    return done(await this.registry.add({ serverName, server: server.id }, meta));
  }

  @Post('update')
  @HttpCode(200)
  @Access('admin', { summary: 'Renames a domain, or moves it to another server' })
  async update(
    @Meta() meta: CommandMeta,
    @Body(valid(domainUpdate)) { data, filters: { id }, revision }: z.infer<typeof domainUpdate>,
  ) {
    const fields = { serverName: data.serverName, server: data.server.id };
    return this.edited(id, meta.workspace, () => this.registry.edit(id, fields, meta, revision));
  }

  @Post('delete')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Removes a domain; with `runId` as soon as that run has cleaned up its server',
  })
  async delete(@Meta() meta: CommandMeta, @Body(valid(domainDelete)) input: z.infer<typeof domainDelete>) {
    const { id, serverName, keep = { config: false, certificate: false }, runId: chosen } = input;
    const { position, runId } = await this.registry.remove(
      id,
      { serverName, keep, runId: chosen ?? idFor('run', meta) },
      meta,
    );
    return written({ id, uuid: id, ...(runId && { runId }) }, position);
  }

  @Post('dns/check')
  @HttpCode(200)
  @Access('admin', { summary: 'Asks DNS for the domain now; another answer than before is recorded' })
  async checkDns(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const { answer, position } = await this.registry.check(id, meta);
    return written({ ...answer, at: meta.at }, position);
  }

  @Post('alerts')
  @HttpCode(200)
  @Access('admin', { summary: 'Days before the end of its certificate at which an alert is raised' })
  async alerts(
    @Meta() meta: CommandMeta,
    @Body(valid(domainAlerts)) { id, thresholds, revision }: z.infer<typeof domainAlerts>,
  ) {
    const configure = new ConfigureDomainAlerts(id, { thresholds }, meta, revision);
    return this.edited(id, meta.workspace, () => this.commands.execute(configure));
  }

  private async edited(id: string, workspace: string, edit: () => Promise<Decision>) {
    return done(await orAsItIs(this.projections, edit, () => this.shown(id, workspace)));
  }

  private async shown(id: string, workspace: string): Promise<DomainView> {
    const domain = await domainDetail(this.db, workspace, id);
    if (!domain) throw notFound('domain');
    return domain;
  }
}
