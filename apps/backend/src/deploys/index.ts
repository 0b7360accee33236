import { Module } from '@nestjs/common';
import { product, service } from '@quarterdeck/events';
import { CredentialsModule } from '../credentials';
import { PackagePullsModule, removalFromPullLog } from '../package-pulls';
import { beforeDomainMove, DomainsModule } from '../domains';
import { ServicePackagesModule } from '../service-packages';
import { ProductsModule } from '../products';
import { deciderHandlers } from '../platform/decisions';
import { hook } from '../platform/hooks';
import { beforeEdit, beforeRemoval } from '../platform/kit';
import { RunsModule } from '../runs';
import { RegistriesModule } from '../registries';
import { beforeServerRemoval, ServersModule } from '../servers';
import { ServicesModule } from '../services';
import { VariablesModule } from '../variables';
import { ServerSites, WebServerModule } from '../webserver';
import { workflowActions } from '../workflows';
import { DeployAction } from './deploy-action';
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

export { Deploys } from './deploys';

const by = DeployHolds;
const holds = [
  hook({ on: beforeRemoval(service), by, does: (it) => (id, of) => it.holds({ service: id }, of) }),
  hook({ on: beforeRemoval(product), by, does: (it) => (id, of) => it.holds({ product: id }, of) }),
  hook({ on: beforeServerRemoval, by, does: (it) => (id, of) => it.holds({ server: id }, of) }),
  hook({ on: beforeEdit(service), by, does: (it) => (edited, of) => it.holdsMove(edited, of) }),
  hook({ on: beforeDomainMove, by, does: (it) => (domain, of) => it.leadsTo(domain, of) }),
];

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
    DeployAction,
    Deploys,
    DeployHolds,
    DeployVariables,
    RollbackValues,
    ...deciderHandlers(deploysDecider),
    ...holds,
    hook({ on: workflowActions, by: DeployAction, does: (action) => action }),
    hook({
      on: ServerSites,
      by: Deploys,
      does: (deploys) => (server, workspace) => deploys.served(server, workspace),
    }),
    hook({
      on: removalFromPullLog,
      by: Deploys,
      does: (deploys) => (id, meta) => deploys.removeFromLog(id, meta),
    }),
  ],
  exports: [Deploys],
})
export class DeploysModule {}
