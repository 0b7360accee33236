/**
 * The SSL monitor of each workspace: one run at a time, started on request or by the schedule, and the same for
 * everybody who watches.
 */
import { Inject, Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Position } from '@quarterdeck/events';
import {
  noSslChecks,
  type DomainView,
  type SslCheck,
  type SslMonitorStatus,
  type SslPhase,
  type RunView,
} from '@quarterdeck/projections';
import { notFound } from '../platform/errors';
import { inView } from '../platform/in-view';
import { LiveMessages } from '../platform/live';
import { Outbound } from '../platform/outbound';
import { present } from '../platform/as-of';
import type { CommandMeta } from '../platform/sessions';
import { DB, LOGGER, type Logger, type Pool } from '../platform/tokens';
import { RunEngine, type RunKind } from '../runs';
import { ServerRegistry } from '../servers';
import { Workspaces, WorkspaceSettings } from '../workspaces';
import { Certificates, RenewalPlans } from '../certificates';
import { sslChecksOf, sslCountersOf, type SslSubject } from './ssl-checks';
import { SslNews } from './ssl-news';
import { SslRun, type SslDeps } from './ssl-run';
import { nextOccurrence } from '../platform/cron-occurrences';

const HOURS = 3_600_000;
/** Enough for a day's worth of domains with their pauses, and renewals of a few minutes each. */
const LONGEST_MS = 24 * HOURS;

export const sslMonitor = (deps: SslDeps): RunKind => ({
  kind: 'sslMonitor',
  // Only one at a time per workspace: the run works on the workspace itself.
  changes: true,
  steps: [
    {
      name: 'fetch',
      on: 'console',
      perform: (context, io) => new SslRun(deps, context, io).fetch(),
      timeoutMs: HOURS,
      repeatable: true,
    },
    {
      name: 'check',
      on: 'console',
      perform: (context, io) => new SslRun(deps, context, io).check(),
      timeoutMs: LONGEST_MS,
      repeatable: true,
    },
    {
      name: 'renew',
      on: 'console',
      when: ({ request }) => request.input['checkOnly'] !== true,
      perform: (context, io) => new SslRun(deps, context, io).renew(),
      timeoutMs: LONGEST_MS,
      repeatable: true,
      startsRuns: true,
    },
  ],
});

@Injectable()
export class SslMonitor implements OnModuleInit, OnModuleDestroy {
  private readonly news: SslNews;

  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly engine: RunEngine,
    private readonly outbound: Outbound,
    private readonly certificates: Certificates,
    private readonly plans: RenewalPlans,
    private readonly servers: ServerRegistry,
    private readonly workspaces: Workspaces,
    private readonly settings: WorkspaceSettings,
    messages: LiveMessages,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.news = new SslNews(messages, (error) => logger.warn({ err: error }, 'news of the SSL monitor'));
  }

  onModuleInit(): void {
    const { db, commands, engine, outbound, logger, certificates, plans, servers } = this;
    this.engine.register(
      sslMonitor({
        db,
        commands,
        engine,
        outbound,
        logger,
        certificates,
        plans,
        servers,
        settings: (workspace) => this.settings.get('SslMonitorConfigured', workspace),
        subjects: (workspace) => this.subjects(workspace),
        otherNames: (domain) => this.otherNames(domain),
        tell: (workspace, run, phase, counters) => this.news.tell(workspace, { run, phase, counters }),
      }),
    );
  }

  async onModuleDestroy(): Promise<void> {
    await this.news.stop();
  }

  /** @throws DomainError `conflict` that names the running run */
  async start(
    { runId, checkOnly = false }: { runId: string; checkOnly?: boolean | undefined },
    meta: CommandMeta,
  ): Promise<{ runId: string; position: Position }> {
    const name = (await this.workspaces.byId(meta.workspace))?.name ?? '';
    const subject = { kind: 'workspace', id: meta.workspace, name };
    return this.engine.start(runId, 'sslMonitor', { subject, input: { checkOnly } }, meta);
  }

  async status(workspace: string, now = present()): Promise<SslMonitorStatus> {
    const { schedule } = await this.settings.get('SslMonitorConfigured', workspace);
    const nextAt = schedule === undefined ? undefined : nextOccurrence(schedule, now)?.toISOString();
    const { rows } = await this.db.query<{ id: string; state: string; step: string | null }>({
      name: 'newest-ssl-run',
      text: `select id, state, ${inView<RunView>('view').text('steps', '-1', 'step')} as step from read.runs
             where workspace = $1 and "subjectId" = $1 and kind = 'sslMonitor'
             order by "requestedPosition" desc limit 1`,
      values: [workspace],
    });
    const [newest] = rows;
    const next = nextAt === undefined ? {} : { nextAt };
    if (!newest) return { phase: 'idle', counters: noSslChecks, ...next };
    const counters = await sslCountersOf(this.db, workspace, newest.id);
    return { phase: phaseOf(newest), counters, run: newest.id, ...next };
  }

  /** @throws DomainError `notFound` */
  async checks(run: string, workspace: string): Promise<SslCheck[]> {
    const known = `select from read.runs where id = $1 and workspace = $2 and kind = 'sslMonitor'`;
    if ((await this.db.query(known, [run, workspace])).rowCount === 0) throw notFound('run');
    return sslChecksOf(this.db, workspace, run);
  }

  private async subjects(workspace: string): Promise<SslSubject[]> {
    const { rows } = await this.db.query<SslSubject>(
      `select id as domain, "serverName" from read.domains where workspace = $1 order by "serverName"`,
      [workspace],
    );
    return rows;
  }

  private async otherNames(id: string): Promise<string[]> {
    const { rows } = await this.db.query<{ names: DomainView['names'] | null }>({
      name: 'ssl-other-names',
      text: `select ${inView<DomainView>('view').json('names')} as names from read.domains where id = $1`,
      values: [id],
    });
    return (rows[0]?.names ?? []).map(({ name }) => name);
  }
}

const ofStep: Partial<Record<string, SslPhase>> = {
  fetch: 'fetching',
  check: 'checking',
  renew: 'renewing',
};
const ofState: Partial<Record<string, SslPhase>> = {
  succeeded: 'complete',
  cancelled: 'stopped',
  failed: 'error',
  interrupted: 'error',
};

/** Pure. @param run from the read model, with its last step */
export const phaseOf = ({ state, step }: { state: string; step: string | null }): SslPhase =>
  ofState[state] ?? ofStep[step ?? 'fetch'] ?? 'fetching';
