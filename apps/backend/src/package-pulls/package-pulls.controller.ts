import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { packagePulls, type InputOf } from '@quarterdeck/contract';
import { packagePullColumns, pageOf } from '@quarterdeck/projections';
import { Answers, type Asker, done } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { PullLog } from './pull-log';
import { PackagePuller } from './package-puller';
import { RemoveDeployLog } from './package-pulls.decider';
import { listAllPackagePulls, listPackagePulls } from './package-pulls.queries';
import { PackageAddresses } from './package-addresses';

@Controller()
export class PackagePullsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly deployer: PackagePuller,
    private readonly addresses: PackageAddresses,
    private readonly log: PullLog,
  ) {}

  @Answers(packagePulls.pull)
  pull(input: InputOf<typeof packagePulls.pull>, { meta }: Asker) {
    return this.deployer.pull(input, meta);
  }

  @Answers(packagePulls.list)
  list({ filters }: InputOf<typeof packagePulls.list>, { session: { workspace } }: Asker) {
    return listAllPackagePulls(this.db, workspace, filters?.server?.id);
  }

  @Answers(packagePulls.page)
  async page({ server, ...asked }: InputOf<typeof packagePulls.page>, { session: { workspace } }: Asker) {
    return pageOf(await listPackagePulls(this.db, workspace, server?.id), packagePullColumns, asked);
  }

  @Answers(packagePulls.delete)
  async delete({ id }: InputOf<typeof packagePulls.delete>, { meta }: Asker) {
    const released = await this.log.remove(id, meta);
    if (released) return done(released);
    const { position } = await this.commands.execute(new RemoveDeployLog(id, {}, meta));
    await this.addresses.release(id, meta.workspace);
    return done({ id, position });
  }
}
