/** The frame of everything that watches for reasons to raise an alert. */
import type { CommandBus } from '@nestjs/cqrs';
import type { EventData, RecordedEvent } from '@quarterdeck/events';
import type { AlertView } from '@quarterdeck/projections';
import { inView } from '../platform/in-view';
import { ownMeta } from '../platform/sessions';
import type { Pool } from '../platform/tokens';
import { RaiseAlert, ResolveAlert } from './alerts.decider';
import { withMaintenance } from './maintenance';

const RETRY_MS = 1000;

/**
 * SQL for the workspaces that get alerts about the installation itself: those with a superadmin. A new installation has no
 * superadmin, so until there is one, every workspace with an administrator gets them.
 */
export const TOLD_OF_INSTALLATION = `
  select distinct workspace from read.people
  where "removedAt" is null and role = case
    when exists (select from read.people where role = 'superadmin' and "removedAt" is null) then 'superadmin'
    else 'admin' end`;

const alert = inView<AlertView>('view');

export interface DueAlert {
  workspace: string;
  raised: EventData<'AlertRaised'>;
}
export interface OpenAlert {
  id: string;
  workspace: string;
  subject: string;
  about: DueAlert['raised']['about'];
}

export interface WatchDeps {
  db: Pool;
  commands: CommandBus;
  onFault(error: unknown): void;
}

/**
 * Looks after events, and as time passes, whether there is something to alert of. Only one look runs at a time, because two could
 * raise the same alert. All events that arrive meanwhile lead to one more look. A failed look is repeated.
 */
export abstract class Watch {
  protected abstract readonly everyMs: number;
  /** The types of events after which it looks. */
  protected readonly after: readonly string[] = [];
  /** Whether it looks as soon as it is started. */
  protected readonly isDueAtStart: boolean = true;

  protected stopped = false;
  private looking = Promise.resolve();
  /** A look is to come that has not begun. */
  private isQueued = false;
  private timer: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(protected readonly deps: WatchDeps) {}

  protected abstract settle(): Promise<void>;

  start(): void {
    this.timer = setInterval(() => this.lookAtAll(), this.everyMs).unref();
    if (this.isDueAtStart) this.lookAtAll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    await this.looking;
  }

  heard(events: readonly RecordedEvent[]): void {
    if (events.some(({ type }) => this.after.includes(type))) this.look();
  }

  /** For a watch that otherwise looks only at what events were about. */
  protected lookAtAll(): void {
    this.look();
  }

  protected look(): void {
    if (this.isQueued) return;
    this.isQueued = true;
    this.looking = this.looking.then(async () => {
      this.isQueued = false;
      if (this.stopped) return;
      try {
        await this.settle();
      } catch (error) {
        this.deps.onFault(error);
        // Rare, and cheaper than remembering how far the look got.
        this.retry = setTimeout(() => this.lookAtAll(), RETRY_MS).unref();
      }
    });
  }

  /** @param correlationId of what led to it, so that what the alert leads to is known to belong to it, too */
  protected async raise(
    id: string,
    raised: EventData<'AlertRaised'>,
    workspace: string,
    correlationId?: string,
  ): Promise<void> {
    const meta = ownMeta('system', workspace, correlationId);
    const recorded = await withMaintenance(this.deps.db, raised, workspace);
    await this.deps.commands.execute(new RaiseAlert(id, recorded, meta));
  }

  protected async resolve(
    id: string,
    reason: string,
    workspace: string,
    correlationId?: string,
  ): Promise<void> {
    const meta = ownMeta('system', workspace, correlationId);
    await this.deps.commands.execute(new ResolveAlert(id, { reason }, meta));
  }

  protected async openAlerts(abouts: readonly DueAlert['raised']['about'][]): Promise<OpenAlert[]> {
    const { rows } = await this.deps.db.query<OpenAlert>(
      `select id, workspace, "subjectId" as subject, ${alert.text('about')} as about from read.alerts
       where state = 'open' and ${alert.text('about')} = any($1)`,
      [abouts],
    );
    return rows;
  }

  /**
   * Resolves those that are open and not wanted any more, and raises what was never raised.
   *
   * @param isAgain also raises what was resolved: the same may come back
   */
  protected async reconcile(
    open: readonly OpenAlert[],
    wanted: ReadonlyMap<string, DueAlert>,
    reasonOf: (about: OpenAlert['about']) => string,
    isAgain = false,
  ): Promise<void> {
    for (const { id, workspace, about } of open)
      if (!wanted.has(id)) await this.resolve(id, reasonOf(about), workspace);
    const known = await this.deps.db.query<{ id: string }>(
      `select id from read.alerts where id = any($1::text[]) and (not $2 or state <> 'resolved')`,
      [[...wanted.keys()], isAgain],
    );
    const raised = new Set(known.rows.map(({ id }) => id));
    for (const [id, one] of wanted) if (!raised.has(id)) await this.raise(id, one.raised, one.workspace);
  }
}
