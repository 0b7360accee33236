import { Module } from '@nestjs/common';
import { deciderHandlers } from '../platform/decisions';
import { ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { PullLog } from './pull-log';
import { PackagePuller } from './package-puller';
import { PackagePullsController } from './package-pulls.controller';
import { packagePullsDecider } from './package-pulls.decider';
import { PackageAddresses } from './package-addresses';

export { removalFromPullLog } from './pull-log';
export { isPulled, packagesOfService } from './package-pulls.queries';

@Module({
  imports: [ServersModule, ServicesModule],
  controllers: [PackagePullsController],
  providers: [PullLog, PackagePuller, PackageAddresses, ...deciderHandlers(packagePullsDecider)],
  exports: [PullLog],
})
export class PackagePullsModule {}
