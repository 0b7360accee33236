import { Module } from '@nestjs/common';
import { database, product } from '@quarterdeck/events';
import { DatabasesModule } from '../databases';
import { DnsModule } from '../dns';
import { ProductsModule } from '../products';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { afterRemoval } from '../platform/kit';
import { RunsModule } from '../runs';
import { afterServerRemoval, ServersModule } from '../servers';
import { cloudAccountDecider } from './cloud-account.decider';
import { CloudAccounts } from './cloud-accounts';
import { CloudAssociations } from './cloud-associations';
import { cloudDatabaseDecider, cloudDomainDecider } from './cloud-databases.decider';
import { CloudGround } from './cloud-ground';
import { CloudLooks } from './cloud-looks';
import { CloudOverview } from './cloud-overview';
import { CloudRequests } from './cloud-requests';
import { CloudRounds } from './cloud-rounds';
import { CloudRuns } from './cloud-runs';
import { CloudSignIn } from './cloud-sign-in';
import { CloudThingsController } from './cloud-things.controller';
import { CloudTokens } from './cloud-tokens';
import { CloudZones } from './cloud-zones';
import { CloudController } from './cloud.controller';
import { dropletDecider } from './droplets.decider';
import { FirstContact } from './first-contact';
import { MachineKeys } from './machine-keys';

export { CloudAccounts } from './cloud-accounts';
export { CloudAssociations } from './cloud-associations';
export { CloudGround } from './cloud-ground';
export { CloudRequests } from './cloud-requests';
export { CloudRuns } from './cloud-runs';
export { markedBy } from './cloud.queries';
export { FirstContact } from './first-contact';

@Module({
  imports: [DatabasesModule, DnsModule, ProductsModule, RunsModule, ServersModule],
  controllers: [CloudController, CloudThingsController],
  providers: [
    CloudAccounts,
    CloudAssociations,
    CloudGround,
    CloudLooks,
    CloudOverview,
    CloudRequests,
    CloudRounds,
    CloudRuns,
    CloudSignIn,
    CloudTokens,
    CloudZones,
    FirstContact,
    MachineKeys,
    ...deciderHandlers(cloudAccountDecider),
    ...deciderHandlers(dropletDecider),
    ...deciderHandlers(cloudDatabaseDecider),
    ...deciderHandlers(cloudDomainDecider),
    hook({
      on: afterServerRemoval,
      by: CloudAssociations,
      does: (associations) => (server, meta) => associations.release(server.id, meta),
    }),
    hook({
      on: afterRemoval(database),
      by: CloudAssociations,
      does: (associations) => (id, meta) => associations.releaseDatabase(id, meta),
    }),
    hook({
      on: afterRemoval(product),
      by: CloudAssociations,
      does: (associations) => (id, meta) => associations.releaseProduct(id, meta),
    }),
  ],
  exports: [CloudAssociations, CloudGround, CloudRequests, CloudRuns],
})
export class CloudModule {}
