import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials';
import { DeploysModule } from '../deploys';
import { DomainsModule } from '../domains';
import { PackagesModule } from '../packages';
import { ProductsModule } from '../products';
import { deciderHandlers } from '../platform/decisions';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { VariablesModule } from '../variables';
import { WebServerModule } from '../webserver';
import { KeptValues } from './kept-values';
import { LostReleases } from './lost-releases';
import { Registries } from './registries';
import { ReleaseHolds } from './release-holds';
import { ReleaseVariables } from './release-variables';
import { Releases } from './releases';
import { ReleasesController } from './releases.controller';
import { releasesDecider } from './releases.decider';

/** Deploys of the services of products. The log of packages that deploy through their own address is in `deploys`. */
@Module({
  imports: [
    CredentialsModule,
    DeploysModule,
    DomainsModule,
    PackagesModule,
    ProductsModule,
    RunsModule,
    ServersModule,
    ServicesModule,
    VariablesModule,
    WebServerModule,
  ],
  controllers: [ReleasesController],
  providers: [
    LostReleases,
    Registries,
    KeptValues,
    Releases,
    ReleaseHolds,
    ReleaseVariables,
    ...deciderHandlers(releasesDecider),
  ],
})
export class ReleasesModule {}
