import { Controller, Inject } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { alerts, workspaces, type InputOf } from '@quarterdeck/contract';
import { alertColumns, pageOf } from '@quarterdeck/projections';
import { Answers, type Asker, done } from '../platform/http';
import { DomainError } from '../platform/errors';
import { idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { workspaceDetail } from '../workspaces';
import { AlertSettings } from './alert-settings';
import { AcknowledgeAlert, DismissAlert, RaiseAlert } from './alerts.decider';
import { listAlerts, MAX_OVER } from './alerts.queries';

@Controller()
export class AlertsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
  ) {}

  @Answers(alerts.list)
  list({ open }: InputOf<typeof alerts.list>, { session: { workspace } }: Asker) {
    return listAlerts(this.db, workspace, open, MAX_OVER);
  }

  @Answers(alerts.page)
  async page(asked: InputOf<typeof alerts.page>, { session: { workspace } }: Asker) {
    return pageOf(await listAlerts(this.db, workspace), alertColumns, asked);
  }

  @Answers(alerts.dismiss)
  async dismiss({ id }: InputOf<typeof alerts.dismiss>, { meta }: Asker) {
    return done(await this.commands.execute(new DismissAlert(id, {}, meta)));
  }

  @Answers(alerts.acknowledge)
  async acknowledge({ id, note }: InputOf<typeof alerts.acknowledge>, { meta }: Asker) {
    return done(await this.commands.execute(new AcknowledgeAlert(id, { note }, meta)));
  }

  @Answers(alerts.test)
  async test(_: object, { meta }: Asker) {
    const { id: workspace, name, alerts } = await workspaceDetail(this.db, meta.workspace);
    if (!alerts.webhook)
      throw new DomainError(
        'unprocessable',
        'there is no webhook yet: enter its address in the alert settings',
      );
    const subject = { kind: 'workspace', id: workspace, name };
    const says = 'This is a test: alerts about certificates arrive here.';
    const raise = new RaiseAlert(idFor('alert', meta), { subject, about: 'test', says }, meta);
    return done(await this.commands.execute(raise));
  }
}

@Controller()
export class AlertSettingsController {
  constructor(private readonly settings: AlertSettings) {}

  @Answers(workspaces.alerts)
  alerts(input: InputOf<typeof workspaces.alerts>, { meta }: Asker) {
    return this.settings.set(input, meta);
  }
}
