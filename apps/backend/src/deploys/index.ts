import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { DeployLog } from './deploy-log';
import { Deployer } from './deployer';
import { DeploysController } from './deploys.controller';
import { deploysDecider } from './deploys.decider';
import { PackageAddresses } from './package-addresses';

export { DeployLog } from './deploy-log';
export { isDeployed, packagesOfService } from './deploys.queries';

@Module({
  imports: [ServersModule, ServicesModule],
  controllers: [DeploysController],
  providers: [DeployLog, Deployer, PackageAddresses, ...deciderHandlers(deploysDecider)],
  exports: [DeployLog],
})
export class DeploysModule {}
