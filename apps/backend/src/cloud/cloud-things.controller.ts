/** Calls about droplets, databases and domains of the account. */
import { Controller, Header, Inject } from '@nestjs/common';
import { cloud, type InputOf } from '@quarterdeck/contract';
import { notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { CloudAssociations } from './cloud-associations';
import { CloudGround } from './cloud-ground';
import { CloudRuns, DEFAULTS } from './cloud-runs';
import { CloudZones } from './cloud-zones';
import { dropletDetail, listCloudDatabases, listDroplets } from './cloud.queries';

@Controller()
export class CloudThingsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly ground: CloudGround,
    private readonly runs: CloudRuns,
    private readonly associations: CloudAssociations,
    private readonly zones: CloudZones,
  ) {}

  @Answers(cloud.dropletOptions)
  async dropletOptions(_: object, { session: { workspace } }: Asker) {
    const provider = await this.ground.provider(workspace, { waitSeconds: 3 });
    return { ...(await provider.options()), defaults: DEFAULTS };
  }

  @Answers(cloud.dropletList)
  dropletList(_: object, { session: { workspace } }: Asker) {
    return listDroplets(this.db, workspace);
  }

  @Answers(cloud.dropletDetail)
  async dropletDetail({ id }: InputOf<typeof cloud.dropletDetail>, { session: { workspace } }: Asker) {
    const found = await dropletDetail(this.db, workspace, id);
    if (!found) throw notFound('droplet');
    return found;
  }

  @Answers(cloud.dropletCreate)
  async dropletCreate(input: InputOf<typeof cloud.dropletCreate>, { meta }: Asker) {
    const { runId, position } = await this.runs.createDroplet(input, meta);
    return written({ runId }, position);
  }

  @Answers(cloud.dropletAssociate)
  async dropletAssociate(input: InputOf<typeof cloud.dropletAssociate>, { meta }: Asker) {
    const { id, position } = await this.associations.droplet(input, meta);
    return written({ id, uuid: id }, position);
  }

  @Answers(cloud.dropletAct)
  async dropletAct(input: InputOf<typeof cloud.dropletAct>, { meta }: Asker) {
    const { runId, position } = await this.runs.act(input, meta);
    return written({ runId }, position);
  }

  @Answers(cloud.dropletDelete)
  async dropletDelete(input: InputOf<typeof cloud.dropletDelete>, { meta }: Asker) {
    const { runId, position } = await this.runs.deleteDroplet(input, meta);
    return written({ runId }, position);
  }

  @Answers(cloud.databaseList)
  databaseList(_: object, { session: { workspace } }: Asker) {
    return listCloudDatabases(this.db, workspace);
  }

  @Answers(cloud.databasePassword)
  @Header('cache-control', 'no-store')
  async databasePassword({ id }: InputOf<typeof cloud.databasePassword>, { meta }: Asker) {
    const { user, password, position } = await this.associations.password(id, meta);
    return written({ user, password }, position);
  }

  @Answers(cloud.databaseCreate)
  async databaseCreate(input: InputOf<typeof cloud.databaseCreate>, { meta }: Asker) {
    const { runId, position } = await this.runs.createDatabase(input, meta);
    return written({ runId }, position);
  }

  @Answers(cloud.databaseDelete)
  async databaseDelete(input: InputOf<typeof cloud.databaseDelete>, { meta }: Asker) {
    const { runId, position } = await this.runs.deleteDatabase(input, meta);
    return written({ runId }, position);
  }

  @Answers(cloud.databaseAssociate)
  async databaseAssociate(input: InputOf<typeof cloud.databaseAssociate>, { meta }: Asker) {
    const { id, runId, position } = await this.associations.database(input, meta);
    return written({ id, uuid: id, runId }, position);
  }

  @Answers(cloud.domainList)
  domainList(_: object, { session: { workspace } }: Asker) {
    return this.zones.list(workspace);
  }

  @Answers(cloud.recordList)
  recordList({ domain }: InputOf<typeof cloud.recordList>, { session: { workspace } }: Asker) {
    return this.zones.records(domain, workspace);
  }

  @Answers(cloud.recordInsert)
  async recordInsert(input: InputOf<typeof cloud.recordInsert>, { meta }: Asker) {
    const { record, position } = await this.zones.add(input, meta);
    return written(record, position);
  }

  @Answers(cloud.recordUpdate)
  async recordUpdate(input: InputOf<typeof cloud.recordUpdate>, { meta }: Asker) {
    const { record, position } = await this.zones.change(input, meta);
    return written(record, position);
  }

  @Answers(cloud.recordDelete)
  async recordDelete(input: InputOf<typeof cloud.recordDelete>, { meta }: Asker) {
    const { position } = await this.zones.remove(input, meta);
    return written({}, position);
  }

  @Answers(cloud.domainDifference)
  domainDifference({ domain }: InputOf<typeof cloud.domainDifference>, { session: { workspace } }: Asker) {
    return this.zones.difference(domain, workspace);
  }
}
