import { Module } from '@nestjs/common';
import { ServersModule } from '../servers';
import { WorkspaceSettings } from './workspace-settings';
import { Workspaces } from './workspaces';
import { WorkspacesController } from './workspaces.controller';

export { WorkspaceSettings } from './workspace-settings';
export { Workspaces } from './workspaces';
export { workspaceDetail } from './workspaces.queries';

@Module({
  imports: [ServersModule],
  controllers: [WorkspacesController],
  providers: [WorkspaceSettings, Workspaces],
  exports: [WorkspaceSettings, Workspaces],
})
export class WorkspacesModule {}
