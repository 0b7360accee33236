import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { locations, type InputOf } from '@quarterdeck/contract';
import { service as serviceNoun } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { isPulled } from '../package-pulls';
import { Answers, type Asker, done, withCurrentOnConflict } from '../platform/http';
import { invalidField, notFound } from '../platform/errors';
import { detailOf } from '../platform/kit';
import { idFor } from '../platform/sessions';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { AddLocation, changed, locationOf, RemoveLocation, ReviseLocation } from './domain-locations';
import { domainDetail } from './domains.queries';
import { answeringPorts, locationDetail, locationsOfService, type OwnedLocation } from './locations.queries';

type ServiceView = ViewOf<typeof serviceNoun>;
type Pointer = { id: string } | null | undefined;
type Pointers = Partial<Record<'deployLog' | 'service', Pointer>>;

@Controller()
export class LocationsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly commands: CommandBus,
  ) {}

  @Answers(locations.list)
  async list({ domain }: InputOf<typeof locations.list>, { session: { workspace } }: Asker) {
    const known = await domainDetail(this.db, workspace, domain.id);
    if (!known) throw notFound('domain');
    return known.locations;
  }

  @Answers(locations.listByService)
  async listByService(
    { service }: InputOf<typeof locations.listByService>,
    { session: { workspace } }: Asker,
  ) {
    const known = await detailOf(serviceNoun, this.db, workspace, service.id);
    if (!known) throw notFound('service');
    const of = known as unknown as ServiceView;
    const ports = await answeringPorts(this.db, workspace, of);
    return locationsOfService(this.db, workspace, { ...of, ports });
  }

  @Answers(locations.detail)
  detail({ id }: InputOf<typeof locations.detail>, { session: { workspace } }: Asker) {
    return this.owned(id, workspace);
  }

  @Answers(locations.insert)
  async insert({ domain, data, revision }: InputOf<typeof locations.insert>, { meta }: Asker) {
    const id = idFor('location', meta);
    if (!(await domainDetail(this.db, meta.workspace, domain.id))) throw notFound('domain');
    await this.refuseForeign(data, undefined, meta.workspace);
    const added = new AddLocation(domain.id, locationOf(id, data), meta, revision);
    const { position } = await this.commands.execute(added);
    return done({ id, position });
  }

  @Answers(locations.update)
  async update({ data, filters: { id }, revision }: InputOf<typeof locations.update>, { meta }: Asker) {
    const known = await this.owned(id, meta.workspace);
    await this.refuseForeign(data, known, meta.workspace);
    const { domain } = known;
    const whole = changed(known, data);
    // Unchanged fields come from the location read above, so its revision has to be checked.
    const seen = revision ?? domain.revision;
    const revised = new ReviseLocation(domain.id, locationOf(id, whole), meta, seen);
    const edit = () => this.commands.execute(revised);
    const shown = () => locationDetail(this.db, meta.workspace, id);
    const { position } = await withCurrentOnConflict(this.projections, edit, shown);
    return done({ id, position });
  }

  @Answers(locations.delete)
  async delete({ id }: InputOf<typeof locations.delete>, { meta }: Asker) {
    const { domain } = await this.owned(id, meta.workspace);
    const { position } = await this.commands.execute(new RemoveLocation(domain.id, { location: id }, meta));
    return done({ id, position });
  }

  /**
   * The location's package and service must belong to the workspace. The present ones are accepted unchecked, because
   * they may be gone by now.
   */
  private async refuseForeign(
    { deployLog, service }: Pointers,
    before: Pointers | undefined,
    workspace: string,
  ): Promise<void> {
    const isNew = (now: Pointer, was: Pointer): now is { id: string } => Boolean(now) && now?.id !== was?.id;
    if (isNew(deployLog, before?.deployLog) && !(await isPulled(this.db, workspace, deployLog.id)))
      throw invalidField('data.deployLog.id', 'no package with this id was deployed in this workspace');
    if (isNew(service, before?.service) && !(await detailOf(serviceNoun, this.db, workspace, service.id)))
      throw invalidField('data.service.id', 'this service could not be found');
  }

  private async owned(id: string, workspace: string): Promise<OwnedLocation> {
    const location = await locationDetail(this.db, workspace, id);
    if (!location) throw notFound('location');
    return location;
  }
}
