import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { deploys, type Given } from '@quarterdeck/contract';
import { deployColumns, pageOf } from '@quarterdeck/projections';
import { Answers, type Asker, done } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { DeployLog } from './deploy-log';
import { Deployer } from './deployer';
import { RemoveDeployLog } from './deploys.decider';
import { listAllDeploys, listDeploys } from './deploys.queries';
import { PackageAddresses } from './package-addresses';

@Controller()
export class DeploysController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly deployer: Deployer,
    private readonly addresses: PackageAddresses,
    private readonly log: DeployLog,
  ) {}

  @Answers(deploys.pull)
  pull(input: Given<typeof deploys.pull>, { meta }: Asker) {
    return this.deployer.pull(input, meta);
  }

  @Answers(deploys.list)
  list({ filters }: Given<typeof deploys.list>, { session: { workspace } }: Asker) {
    return listAllDeploys(this.db, workspace, filters?.server?.id);
  }

  @Answers(deploys.page)
  async page({ server, ...asked }: Given<typeof deploys.page>, { session: { workspace } }: Asker) {
    return pageOf(await listDeploys(this.db, workspace, server?.id), deployColumns, asked);
  }

  @Answers(deploys.delete)
  async delete({ id }: Given<typeof deploys.delete>, { meta }: Asker) {
    const released = await this.log.remove(id, meta);
    if (released) return done(released);
    const { position } = await this.commands.execute(new RemoveDeployLog(id, {}, meta));
    await this.addresses.release(id, meta.workspace);
    return done({ id, position });
  }
}
