/** What the probes found. The rule by which they go is the workspace's. */
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { healthHistory as historyInput, nothing } from '@quarterdeck/events/inputs';
import type { HealthHistory, NewestHealth } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession } from '../platform/access';
import type { Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { ServerRegistry } from '../servers';
import { workspaceDetail } from '../workspaces';
import { healthHistory } from './health-history';
import { newestSamples } from './health-samples';

@Controller('health')
export class HealthChecksController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(ServerRegistry) private readonly registry: ServerRegistry,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'The newest probe of each server', receipt: false, past: true })
  list(
    @CurrentSession() { workspace }: Session,
    @Body(valid(nothing)) _input: object,
  ): Promise<NewestHealth[]> {
    return newestSamples(this.db, workspace);
  }

  @Post('history')
  @HttpCode(200)
  @Access('admin', {
    summary: 'How one server fared in the last hours, in at most 300 points',
    receipt: false,
    past: true,
  })
  async history(
    @CurrentSession() { workspace }: Session,
    @Body(valid(historyInput)) { id, hours }: z.infer<typeof historyInput>,
  ): Promise<HealthHistory> {
    await this.registry.server(id, workspace);
    const { healthChecks } = await workspaceDetail(this.db, workspace);
    return healthHistory(this.db, { workspace, server: id, hours, everySeconds: healthChecks.everySeconds });
  }
}
