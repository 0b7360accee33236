/**
 * Takes backups and drills, on schedule and on request. Only the process that holds the lease does so. If it dies
 * during the work, the next holder starts the work again.
 */
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { newestInPlace } from '@quarterdeck/projections';
import { v7 as uuidv7 } from 'uuid';
import type { Resources } from '../../platform/boot';
import { Decisions } from '../../platform/decisions';
import { LeasedRounds, Leases } from '../../platform/leases';
import { Outbound } from '../../platform/outbound';
import { ownMeta } from '../../platform/sessions';
import { RESOURCES } from '../../platform/tokens';
import { recordFirst } from '../before-migration';
import { inPlace, type BackupState, type CurrentWork } from '../backups.decider';
import { removeThrowaway } from '../drill/throwaway';
import { ownRecipient } from '../own-identity';
import { isDrillDue, isDue, type Plan } from '../plan';
import { reserveOf } from '../room';
import { openTarget, targetName } from '../targets/open-target';
import { BucketFault, type BucketLimits } from '../targets/bucket-limits';
import type { Target, Trial } from '../targets/target';
import { troublesOf, type Trouble } from '../troubles';
import { BackupBook } from './backup-book';
import { ChainDamaged, drillOne } from './drill-one';
import { OnTarget } from './on-target';
import { ProgressNotes } from './progress';
import { takeOne, type Taken } from './take-one';
import { tidy } from './tidying';

const LOOK_MS = 1_000;
const CANCEL_LOOK_MS = 500;

const TRIAL_MS = 60_000;
const TRIAL_LIMITS = { idleMs: 10_000, attempts: 2 };

/** Nothing is tried after a step that failed, but what was written and could not be read is removed. */
export interface Tried {
  does: Trial['does'];
  ok: boolean;
  /** Why it failed. */
  says: string;
}

class Cancelled extends Error {
  override name = 'Cancelled';
}

interface ExpectedBackups extends CurrentWork {
  /** Ids of the archives that the console took. */
  recorded: ReadonlySet<string>;
  /** Those recorded archives of which at least one must be in the target. */
  expected: readonly string[];
}

/** Work that this process has begun. */
interface Doing extends ExpectedBackups {
  plan: Plan;
  target: Target;
  notes: ProgressNotes;
  signal: AbortSignal;
}

const inWords = (target: string, error: unknown): string => {
  const { message } = error as Error;
  return (message.includes(target) ? message : `${target}: ${message}`).slice(0, 500);
};

@Injectable()
export class BackupWork extends LeasedRounds {
  readonly book: BackupBook;
  private readonly onTarget = new OnTarget();
  private since: string | undefined;
  private isTidied = false;

  constructor(
    @Inject(RESOURCES) private readonly resources: Resources,
    private readonly outbound: Outbound,
    decisions: Decisions,
    leases: Leases,
  ) {
    super(leases, resources.logger, {
      lease: 'backups',
      what: 'the backups',
      isOn: resources.config.BACKUPS === 'on',
      everyMs: LOOK_MS,
    });
    this.book = new BackupBook(decisions);
  }

  /** What a backup does with the target of the plan, and what each of it gave. Ends after a minute at most. */
  async try(): Promise<Tried[]> {
    const { plan } = await this.book.state();
    // A fault of a bucket names its host itself.
    const wordsOf = (error: unknown): string =>
      error instanceof BucketFault ? error.message : inWords(this.nameOf(plan), error);
    const tried: Tried[] = [];
    let trials: readonly Trial[] = [];
    try {
      const target = await this.targetOf(plan, TRIAL_LIMITS);
      trials = target.trials();
      await this.onTarget.run({ target, signal: AbortSignal.timeout(TRIAL_MS) }, async ({ alive }) => {
        for (const { does, run } of trials) {
          const says = await run().then(() => '', wordsOf);
          alive();
          tried.push({ does, ok: says === '', says });
          if (says !== '' && does !== 'read') return;
        }
      });
    } catch (error) {
      tried.push({ does: trials[tried.length]?.does ?? 'list', ok: false, says: wordsOf(error) });
    }
    return tried;
  }

  targetOf({ target }: Pick<Plan, 'target'>, limits?: Partial<BucketLimits>): Promise<Target> {
    const { config, vault, logger } = this.resources;
    const around = { dataDir: config.DATA_DIR, reserve: reserveOf(config), vault, logger };
    return openTarget(target, { ...around, outbound: this.outbound }, limits);
  }

  nameOf({ target }: Pick<Plan, 'target'>): string {
    return targetName(target, this.resources.config.DATA_DIR);
  }

  /** True if the backups would be lost together with the console, unless that folder is on another disk. */
  isBesideConsole({ target }: Pick<Plan, 'target'>): boolean {
    return (
      target.kind === 'folder' &&
      `${this.nameOf({ target })}/`.startsWith(join(this.resources.config.DATA_DIR, '/'))
    );
  }

  /** Nothing is expected in the default folder: the console creates it, and a restored console has a new one. */
  private expectedIn(state: BackupState): string[] {
    const { target } = state.plan;
    const isOwn = target.kind === 'folder' && target.path === undefined;
    return isOwn ? [] : inPlace(state, this.nameOf(state.plan));
  }

  /** Present problems with the backups. */
  async troubles(now: Date): Promise<Trouble[]> {
    return troublesOf(await this.book.state(), await this.installedAt(), now);
  }

  /** Public for tests. Runs every second while this process holds the lease. */
  async round(signal: AbortSignal, now = new Date()): Promise<void> {
    if (!this.isTidied) {
      await this.removeThrowaway();
      await recordFirst(this.resources.pool, this.book);
      this.isTidied = true;
    }
    const state = await this.book.state();
    const { current, plan, fullWanted } = state;
    if (current) {
      const anew = current.why === 'operator' && current.full;
      const expected = anew ? [] : this.expectedIn(state);
      const recorded = new Set(state.archives.map(({ id }) => id));
      const wanted = { ...current, full: current.full || fullWanted, recorded, expected };
      return this.perform(wanted, plan, signal);
    }
    const own = ownMeta('system', '-');
    if (await this.isBackupDue(state, now))
      await this.book.request({ work: uuidv7(), why: 'schedule', full: false }, own);
    else if (this.isDrillDue(state, now)) await this.book.drill({ work: uuidv7(), why: 'schedule' }, own);
  }

  private async isBackupDue(
    { plan, archives, failed, cancelledAt }: BackupState,
    now: Date,
  ): Promise<boolean> {
    const here = archives.filter(({ place }) => place === this.nameOf(plan));
    const [lastTakenAt, since] = [here.at(-1)?.takenAt, await this.installedAt()];
    // A plan that was mended is tried at once.
    const lastFailedAt = failed?.mended ? undefined : failed?.at;
    const last = { lastTakenAt, lastFailedAt, lastCancelledAt: cancelledAt };
    return isDue({ schedule: plan.schedule, since, ...last }, now);
  }

  private isDrillDue(state: BackupState, now: Date): boolean {
    const { plan, proven, drillFailed, drillCancelledAt } = state;
    const hasArchive = newestInPlace(state.archives) !== undefined;
    const ended = [drillFailed?.at, drillCancelledAt].filter((at) => at !== undefined).toSorted();
    const failedAt = ended.findLast((at) => proven === undefined || at > proven.at);
    return isDrillDue({ schedule: plan.schedule, hasArchive, passedAt: proven?.at, failedAt }, now);
  }

  /** Removes the database of a drill whose process was killed. */
  private async removeThrowaway(): Promise<void> {
    const { url, logger } = this.resources;
    await removeThrowaway(url).catch((error: unknown) =>
      logger.warn({ err: error }, 'whether a drill left a database behind is not known'),
    );
  }

  /** When the console was installed. Backups that were due before are not made up for. */
  private async installedAt(): Promise<string> {
    if (this.since === undefined) {
      const { rows } = await this.resources.pool.query<{ at: Date }>(
        'select min(at) as at from app.migrations',
      );
      this.since = rows[0]!.at.toISOString();
    }
    return this.since;
  }

  private async perform(current: ExpectedBackups, plan: Plan, leaving: AbortSignal): Promise<void> {
    const { work, kind } = current;
    if (!(await this.book.start(work, new Date()))) {
      if (kind === 'drill') await this.removeThrowaway();
      return;
    }
    const cancel = new AbortController();
    const watch = this.watchForCancel(work, cancel);
    const notes = new ProgressNotes(this.resources.pool, work);
    const name = this.nameOf(plan);
    try {
      const target = await this.targetOf(plan);
      const signal = AbortSignal.any([leaving, cancel.signal]);
      const doing = { ...current, plan, target, notes, signal };
      await (kind === 'drill' ? this.drill(doing) : this.backUp(doing, leaving));
    } catch (error) {
      // The next process repeats the work.
      if (leaving.aborted) return;
      const at = new Date().toISOString();
      if (cancel.signal.aborted) {
        const type = kind === 'drill' ? 'DrillCancelled' : 'BackupCancelled';
        await this.book.end({ type, data: { work, at } });
      } else {
        this.resources.logger.warn({ err: error, target: name }, `the ${kind} failed`);
        const data = { work, at, reason: inWords(name, error) };
        if (kind === 'backup') await this.book.end({ type: 'BackupFailed', data });
        else {
          const damaged = error instanceof ChainDamaged ? { damaged: true as const } : {};
          await this.book.end({ type: 'DrillFailed', data: { ...data, ...damaged } });
        }
      }
    } finally {
      clearInterval(watch);
      await notes.clear();
    }
  }

  private async drill(doing: Doing): Promise<void> {
    const { work, target, recorded, expected, notes } = doing;
    const began = performance.now();
    const proof = await this.onTarget.run(doing, (attempt) =>
      drillOne({
        resources: this.resources,
        target,
        recorded,
        expected,
        attempt,
        tell: (part) => notes.tell({ part, bytes: 0 }),
      }),
    );
    const durationMs = Math.round(performance.now() - began);
    const data = { work, at: new Date().toISOString(), ...proof, durationMs };
    await this.book.end({ type: 'DrillPassed', data });
  }

  private async backUp(doing: Doing, leaving: AbortSignal): Promise<void> {
    const { plan, target } = doing;
    const began = performance.now();
    const taken = await this.take(doing);
    const durationMs = Math.round(performance.now() - began);
    await this.book.end({ type: 'BackupTaken', data: { ...taken.taken, durationMs } });
    const { resources, book, onTarget } = this;
    const around = { book, onTarget, logger: resources.logger, log: resources.store.keys?.id };
    const own = await this.targetOf({ target: { kind: 'folder' } });
    await tidy({ ...around, plan, signal: leaving }, target, own, taken);
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

  private take(doing: Doing): Promise<Taken> {
    const { target, work, full, recorded, expected, plan, notes } = doing;
    const { url, store, vault, config, tables } = this.resources;
    return this.onTarget.run(doing, async (attempt) => {
      const { id: masterKey, key } = await vault.current();
      return takeOne({
        log: { url, store, vault: { masterKey: key } },
        elsewhere: config.EVENT_STORE_URL !== undefined,
        tables,
        reserve: reserveOf(config),
        target,
        plan,
        work,
        full,
        recorded,
        expected,
        own: await ownRecipient(key),
        masterKey,
        attempt,
        now: () => new Date(),
        tell: (progress) => {
          attempt.alive();
          notes.tell(progress);
        },
      });
    });
  }
}
