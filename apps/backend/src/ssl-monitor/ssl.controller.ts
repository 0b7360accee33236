import { Controller } from '@nestjs/common';
import { ssl, workspaces, type InputOf } from '@quarterdeck/contract';
import { pageOf, problemsOf, sslColumns } from '@quarterdeck/projections';
import { Answers, type Asker, written } from '../platform/http';
import { invalidField } from '../platform/errors';
import { WorkspaceSettings } from '../workspaces';
import { RateBudgets } from '../certificates';
import { SslMonitor } from './ssl-monitor';
import { isSchedule } from '../platform/cron-occurrences';
import { idFor } from '../platform/sessions';

@Controller()
export class SslController {
  constructor(
    private readonly monitor: SslMonitor,
    private readonly budgets: RateBudgets,
    private readonly settings: WorkspaceSettings,
  ) {}

  @Answers(ssl.run)
  async run({ runId: chosen, checkOnly }: InputOf<typeof ssl.run>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.monitor.start({ runId, checkOnly }, meta);
    return written({ runId }, position);
  }

  @Answers(ssl.status)
  status(_: object, { session: { workspace } }: Asker) {
    return this.monitor.status(workspace);
  }

  @Answers(ssl.checks)
  async checks({ id, problems }: InputOf<typeof ssl.checks>, { session: { workspace } }: Asker) {
    const checks = await this.monitor.checks(id, workspace);
    return problems === undefined ? checks : problemsOf(checks, problems);
  }

  @Answers(ssl.checksPage)
  async checksPage({ id, ...asked }: InputOf<typeof ssl.checksPage>, { session: { workspace } }: Asker) {
    return pageOf(await this.monitor.checks(id, workspace), sslColumns, asked);
  }

  @Answers(ssl.budget)
  budget(_: object, { session: { workspace } }: Asker) {
    return this.budgets.perRegisteredDomain(workspace);
  }

  @Answers(workspaces.sslMonitor)
  configure({ revision, ...data }: InputOf<typeof workspaces.sslMonitor>, { meta }: Asker) {
    if (data.schedule !== undefined && !isSchedule(data.schedule))
      throw invalidField(
        'schedule',
        'this schedule never occurs: five crontab fields are expected, such as 17 3 * * *',
      );
    return this.settings.set({ type: 'SslMonitorConfigured', data }, meta, revision);
  }
}
