import { Module } from '@nestjs/common';
import { Workspaces } from './workspaces';
import { WorkspacesController } from './workspaces.controller';

export { Workspaces } from './workspaces';
export { workspaceDetail } from './workspaces.queries';

@Module({ controllers: [WorkspacesController], providers: [Workspaces], exports: [Workspaces] })
export class WorkspacesModule {}
