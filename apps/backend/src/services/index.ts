import { Module } from '@nestjs/common';
import { database, product, service } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { afterRemoval, beforeEdit, judgedFields, plain } from '../platform/kit';
import { ProductsModule } from '../products';
import { RepositoriesModule } from '../repositories';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { AppTokens, VariablesModule } from '../variables';
import { FirstVariables } from './first-variables';
import { PortFields } from './port-fields';
import { ServiceCreation } from './service-creation';
import { ServiceCreationController } from './service-creation.controller';
import { ServiceDatabases } from './service-databases';
import { ServiceWorkflowsController } from './service-workflows.controller';

const services = plain(service);

export { refusedServerPort } from './port-fields';
export { ServiceCreation } from './service-creation';

@Module({
  ...services,
  imports: [ProductsModule, RepositoriesModule, RunsModule, ServersModule, VariablesModule],
  controllers: [...services.controllers, ServiceCreationController, ServiceWorkflowsController],
  providers: [
    ...services.providers,
    FirstVariables,
    PortFields,
    ServiceCreation,
    ServiceDatabases,
    hook({
      on: judgedFields(service),
      by: PortFields,
      does: (ports) => (after, before, workspace) => ports.judge(after, before, workspace),
    }),
    hook({
      on: judgedFields(service),
      by: ServiceDatabases,
      does: (databases) => (after, before, workspace) => databases.judge(after, before, workspace),
    }),
    hook({
      on: beforeEdit(database),
      by: ServiceDatabases,
      does: (databases) => (edited, workspace) => databases.holds(edited, workspace),
    }),
    // A restored service gets new tokens.
    hook({
      on: afterRemoval(service),
      by: AppTokens,
      does: (tokens) => (id, meta) => tokens.revokeOfService(id, meta),
    }),
    hook({
      on: afterRemoval(product),
      by: AppTokens,
      does: (tokens) => (id, meta) => tokens.revokeOfProduct(id, meta),
    }),
  ],
  exports: [...services.exports, ServiceCreation],
})
export class ServicesModule {}
