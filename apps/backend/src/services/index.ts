import { Module } from '@nestjs/common';
import { service } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { ProductsModule } from '../products';
import { RepositoriesModule } from '../repositories';
import { RunsModule } from '../runs';
import { ServersModule } from '../servers';
import { VariablesModule } from '../variables';
import { FirstVariables } from './first-variables';
import { PortFields } from './port-fields';
import { ServiceCreation } from './service-creation';
import { ServiceCreationController } from './service-creation.controller';
import { ServiceWorkflowsController } from './service-workflows.controller';
import { TokensOfRemoved } from './tokens-of-removed';

const services = plain(service);

export { refusedServerPort } from './port-fields';

@Module({
  ...services,
  imports: [ProductsModule, RepositoriesModule, RunsModule, ServersModule, VariablesModule],
  controllers: [...services.controllers, ServiceCreationController, ServiceWorkflowsController],
  providers: [...services.providers, FirstVariables, PortFields, ServiceCreation, TokensOfRemoved],
})
export class ServicesModule {}
