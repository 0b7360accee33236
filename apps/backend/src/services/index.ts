import { Module } from '@nestjs/common';
import { service } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { ProductsModule } from '../products';
import { RepositoriesModule } from '../repositories';
import { RunsModule } from '../runs';
import { VariablesModule } from '../variables';
import { FirstVariables } from './first-variables';
import { ServiceCreation } from './service-creation';
import { ServiceCreationController } from './service-creation.controller';
import { ServiceWorkflowsController } from './service-workflows.controller';
import { TokensOfRemoved } from './tokens-of-removed';

const services = plain(service);

@Module({
  ...services,
  imports: [ProductsModule, RepositoriesModule, RunsModule, VariablesModule],
  controllers: [...services.controllers, ServiceCreationController, ServiceWorkflowsController],
  providers: [...services.providers, FirstVariables, ServiceCreation, TokensOfRemoved],
})
export class ServicesModule {}
