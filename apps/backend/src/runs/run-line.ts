/**
 * The line of runs that wait for their server or subject. It is kept in the read model of runs, in the order of the
 * requests, so it survives a crash and is the same in every process. Each waiting run follows only the run ahead of it,
 * and is woken when that one ends.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Backoff, rest } from '@quarterdeck/events';
import type { Config } from '../platform/config';
import { Decisions } from '../platform/decisions';
import { conflict, DomainError } from '../platform/errors';
import { atPresent } from '../platform/as-of';
import type { CommandMeta } from '../platform/sessions';
import { CONFIG, DB, EVENT_STORE, PROJECTIONS } from '../platform/tokens';
import type { EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { ExclusiveRuns, type Holder } from './run-exclusive';
import { workplaceOf, type RunKind, type RunRequest } from './run-kind';
import { firstInLine, placeInLine } from './run-line.queries';
import { endTypes, RunNews } from './run-news';
import { runsDecider, type RunEnd } from './runs.decider';

/** A wake-up may be lost together with a connection. */
const LOOK_AGAIN_MS = 10_000;
const CATCH_UP_MS = 500;

export interface WaitingRun {
  run: string;
  kind: RunKind;
  request: RunRequest;
  meta: CommandMeta;
}

/** `later`: it is not the run's turn yet. Otherwise it starts now, or ends without a step. */
export type Turn = 'now' | 'later' | RunEnd;

@Injectable()
export class RunLine {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly decisions: Decisions,
    private readonly exclusive: ExclusiveRuns,
    private readonly news: RunNews,
  ) {}

  get longestMs(): number {
    return this.config.RUN_WAIT_SECONDS * 1000;
  }

  /**
   * Claims what a new run changes.
   * @returns for how long the run waits in line instead, if something else changes it
   * @throws DomainError `conflict` if the run does not wait
   */
  async hold(waiting: WaitingRun): Promise<number | undefined> {
    const { run, kind, meta } = waiting;
    const { state } = await atPresent(() => this.decisions.load(runsDecider, run, meta.workspace));
    // Repeating a request joins its run, whatever else is active or waits by now.
    if (state.is !== 'unknown') return undefined;
    if (kind.replaced) return this.longestMs;
    return this.enter(waiting, waits(waiting));
  }

  /** The same for a run that is retried. */
  holdAgain(waiting: WaitingRun): Promise<number | undefined> {
    return this.enter(waiting, waits(waiting));
  }

  private async enter(
    { run, request, meta: { workspace } }: WaitingRun,
    mayWait: boolean,
  ): Promise<number | undefined> {
    const other = await this.claim(run, request, workspace);
    if (!other) return undefined;
    if (mayWait) return this.longestMs;
    throw conflict(other.msg, other.current && { ...other.current, mayWait: true });
  }

  /** Claims the things of a run that is not in line. Nobody overtakes the line. @returns what is in the way */
  private async claim(run: string, request: RunRequest, workspace: string): Promise<Holder | undefined> {
    const first = await firstInLine(this.db, workspace, request);
    if (first === undefined || first === run) return this.exclusive.tryClaim(run, request, workspace);
    return (await this.exclusive.holder(request, workspace)) ?? this.exclusive.told(first, request.subject);
  }

  /**
   * Whether it is the turn of a run in line. If not, waits until something has changed.
   * @param soon pauses while the run ahead is ending, or something without a run changes the thing
   */
  async turn(waiting: WaitingRun, soon: Backoff, signal: AbortSignal): Promise<Turn> {
    const { run, kind, request, meta } = waiting;
    const { workspace } = meta;
    if (!(await this.projections.waitFor(await this.store.head(), CATCH_UP_MS))) return 'later';
    const why = await kind.replaced?.(run, workspace);
    if (why !== undefined) return { is: 'cancelled', durationMs: 0, reason: why };
    const place = await placeInLine(this.db, workspace, run);
    if (!place) {
      await soon.pause(signal);
      return 'later';
    }
    const { ahead, since, waitMs } = place;
    const holder =
      ahead === null
        ? await this.exclusive.tryClaim(run, request, workspace, 0)
        : await this.exclusive.holder(request, workspace);
    if (ahead === null && !holder) return this.ifItFits(waiting);
    const leftMs = waitMs === null ? LOOK_AGAIN_MS : Date.parse(since) + waitMs - Date.now();
    if (waitMs !== null && leftMs <= 0) return tooLate(request, waitMs, holder);
    await this.untilMoved(waiting, ahead ?? holder?.current?.runId, leftMs, soon, signal);
    return 'later';
  }

  private async ifItFits({ run, kind, request, meta }: WaitingRun): Promise<Turn> {
    try {
      // From here on nobody can rename or move the subject.
      await kind.stillFits?.(request, meta.workspace, run);
      return 'now';
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { is: 'failed', durationMs: 0, code: error.code, reason: error.msg };
    }
  }

  /** Waits for the end of the run ahead, or for a request that may replace this run. */
  private async untilMoved(
    { kind, request, meta }: WaitingRun,
    ahead: string | undefined,
    leftMs: number,
    soon: Backoff,
    signal: AbortSignal,
  ): Promise<void> {
    const moved = new AbortController();
    const unfollow = [
      ...(ahead === undefined
        ? []
        : [this.news.follow(ahead, ({ type }) => endTypes.has(type) && moved.abort())]),
      ...(kind.replaced ? [this.news.followRequests(request.subject.id, () => moved.abort())] : []),
    ];
    try {
      const wait = AbortSignal.any([signal, moved.signal]);
      // It may have ended before it was followed.
      if (ahead === undefined || !(await this.isOpen(ahead, meta.workspace))) return await soon.pause(wait);
      soon.reset();
      await rest(Math.min(leftMs, LOOK_AGAIN_MS), wait);
    } finally {
      for (const stop of unfollow) stop();
    }
  }

  private async isOpen(run: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(runsDecider, run, workspace)).state.is === 'open';
  }
}

/** Nobody can be asked about a part of another run or about scheduled work, so it waits. */
const waits = ({ request: { parent }, meta }: WaitingRun): boolean =>
  parent !== undefined || meta.actor === 'system' || meta.waits === true;

const tooLate = (request: RunRequest, waitMs: number, holder: Holder | undefined): RunEnd => {
  const { name } = workplaceOf(request);
  const now = holder ? ` Now ${holder.says}.` : '';
  const reason = `Its turn on ${name} did not come within ${duration(waitMs)}, so nothing was done.${now}`;
  return { is: 'failed', durationMs: 0, code: 'waitedTooLong', reason };
};

const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  const [number, unit] = seconds % 60 === 0 ? [seconds / 60, 'minute'] : [seconds, 'second'];
  return `${number} ${unit}${number === 1 ? '' : 's'}`;
};
