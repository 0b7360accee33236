import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials';
import { deciderHandlers } from '../platform/decisions';
import { VersionsModule } from '../versions';
import { WorkspacesModule } from '../workspaces';
import { Repositories } from './repositories';
import { RepositoriesController } from './repositories.controller';
import { repositoriesDecider } from './repositories.decider';
import { RepositoryReads } from './repository-reads';
import { SourceHost } from './source-host';

export type { RepositoryName } from './commits';
export { markOf, Repositories, repositoryId, type Part } from './repositories';
export type { RepositoryEvent } from './repositories.decider';
export { RepositoryReads, type ContainerPackage } from './repository-reads';
export { codeOf, SourceHost } from './source-host';

@Module({
  imports: [CredentialsModule, VersionsModule, WorkspacesModule],
  controllers: [RepositoriesController],
  providers: [Repositories, RepositoryReads, SourceHost, ...deciderHandlers(repositoriesDecider)],
  exports: [Repositories, RepositoryReads, SourceHost],
})
export class RepositoriesModule {}
