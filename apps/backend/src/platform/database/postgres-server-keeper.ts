/**
 * Restarts the embedded Postgres after it has ended, unless that is hopeless, and limits the size of its log. Every
 * process that uses the data folder does this: the first to get the folder's lock starts the server, the others find it
 * running.
 */
import { Backoff, rest } from '@quarterdeck/events';
import { PostgresFailed, type FailureKind } from './postgres-server-failure';

export interface KeptServer {
  isRunning(): boolean;
  /** Limits the size of its log. */
  boundLog(): void;
  /** One attempt. @returns true if another process was faster. @throws PostgresFailed */
  revive(): Promise<boolean>;
}

export interface KeeperEvents {
  onBack(how: { downMs: number; adopted: boolean }): void;
  /** Called once per death, after the first failed attempt. */
  onFailing(failure: PostgresFailed): void;
  /** Called when the keeper gives up. */
  onLost(failure: PostgresFailed): void;
}

export interface KeeperLimits {
  lookMs: number;
  /** Time from the first attempt to the last, by kind of failure. */
  patienceMs: Record<FailureKind, number>;
  /** A server that ends this often within the period is not restarted. */
  mostDeaths: number;
  periodMs: number;
}

const LIMITS: KeeperLimits = {
  lookMs: 200,
  // An operator needs minutes to free space on a full disk. A damaged cluster stays damaged.
  patienceMs: { full: 300_000, damaged: 2_000, refused: 2_000, passing: 30_000 },
  mostDeaths: 30,
  periodMs: 600_000,
};
const LONGEST_PAUSE_MS = 1_000;

export class PostgresKeeper {
  private readonly stopping = new AbortController();
  private readonly looking: Promise<void>;

  constructor(
    private readonly server: KeptServer,
    private readonly events: KeeperEvents,
    private readonly limits: KeeperLimits = LIMITS,
  ) {
    this.looking = this.look();
  }

  /** Waits for a restart in progress: nothing may start after the server was stopped. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.looking;
  }

  private async look(): Promise<void> {
    const { lookMs, mostDeaths, periodMs } = this.limits;
    let deaths: number[] = [];
    for (; ; await rest(lookMs, this.stopping.signal)) {
      if (this.stopping.signal.aborted) return;
      if (this.server.isRunning()) {
        this.server.boundLog();
        continue;
      }
      const now = performance.now();
      deaths = [...deaths.filter((at) => now - at < periodMs), now];
      if (deaths.length > mostDeaths) return this.events.onLost(endless(deaths.length, periodMs));
      const lost = await this.bringBack(now);
      if (lost) return this.events.onLost(lost);
    }
  }

  /** @returns the last failure if the keeper gave up */
  private async bringBack(died: number): Promise<PostgresFailed | undefined> {
    const backoff = new Backoff(100, LONGEST_PAUSE_MS);
    for (let isFirst = true; !this.stopping.signal.aborted; isFirst = false)
      try {
        const adopted = await this.server.revive();
        this.events.onBack({ downMs: Math.round(performance.now() - died), adopted });
        return undefined;
      } catch (error) {
        if (this.stopping.signal.aborted) return undefined;
        const failure = error instanceof PostgresFailed ? error : unforeseen(error);
        if (performance.now() - died > this.limits.patienceMs[failure.kind]) return failure;
        if (isFirst) this.events.onFailing(failure);
        await backoff.pause(this.stopping.signal);
      }
    return undefined;
  }
}

const endless = (times: number, periodMs: number): PostgresFailed =>
  new PostgresFailed(
    'passing',
    `it ended ${times} times within ${Math.round(periodMs / 60_000)} minutes`,
    'find out what stops it (its log, the memory of the machine)',
    '',
  );

const unforeseen = (error: unknown): PostgresFailed =>
  new PostgresFailed('passing', (error as Error).message, 'see the log', (error as Error).stack ?? '');
