import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials';
import { DeploysModule } from '../deploys';
import { DomainsModule } from '../domains';
import { PackagesModule } from '../packages';
import { ProductsModule } from '../products';
import { deciderHandlers } from '../platform/decisions';
import { RunsModule } from '../runs';
import { RegistriesModule } from '../registries';
import { ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { VariablesModule } from '../variables';
import { WebServerModule } from '../webserver';
import { KeptValues } from './kept-values';
import { LostReleases } from './lost-releases';
import { MovedLocations } from './moved-locations';
import { Registries } from './registries';
import { ReleaseHolds } from './release-holds';
import { ReleaseVariables } from './release-variables';
import { Releases } from './releases';
import { ReleasesController } from './releases.controller';
import { releasesDecider } from './releases.decider';
import { RollbackValues } from './rollback-values';

/** Deploys of the services of products. The log of packages that deploy through their own address is in `deploys`. */
@Module({
  imports: [
    CredentialsModule,
    DeploysModule,
    DomainsModule,
    PackagesModule,
    ProductsModule,
    RegistriesModule,
    RunsModule,
    ServersModule,
    ServicesModule,
    VariablesModule,
    WebServerModule,
  ],
  controllers: [ReleasesController],
  providers: [
    LostReleases,
    MovedLocations,
    Registries,
    KeptValues,
    Releases,
    ReleaseHolds,
    ReleaseVariables,
    RollbackValues,
    ...deciderHandlers(releasesDecider),
  ],
})
export class ReleasesModule {}
