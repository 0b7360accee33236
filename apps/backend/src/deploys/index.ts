import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials';
import { PackagePullsModule } from '../package-pulls';
import { DomainsModule } from '../domains';
import { ServicePackagesModule } from '../service-packages';
import { ProductsModule } from '../products';
import { deciderHandlers } from '../platform/decisions';
import { RunsModule } from '../runs';
import { RegistriesModule } from '../registries';
import { ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { VariablesModule } from '../variables';
import { WebServerModule } from '../webserver';
import { KeptValues } from './kept-values';
import { LostDeploys } from './lost-deploys';
import { MovedLocations } from './moved-locations';
import { Registries } from './registries';
import { DeployHolds } from './deploy-holds';
import { DeployVariables } from './deploy-variables';
import { Deploys } from './deploys';
import { DeploysController } from './deploys.controller';
import { deploysDecider } from './deploys.decider';
import { RollbackValues } from './rollback-values';

/** Deploys of the services of products. The log of packages that deploy through their own address is in `deploys`. */
@Module({
  imports: [
    CredentialsModule,
    PackagePullsModule,
    DomainsModule,
    ServicePackagesModule,
    ProductsModule,
    RegistriesModule,
    RunsModule,
    ServersModule,
    ServicesModule,
    VariablesModule,
    WebServerModule,
  ],
  controllers: [DeploysController],
  providers: [
    LostDeploys,
    MovedLocations,
    Registries,
    KeptValues,
    Deploys,
    DeployHolds,
    DeployVariables,
    RollbackValues,
    ...deciderHandlers(deploysDecider),
  ],
})
export class DeploysModule {}
