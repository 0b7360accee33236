import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import {
  nothing,
  workspaceContainerFlow,
  workspaceHealthChecks,
  workspaceRetention,
} from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { ServerRegistry } from '../servers';
import { WorkspaceSettings } from './workspace-settings';
import { workspaceDetail } from './workspaces.queries';

/** The workspace is always the one that the session belongs to: nobody names another. */
@Controller('workspace')
export class WorkspacesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(WorkspaceSettings) private readonly settings: WorkspaceSettings,
    @Inject(ServerRegistry) private readonly servers: ServerRegistry,
  ) {}

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'The workspace and its settings', receipt: false, past: true })
  detail(
    @CurrentSession() { workspace }: Session,
    @Body(valid(nothing)) _input: object,
  ): Promise<WorkspaceView> {
    return workspaceDetail(this.db, workspace);
  }

  @Post('health-checks')
  @HttpCode(200)
  @Access('admin', { summary: 'How often servers are probed, and when one counts as unreachable' })
  healthChecks(
    @Meta() meta: CommandMeta,
    @Body(valid(workspaceHealthChecks)) { revision, ...data }: z.infer<typeof workspaceHealthChecks>,
  ) {
    return this.settings.set({ type: 'HealthChecksConfigured', data }, meta, revision);
  }

  @Post('container-flow')
  @HttpCode(200)
  @Access('admin', { summary: 'Which server containers are deployed to unless somebody chooses another' })
  async containerFlow(
    @Meta() meta: CommandMeta,
    @Body(valid(workspaceContainerFlow)) { revision, ...data }: z.infer<typeof workspaceContainerFlow>,
  ) {
    if (data.server) await this.servers.server(data.server.id, meta.workspace);
    return this.settings.set({ type: 'ContainerFlowConfigured', data }, meta, revision);
  }

  @Post('retention')
  @HttpCode(200)
  @Access('admin', { summary: 'How many days after its end the output of a run is removed' })
  retention(
    @Meta() meta: CommandMeta,
    @Body(valid(workspaceRetention)) { revision, ...data }: z.infer<typeof workspaceRetention>,
  ) {
    return this.settings.set({ type: 'RetentionConfigured', data }, meta, revision);
  }
}
