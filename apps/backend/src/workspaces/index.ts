import { Module } from '@nestjs/common';
import { SettingUndo } from './setting-undo';
import { WorkspaceSettings } from './workspace-settings';
import { Workspaces } from './workspaces';
import { WorkspacesController } from './workspaces.controller';

export { SettingUndo } from './setting-undo';
export { WorkspaceSettings } from './workspace-settings';
export { Workspaces, type Workspace } from './workspaces';
export { settingsOfAll, workspaceDetail } from './workspaces.queries';

@Module({
  controllers: [WorkspacesController],
  providers: [SettingUndo, WorkspaceSettings, Workspaces],
  exports: [SettingUndo, WorkspaceSettings, Workspaces],
})
export class WorkspacesModule {}
