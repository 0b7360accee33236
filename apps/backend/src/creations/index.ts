/** Work in sections that any operator carries on: the create wizard and the container flow. */
import { Module } from '@nestjs/common';
import { CertificatesModule } from '../certificates';
import { CloudModule } from '../cloud';
import { DatabasesModule } from '../databases';
import { DeploysModule } from '../deploys';
import { DnsModule } from '../dns';
import { DomainsModule } from '../domains';
import { deciderHandlers } from '../platform/decisions';
import { ProductsModule } from '../products';
import { RepositoriesModule } from '../repositories';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { ServicePackagesModule } from '../service-packages';
import { ServicesModule } from '../services';
import { VariablesModule } from '../variables';
import { VersionsModule } from '../versions';
import { WebServerModule } from '../webserver';
import { WorkspacesModule } from '../workspaces';
import { CloudPlans } from './cloud-plans';
import { CloudSections } from './cloud-sections';
import { ContainerFlowController } from './container-flow';
import { ContainerSections } from './container-sections';
import { CreationPlanner } from './creation-plan';
import { CreationRuns } from './creation-runs';
import { CreationWatch } from './creation-watch';
import { Creations } from './creations';
import { CreationsController } from './creations.controller';
import { creationsDecider } from './creations.decider';
import { ProductSections } from './product-sections';
import { SectionUndo } from './section-undo';
import { ServicePlans } from './service-plans';
import { ServiceSections } from './service-sections';

@Module({
  imports: [
    CertificatesModule,
    CloudModule,
    DatabasesModule,
    DeploysModule,
    DnsModule,
    DomainsModule,
    ProductsModule,
    RepositoriesModule,
    RunsModule,
    ServersModule,
    ServicePackagesModule,
    ServicesModule,
    VariablesModule,
    VersionsModule,
    WebServerModule,
    WorkspacesModule,
  ],
  controllers: [ContainerFlowController, CreationsController],
  providers: [
    CloudPlans,
    CloudSections,
    ContainerSections,
    CreationPlanner,
    CreationRuns,
    CreationWatch,
    Creations,
    ProductSections,
    SectionUndo,
    ServicePlans,
    ServiceSections,
    ...deciderHandlers(creationsDecider),
  ],
})
export class CreationsModule {}
