/** Results of health probes, and the list of servers, worst health first. */
import { Controller, Inject } from '@nestjs/common';
import { health, servers, type InputOf } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import { pageOf, serverColumns, worstServersFirst } from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { Answers, type Asker } from '../platform/http';
import { detailOf } from '../platform/kit';
import { DB, type Pool } from '../platform/tokens';
import { listServers, ServerRegistry } from '../servers';
import { workspaceDetail } from '../workspaces';
import { healthHistory } from './health-history';
import { newestSamples } from './health-samples';
import { serviceHistory } from './service-history';

@Controller()
export class HealthChecksController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly registry: ServerRegistry,
  ) {}

  @Answers(health.list)
  list(_: object, { session: { workspace } }: Asker) {
    return newestSamples(this.db, workspace);
  }

  @Answers(servers.page)
  async page({ ids, ...asked }: InputOf<typeof servers.page>, { session: { workspace } }: Asker) {
    const [rows, samples] = await Promise.all([
      listServers(this.db, workspace),
      newestSamples(this.db, workspace),
    ]);
    const newest = new Map(samples.map((sample) => [sample.server, sample]));
    const wanted = ids && new Set(ids);
    const probed = rows
      .filter(({ id }) => wanted?.has(id) ?? true)
      .map((row) => ({ ...row, newest: newest.get(row.id) }));
    return pageOf(worstServersFirst(probed), serverColumns, asked);
  }

  @Answers(health.history)
  async history({ id, hours }: InputOf<typeof health.history>, { session: { workspace } }: Asker) {
    await this.registry.server(id, workspace);
    const { healthChecks } = await workspaceDetail(this.db, workspace);
    return healthHistory(this.db, { workspace, server: id, hours, everySeconds: healthChecks.everySeconds });
  }

  @Answers(health.service)
  async service({ id, hours }: InputOf<typeof health.service>, { session: { workspace } }: Asker) {
    const found = await detailOf(service, this.db, workspace, id);
    if (!found) throw notFound('service');
    const { id: at, name = '' } = (found['server'] ?? {}) as { id?: string; name?: string };
    const { healthChecks } = await workspaceDetail(this.db, workspace);
    return serviceHistory(this.db, {
      workspace,
      service: id,
      server: at === undefined ? undefined : { id: at, alias: name },
      hours,
      everySeconds: healthChecks.everySeconds,
    });
  }
}
