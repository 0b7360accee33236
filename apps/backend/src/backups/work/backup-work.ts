/**
 * Takes backups, by schedule and on demand. One of all processes does it: the one that holds the lease. If it dies in the
 * middle, the next one begins the work again.
 */
import { join } from 'node:path';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { AuthenticStore } from '@quarterdeck/events/store';
import { Decisions } from '../../platform/decisions';
import { LeasedRounds } from '../../platform/leases';
import { Outbound } from '../../platform/outbound';
import { ownMeta } from '../../platform/sessions';
import {
  CONFIG,
  DB,
  EVENT_STORE,
  LOGGER,
  VAULT,
  type Config,
  type Logger,
  type Pool,
} from '../../platform/tokens';
import type { PostgresVault } from '../../platform/vault';
import { v7 as uuidv7 } from 'uuid';
import type { CurrentWork } from '../backups.decider';
import { ownRecipient } from '../own-identity';
import { isDue, type Plan } from '../plan';
import { openTarget, targetName } from '../targets/open-target';
import type { Target } from '../targets/target';
import { BackupBook } from './backup-book';
import { ProgressNotes } from './progress';
import { unlessStalled } from './stall';
import { takeOne, thinnedAmong, type Taken } from './take-one';

const LOOK_MS = 1_000;
/** A target that refuses or hangs is told within a minute. */
const STALLED_MS = 45_000;
const CANCEL_LOOK_MS = 500;

class Cancelled extends Error {
  override name = 'Cancelled';
}

const inWords = (target: string, error: unknown): string => {
  const { message } = error as Error;
  return (message.includes(target) ? message : `${target}: ${message}`).slice(0, 500);
};

@Injectable()
export class BackupWork implements OnApplicationBootstrap, OnModuleDestroy {
  readonly book: BackupBook;
  private readonly rounds: LeasedRounds;
  /** Work on a target that never came to its end. */
  private hanging: { target: string } | undefined;
  private since: string | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: AuthenticStore,
    @Inject(VAULT) private readonly vault: PostgresVault,
    @Inject(Outbound) private readonly outbound: Outbound,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(Decisions) decisions: Decisions,
  ) {
    this.book = new BackupBook(decisions);
    this.rounds = new LeasedRounds(db, logger, {
      lease: 'backups',
      what: 'the backups',
      everyMs: LOOK_MS,
      round: (signal) => this.round(signal, new Date()),
    });
  }

  onApplicationBootstrap(): void {
    if (this.config.BACKUPS === 'on') this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  targetOf({ target }: Pick<Plan, 'target'>): Promise<Target> {
    return openTarget(target, { dataDir: this.config.DATA_DIR, vault: this.vault, outbound: this.outbound });
  }

  nameOf({ target }: Pick<Plan, 'target'>): string {
    return targetName(target, this.config.DATA_DIR);
  }

  /** Lost together with the console, unless that folder is another disk. */
  isBesideConsole({ target }: Pick<Plan, 'target'>): boolean {
    return (
      target.kind === 'folder' && `${this.nameOf({ target })}/`.startsWith(join(this.config.DATA_DIR, '/'))
    );
  }

  /** Public for tests: what this process does each second while it holds the lease. */
  async round(signal: AbortSignal, now: Date): Promise<void> {
    const { current, plan, archives, failed, fullWanted } = await this.book.state();
    if (current) return this.perform({ ...current, full: current.full || fullWanted }, plan, signal);
    const [lastTakenAt, since] = [archives.at(-1)?.takenAt, await this.installedAt()];
    if (!isDue({ schedule: plan.schedule, since, lastTakenAt, lastFailedAt: failed?.at }, now)) return;
    await this.book.request({ work: uuidv7(), why: 'schedule', full: false }, ownMeta('system', '-'));
  }

  /** Backups that were due before are not made up for. */
  private async installedAt(): Promise<string> {
    if (this.since === undefined) {
      const { rows } = await this.db.query<{ at: Date }>('select min(at) as at from app.migrations');
      this.since = rows[0]!.at.toISOString();
    }
    return this.since;
  }

  private async perform({ work, full }: CurrentWork, plan: Plan, leaving: AbortSignal): Promise<void> {
    if (!(await this.book.start(work, new Date()))) return;
    const began = performance.now();
    const cancel = new AbortController();
    const watch = this.watchForCancel(work, cancel);
    const notes = new ProgressNotes(this.db, work);
    const name = this.nameOf(plan);
    try {
      const target = await this.targetOf(plan);
      const signal = AbortSignal.any([leaving, cancel.signal]);
      const taken = await this.take(target, { work, full, plan, notes }, signal);
      const durationMs = Math.round(performance.now() - began);
      await this.book.end({ type: 'BackupTaken', data: { ...taken.taken, durationMs } });
      await this.tidy(target, plan, taken, leaving);
    } catch (error) {
      // The next process takes it up.
      if (leaving.aborted) return;
      if (cancel.signal.aborted) await this.book.end({ type: 'BackupCancelled', data: { work } });
      else {
        this.logger.warn({ err: error, target: name }, 'the backup failed');
        const reason = inWords(name, error);
        await this.book.end({ type: 'BackupFailed', data: { work, at: new Date().toISOString(), reason } });
      }
    } finally {
      clearInterval(watch);
      await notes.clear();
    }
  }

  private watchForCancel(work: string, cancel: AbortController): NodeJS.Timeout {
    return setInterval(() => {
      this.book.state().then(
        ({ current }) => {
          if (current?.work !== work || current.cancelRequested)
            cancel.abort(new Cancelled('it was cancelled'));
        },
        () => undefined,
      );
    }, CANCEL_LOOK_MS).unref();
  }

  private take(
    target: Target,
    { work, full, plan, notes }: { work: string; full: boolean; plan: Plan; notes: ProgressNotes },
    signal: AbortSignal,
  ): Promise<Taken> {
    // Each call that hangs in the file system takes a thread from everybody else.
    if (this.hanging?.target === target.name)
      throw new Error('an earlier backup still waits for an answer from there');
    return unlessStalled({ what: target.name, ms: STALLED_MS, signal }, async (alive, either) => {
      const hanging = { target: target.name };
      this.hanging = hanging;
      try {
        const { id: masterKey, key } = await this.vault.current();
        return await takeOne({
          log: { url: this.db.options.connectionString ?? '', store: this.store, vault: { masterKey: key } },
          elsewhere: this.config.EVENT_STORE_URL !== undefined,
          ...{ target, plan, work, full, own: await ownRecipient(key), masterKey, signal: either },
          ...{ now: () => new Date(), alive },
          tell: (progress) => {
            alive();
            notes.tell(progress);
          },
        });
      } finally {
        if (this.hanging === hanging) this.hanging = undefined;
      }
    });
  }

  /** What was recorded and is not there, and what the plan no longer keeps. A fault is told, and the backup is taken. */
  private async tidy(
    target: Target,
    plan: Plan,
    { whole, refused }: Taken,
    signal: AbortSignal,
  ): Promise<void> {
    for (const problem of refused) this.logger.warn({ problem }, 'a file among the archives is none');
    try {
      const there = new Set(whole.map(({ head }) => head.id));
      const { archives } = await this.book.state();
      const missed = archives.filter(({ id, place }) => place === target.name && !there.has(id));
      await this.book.miss(missed.map(({ id }) => id));
      const thinned = thinnedAmong(whole, this.store.keys?.id, plan.keep);
      if (thinned.length === 0 || signal.aborted) return;
      await this.book.thin(thinned.map(({ head }) => head.id));
      for (const archive of thinned) await target.remove(archive);
    } catch (error) {
      this.logger.warn({ err: error, target: target.name }, 'older archives were not removed');
    }
  }
}
