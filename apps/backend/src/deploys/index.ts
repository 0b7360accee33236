import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { Deployer } from './deployer';
import { DeploysController } from './deploys.controller';
import { deploysDecider } from './deploys.decider';
import { PackageAddresses } from './package-addresses';

export { isDeployed, packagesOfService } from './deploys.queries';

@Module({
  imports: [ServersModule, ServicesModule],
  controllers: [DeploysController],
  providers: [Deployer, PackageAddresses, ...deciderHandlers(deploysDecider)],
})
export class DeploysModule {}
