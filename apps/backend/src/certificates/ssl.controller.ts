import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId, nothing, sslRunStart, workspaceSslMonitor } from '@quarterdeck/events/inputs';
import type { SslCheck, SslMonitorStatus } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { written } from '../platform/answers';
import { invalidField } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/session';
import { valid } from '../platform/validation';
import { WorkspaceSettings } from '../workspaces';
import { RateBudgets } from './rate-budgets';
import { SslMonitor } from './ssl-monitor';
import { isSchedule } from './ssl-schedule';

@Controller()
export class SslController {
  constructor(
    @Inject(SslMonitor) private readonly monitor: SslMonitor,
    @Inject(RateBudgets) private readonly budgets: RateBudgets,
    @Inject(WorkspaceSettings) private readonly settings: WorkspaceSettings,
  ) {}

  @Post('ssl/run')
  @HttpCode(200)
  @Access('admin', { summary: 'Starts the SSL monitor, as a recorded run', receipt: false })
  async run(
    @Meta() meta: CommandMeta,
    @Body(valid(sslRunStart)) { runId = uuidv7(), checkOnly }: z.infer<typeof sslRunStart>,
  ) {
    const { position } = await this.monitor.start({ runId, checkOnly }, meta);
    return written({ runId }, position);
  }

  @Post('ssl/status')
  @HttpCode(200)
  @Access('admin', { summary: 'Where the SSL monitor stands', receipt: false, past: true })
  status(
    @CurrentSession() { workspace }: Session,
    @Body(valid(nothing)) _input: object,
  ): Promise<SslMonitorStatus> {
    return this.monitor.status(workspace);
  }

  @Post('ssl/checks')
  @HttpCode(200)
  @Access('admin', { summary: 'What an SSL run found, domain by domain', receipt: false, past: true })
  checks(
    @CurrentSession() { workspace }: Session,
    @Body(valid(byId)) { id }: z.infer<typeof byId>,
  ): Promise<SslCheck[]> {
    return this.monitor.checks(id, workspace);
  }

  @Post('ssl/budget')
  @HttpCode(200)
  @Access('admin', { summary: 'What the certificate authority still allows', receipt: false, past: true })
  budget(@CurrentSession() { workspace }: Session, @Body(valid(nothing)) _input: object) {
    return this.budgets.perRegisteredDomain(workspace);
  }

  @Post('workspace/ssl-monitor')
  @HttpCode(200)
  @Access('admin', { summary: 'Pace, labels and schedule of the SSL monitor' })
  configure(
    @Meta() meta: CommandMeta,
    @Body(valid(workspaceSslMonitor)) { revision, ...data }: z.infer<typeof workspaceSslMonitor>,
  ) {
    if (data.schedule !== undefined && !isSchedule(data.schedule))
      throw invalidField(
        'schedule',
        'this never comes round: five fields as in crontab are expected, such as 17 3 * * *',
      );
    return this.settings.set({ type: 'SslMonitorConfigured', data }, meta, revision);
  }
}
