/** Results of health probes. The workspace sets their rule. */
import { Controller, Inject } from '@nestjs/common';
import { health, type Given } from '@quarterdeck/contract';
import { Answers, type Asker } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { ServerRegistry } from '../servers';
import { workspaceDetail } from '../workspaces';
import { healthHistory } from './health-history';
import { newestSamples } from './health-samples';

@Controller()
export class HealthChecksController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(ServerRegistry) private readonly registry: ServerRegistry,
  ) {}

  @Answers(health.list)
  list(_: object, { session: { workspace } }: Asker) {
    return newestSamples(this.db, workspace);
  }

  @Answers(health.history)
  async history({ id, hours }: Given<typeof health.history>, { session: { workspace } }: Asker) {
    await this.registry.server(id, workspace);
    const { healthChecks } = await workspaceDetail(this.db, workspace);
    return healthHistory(this.db, { workspace, server: id, hours, everySeconds: healthChecks.everySeconds });
  }
}
