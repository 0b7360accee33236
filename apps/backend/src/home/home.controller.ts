import { Controller, Inject } from '@nestjs/common';
import { home } from '@quarterdeck/contract';
import { attentionOf, isTrusted, type AsOf, type DomainRow, type ServerView } from '@quarterdeck/projections';
import { listAlerts } from '../alerts';
import { listDomains, PendingChanges } from '../domains';
import { newestSamples } from '../health';
import { Answers, type Asker } from '../platform/http';
import { askedInstant, present } from '../platform/as-of';
import { DB, type Pool } from '../platform/tokens';
import { listServers } from '../servers';
import { workspaceDetail } from '../workspaces';
import { countsOf, unsuccessfulRuns } from './home.queries';

const DAY_MS = 86_400_000;
const MAX_SHOWN = 50;

@Controller()
export class HomeController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly pending: PendingChanges,
  ) {}

  @Answers(home.overview)
  async overview(_: object, { session: { workspace } }: Asker) {
    const now = present().getTime();
    const [servers, samples, rows, runs, alerts, { sslMonitor }, { products, arrived, invitations }] =
      await Promise.all([
        listServers(this.db, workspace),
        newestSamples(this.db, workspace),
        listDomains(this.db, workspace),
        unsuccessfulRuns(this.db, workspace, new Date(now - DAY_MS).toISOString()),
        listAlerts(this.db, workspace, true),
        workspaceDetail(this.db, workspace),
        countsOf(this.db, workspace),
      ]);
    const domains = await this.pending.added(rows);
    const newest = new Map(samples.map((sample) => [sample.server, sample]));
    const { expiringDays } = sslMonitor;
    const attention = attentionOf({
      domains,
      runs,
      // At present, what waits for somebody is a part of the page by itself.
      alerts: askedInstant.getStore() ? alerts : alerts.filter(({ about }) => about !== 'workflowAsks'),
      now,
      expiringDays,
      servers: servers.map((server) => ({ ...server, newest: newest.get(server.id) })),
    });
    return {
      attention: attention.slice(0, MAX_SHOWN),
      attentionCount: attention.length,
      counts: { products, domains: domains.length, servers: servers.length },
      steps: {
        ...stepsOf(servers, domains, { now, expiringDays }),
        invitation: arrived > 1 || invitations > 0,
      },
    };
  }
}

/** Derives from existing data which steps a newcomer has completed. */
const stepsOf = (servers: readonly ServerView[], domains: readonly DomainRow[], asOf: AsOf) => {
  const waiting = servers.find(({ initialized }) => !initialized);
  const certified = (domain: DomainRow): boolean => isTrusted(domain, asOf);
  const uncertified = domains.find((domain) => !certified(domain));
  return {
    server: servers.length > 0,
    setUp: servers.some(({ initialized }) => initialized !== undefined),
    domain: domains.length > 0,
    certificate: domains.some(certified),
    ...(waiting && { nextServer: waiting.id }),
    ...(uncertified && { nextDomain: uncertified.id }),
  };
};
