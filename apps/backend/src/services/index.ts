import { Module } from '@nestjs/common';
import { service } from '@quarterdeck/events';
import { plain } from '../platform/kit';
import { RepositoriesModule } from '../repositories';
import { RunsModule } from '../runs';
import { VariablesModule } from '../variables';
import { FirstVariables } from './first-variables';
import { ServiceCreation } from './service-creation';
import { ServiceCreationController } from './service-creation.controller';
import { ServiceWorkflowsController } from './service-workflows.controller';

const services = plain(service);

@Module({
  ...services,
  imports: [RepositoriesModule, RunsModule, VariablesModule],
  controllers: [...services.controllers, ServiceCreationController, ServiceWorkflowsController],
  providers: [...services.providers, FirstVariables, ServiceCreation],
})
export class ServicesModule {}
