import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { alertList, byId, nothing, workspaceAlerts } from '@quarterdeck/events/inputs';
import type { AlertView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done } from '../platform/answers';
import { DomainError } from '../platform/errors';
import { idFor, type CommandMeta, type Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { workspaceDetail } from '../workspaces';
import { AlertSettings } from './alert-settings';
import { DismissAlert, RaiseAlert } from './alerts.decider';
import { listAlerts } from './alerts.queries';

@Controller('alert')
export class AlertsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(CommandBus) private readonly commands: CommandBus,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Alerts, newest first, with what the webhook was told',
    receipt: false,
    past: true,
  })
  list(
    @CurrentSession() { workspace }: Session,
    @Body(valid(alertList)) { open }: z.infer<typeof alertList>,
  ): Promise<AlertView[]> {
    return listAlerts(this.db, workspace, open);
  }

  @Post('dismiss')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Takes an alert off the banner, for everybody; the webhook is not told of it again',
  })
  async dismiss(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    return done(await this.commands.execute(new DismissAlert(id, {}, meta)));
  }

  @Post('test')
  @HttpCode(200)
  @Access('admin', { summary: 'Sends a test to the webhook, once; what came of it is in the list' })
  async test(@Meta() meta: CommandMeta, @Body(valid(nothing)) _input: object) {
    const { id: workspace, name, alerts } = await workspaceDetail(this.db, meta.workspace);
    if (!alerts.webhook)
      throw new DomainError(
        'unprocessable',
        'there is no webhook yet: give its address in the settings of alerts',
      );
    const subject = { kind: 'workspace', id: workspace, name };
    const says = 'This is a test: alerts about certificates arrive here.';
    const raise = new RaiseAlert(idFor('alert', meta), { subject, about: 'test', says }, meta);
    return done(await this.commands.execute(raise));
  }
}

@Controller('workspace')
export class AlertSettingsController {
  constructor(@Inject(AlertSettings) private readonly settings: AlertSettings) {}

  @Post('alerts')
  @HttpCode(200)
  @Access('admin', {
    summary:
      'Days before the end at which alerts are raised, and the webhook; answers a secret that was made, once',
    receipt: false,
  })
  alerts(@Meta() meta: CommandMeta, @Body(valid(workspaceAlerts)) input: z.infer<typeof workspaceAlerts>) {
    return this.settings.set(input, meta);
  }
}
