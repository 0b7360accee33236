import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  byId,
  locationInsert,
  locationList,
  locationsByService,
  locationUpdate,
} from '@quarterdeck/events/inputs';
import type { LocationView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { isDeployed } from '../deploys';
import { done, orAsItIs } from '../platform/answers';
import { invalidField, notFound } from '../platform/errors';
import { idFor, type CommandMeta, type Session } from '../platform/session';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { valid } from '../platform/validation';
import { AddLocation, changed, locationOf, RemoveLocation, ReviseLocation } from './domain-locations';
import { domainDetail, locationDetail, locationsOfService, type OwnedLocation } from './domains.queries';

@Controller('domain/location')
export class LocationsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'The locations of a domain', receipt: false, past: true })
  async list(
    @CurrentSession() { workspace }: Session,
    @Body(valid(locationList)) { domain }: z.infer<typeof locationList>,
  ): Promise<LocationView[]> {
    const known = await domainDetail(this.db, workspace, domain.id);
    if (!known) throw notFound('domain');
    return known.locations;
  }

  @Post('listByService')
  @HttpCode(200)
  @Access('admin', { summary: 'Where a package answers, in all domains', receipt: false, past: true })
  listByService(
    @CurrentSession() { workspace }: Session,
    @Body(valid(locationsByService)) { service }: z.infer<typeof locationsByService>,
  ): Promise<OwnedLocation[]> {
    return locationsOfService(this.db, workspace, service.id);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'One location, with its domain', receipt: false, past: true })
  detail(@CurrentSession() { workspace }: Session, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    return this.owned(id, workspace);
  }

  @Post('insert')
  @HttpCode(200)
  @Access('admin', { summary: 'Adds a location to a domain' })
  async insert(
    @Meta() meta: CommandMeta,
    @Body(valid(locationInsert)) { domain, data, revision }: z.infer<typeof locationInsert>,
  ) {
    const id = idFor('location', meta);
    await this.refuseForeign(data, undefined, meta.workspace);
    const added = new AddLocation(domain.id, locationOf(id, data), meta, revision);
    const { position } = await this.commands.execute(added);
    return done({ id, position });
  }

  @Post('update')
  @HttpCode(200)
  @Access('admin', {
    summary:
      'Revises a location: what is not given is no longer asked for; without `location`, what is not given stays',
  })
  async update(
    @Meta() meta: CommandMeta,
    @Body(valid(locationUpdate)) { data, filters: { id }, revision }: z.infer<typeof locationUpdate>,
  ) {
    const known = await this.owned(id, meta.workspace);
    await this.refuseForeign(data, known, meta.workspace);
    const { domain } = known;
    const whole = changed(known, data);
    // What stays is what was looked at.
    const seen = revision ?? (data.location === undefined ? domain.revision : undefined);
    const revised = new ReviseLocation(domain.id, locationOf(id, whole), meta, seen);
    const edit = () => this.commands.execute(revised);
    const shown = () => locationDetail(this.db, meta.workspace, id);
    const { position } = await orAsItIs(this.projections, edit, shown);
    return done({ id, position });
  }

  @Post('delete')
  @HttpCode(200)
  @Access('admin', { summary: 'Removes a location' })
  async delete(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const { domain } = await this.owned(id, meta.workspace);
    const { position } = await this.commands.execute(new RemoveLocation(domain.id, { location: id }, meta));
    return done({ id, position });
  }

  /** The package that it names has to be of the workspace; one that it names already may have left the log since. */
  private async refuseForeign(
    { deployLog }: Pick<LocationView, 'deployLog'>,
    before: Pick<LocationView, 'deployLog'> | undefined,
    workspace: string,
  ): Promise<void> {
    if (!deployLog || deployLog.id === before?.deployLog?.id) return;
    if (await isDeployed(this.db, workspace, deployLog.id)) return;
    throw invalidField('data.deployLog.id', 'no package of this workspace was deployed under this id');
  }

  private async owned(id: string, workspace: string): Promise<OwnedLocation> {
    const location = await locationDetail(this.db, workspace, id);
    if (!location) throw notFound('location');
    return location;
  }
}
