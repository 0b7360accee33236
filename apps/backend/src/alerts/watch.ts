import type { RecordedEvent } from '@quarterdeck/events';

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

/**
 * Looks after events, and as time passes, whether there is something to alert of. Only one look runs at a time, because two could
 * raise the same alert. Events that arrive meanwhile lead to another look. A failed look is repeated.
 */
export abstract class Watch {
  protected stopped = false;
  private looking = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;
  private retry: NodeJS.Timeout | undefined;

  constructor(
    private readonly everyMs: number,
    private readonly onFault: (error: unknown) => void,
  ) {}

  abstract heard(events: readonly RecordedEvent[]): void;

  protected abstract settle(): Promise<void>;

  start(): void {
    this.timer = setInterval(() => this.lookAtAll(), this.everyMs).unref();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    clearTimeout(this.retry);
    await this.looking;
  }

  /** For a watch that otherwise looks only at what events were about. */
  protected lookAtAll(): void {
    this.look();
  }

  protected look(): void {
    this.looking = this.looking.then(async () => {
      if (this.stopped) return;
      try {
        await this.settle();
      } catch (error) {
        this.onFault(error);
        // Rare, and cheaper than remembering how far the look got.
        this.retry = setTimeout(() => this.lookAtAll(), RETRY_MS).unref();
      }
    });
  }
}
