import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { nothing, workspaceHealthChecks } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { Decisions } from '../platform/decider-handlers';
import { conflict, DomainError } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { ConfigureHealthChecks, workspaceDecider } from './workspaces.decider';
import { workspaceDetail } from './workspaces.queries';

/** The workspace is always the one that the session belongs to: nobody names another. */
@Controller('workspace')
export class WorkspacesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(Decisions) private readonly decisions: Decisions,
  ) {}

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'The workspace and its settings', receipt: false })
  detail(
    @CurrentSession() { workspace }: Session,
    @Body(valid(nothing)) _input: object,
  ): Promise<WorkspaceView> {
    return workspaceDetail(this.db, workspace);
  }

  @Post('health-checks')
  @HttpCode(200)
  @Access('admin', { summary: 'How often servers are probed, and when one counts as unreachable' })
  async healthChecks(
    @Meta() meta: CommandMeta,
    @Body(valid(workspaceHealthChecks)) { revision, ...rule }: z.infer<typeof workspaceHealthChecks>,
  ) {
    const { workspace } = meta;
    try {
      const command = new ConfigureHealthChecks(workspace, rule, meta, revision);
      const { position } = await this.decisions.execute(workspaceDecider, command);
      return written({ id: workspace, uuid: workspace }, position);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
      const { healthChecks, revision: newest } = await workspaceDetail(this.db, workspace);
      throw conflict(error.msg, { ...healthChecks, revision: newest });
    }
  }
}
