import { Module } from '@nestjs/common';
import { product, service } from '@quarterdeck/events';
import { hook } from '../platform/hooks';
import { afterRemoval, judgedFields, plain } from '../platform/kit';
import { ProductsModule } from '../products';
import { RepositoriesModule } from '../repositories';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { AppTokens, VariablesModule } from '../variables';
import { FirstVariables } from './first-variables';
import { PortFields } from './port-fields';
import { ServiceCreation } from './service-creation';
import { ServiceCreationController } from './service-creation.controller';
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
    hook({
      on: judgedFields(service),
      by: PortFields,
      does: (ports) => (after, before, workspace) => ports.judge(after, before, workspace),
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
