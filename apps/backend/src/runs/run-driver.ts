/**
 * Drives one run from its current state to its end: determines the next action, records its start, performs it and
 * records its result. All state is in the log and in the output table, so any process can take the run over.
 */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Backoff } from '@quarterdeck/events';
import { StoreUnavailable } from '@quarterdeck/log/store';
import { v5 as uuidv5 } from 'uuid';
import { Decisions, type Loaded } from '../platform/decisions';
import type { DomainCommand } from '../platform/decider';
import { ChangedMeanwhile, DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { EVENT_STORE, LOGGER, type EventStore, type Logger } from '../platform/tokens';
import { nextStep, toldBy, type Circumstances, type NextMove } from './next-step';
import { startsRuns, stepsOf, type RunContext, type RunKind, type RunRequest, type Step } from './run-kind';
import { RunLine, type Turn } from './run-line';
import { RunNews } from './run-news';
import { RunParts } from './run-parts';
import { RunTimes } from './run-times';
import { RunSteps, type StepDone, type StepWork } from './run-steps';
import { EndRun, FinishRunStep, runsDecider, StartRunStep, type RunEnd, type RunState } from './runs.decider';

export interface DrivenRun {
  run: string;
  kind: RunKind;
  request: RunRequest;
  /** From the request: the run acts on behalf of the person who requested it. */
  meta: CommandMeta;
  /** This process has just recorded the request. */
  isOwn: boolean;
  leave: AbortSignal;
}

/** Backoff of a run in line while the run ahead of it is ending. */
const TURN_MS = { first: 50, longest: 1000 };

/** Limits of retries after failed reads and writes: the log may be down for a long time. */
const patience = { mostFaults: 40, longestPauseMs: 5000 };

@Injectable()
export class RunDriver {
  readonly patience = { ...patience };

  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly steps: RunSteps,
    private readonly parts: RunParts,
    private readonly news: RunNews,
    private readonly line: RunLine,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @returns whether the run has ended; false if this process left it */
  async drive(driven: DrivenRun): Promise<boolean> {
    const cancel = new AbortController();
    await this.news.ready;
    const unfollow = this.news.follow(driven.run, ({ type }) => {
      if (type === 'RunCancelRequested') cancel.abort();
    });
    try {
      const { commands, decisions, steps, parts, line, store } = this;
      const drive = new Drive(driven, cancel, commands, decisions, steps, parts, line, store);
      return await drive.toItsEnd(this.patience, (error) =>
        this.logger.warn({ err: error, run: driven.run }, 'a run cannot continue for now'),
      );
    } finally {
      unfollow();
    }
  }
}

class Drive {
  private why: Circumstances['why'];
  private readonly times: RunTimes;
  /** The newest event of the run that this process knows is its own, so most likely the newest of all. */
  private isOwn: boolean;
  private readonly untilTurn = new Backoff(TURN_MS.first, TURN_MS.longest);

  constructor(
    private readonly driven: DrivenRun,
    private readonly cancel: AbortController,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly steps: RunSteps,
    private readonly parts: RunParts,
    private readonly line: RunLine,
    store: EventStore,
  ) {
    this.times = new RunTimes(driven.run, store);
    this.isOwn = driven.isOwn;
  }

  async toItsEnd(
    { mostFaults, longestPauseMs }: typeof patience,
    onFault: (error: unknown) => void,
  ): Promise<boolean> {
    const { leave } = this.driven;
    const backoff = new Backoff(200, longestPauseMs);
    for (let faults = 0; !leave.aborted;) {
      try {
        if (await this.goOn()) return true;
        faults = 0;
        backoff.reset();
      } catch (error) {
        if (leave.aborted) break;
        this.isOwn = false;
        // Somebody cancelled it, and what was to be done next was decided without that.
        if (error instanceof ChangedMeanwhile) continue;
        onFault(error);
        if (++faults > mostFaults) await this.giveUp().catch(onFault);
        await backoff.pause(leave);
      }
    }
    return false;
  }

  /** Performs the next action. @returns whether the run has ended */
  private async goOn(): Promise<boolean> {
    const { run } = this.driven;
    const { state, revision, next, proven } = await this.look();
    if (state.is === 'open' && state.cancelRequested) this.cancel.abort();
    switch (next.do) {
      case 'nothing':
        return true;
      case 'end':
        return this.end(next.end, state, revision);
      case 'start': {
        const { step, attempt } = next;
        const turn = await this.turn(state);
        if (turn === 'later') return false;
        if (turn !== 'now') return this.end(turn, state, revision);
        const what = { step: step.name, attempt };
        const begin = new StartRunStep(run, what, this.caused(`start`, next), undefined, proven);
        await this.record(begin);
        const startedAt = Date.parse(begin.meta.at);
        this.times.begun(startedAt);
        return this.perform(next, state, startedAt, false);
      }
      case 'follow':
        return this.perform(next, state, await this.times.startOf(next), true);
    }
  }

  /**
   * The state and what to do next. A step that begins right after what this process has recorded needs no read: the append
   * of its start proves the state. @returns with `proven`, the revision that is to be proven
   */
  private async look(): Promise<Loaded<RunState> & { next: NextMove; proven?: number }> {
    const { run, meta } = this.driven;
    const known = this.isOwn ? this.decisions.known(runsDecider, run, meta.workspace) : undefined;
    this.isOwn = false;
    if (known?.state.is === 'open' && !known.state.inLine && !this.cancel.signal.aborted) {
      const next = this.next(known.state, await this.times.elapsed(known.state));
      if (next.do === 'start') return { ...known, next, proven: known.revision };
    }
    const loaded = await this.decisions.load(runsDecider, run, meta.workspace);
    return { ...loaded, next: this.next(loaded.state, await this.times.elapsed(loaded.state)) };
  }

  private async end(end: RunEnd, state: RunState, revision: number): Promise<true> {
    const recorded = await this.recordResult(end, state);
    await this.record(new EndRun(this.driven.run, recorded, this.caused(`end ${revision}`)));
    return true;
  }

  /** Whether the run may start its next step now or later; a `RunEnd` if it must end without starting it. */
  private async turn(state: RunState): Promise<Turn> {
    const { request, meta, leave } = this.driven;
    if (state.is !== 'open') return 'now';
    // The parent run has already ended its parts, so this one must not begin.
    const begins = state.steps.length === 0 && state.retryFrom === undefined;
    if (
      begins &&
      request.parent !== undefined &&
      !(await this.parts.mayBegin(request.parent, meta.workspace))
    )
      return cancelled('the run that it is part of has ended or is being cancelled');
    if (!state.inLine) return 'now';
    return this.line.turn(this.driven, this.untilTurn, AbortSignal.any([leave, this.cancel.signal]));
  }

  private async perform(
    next: Extract<NextMove, { attempt: number }>,
    state: RunState,
    startedAt: number,
    again: boolean,
  ): Promise<boolean> {
    const { kind, leave } = this.driven;
    const { step, attempt } = next;
    const work: StepWork = {
      step,
      attempt,
      context: this.context(state),
      startedAt,
      again,
      first: state.is === 'open' && state.steps.length === 0,
      meta: this.caused('work', next),
      signals: { cancel: step.settles ? new AbortController().signal : this.cancel.signal, leave },
      outputLimit: kind.outputLimit,
    };
    const performed = await this.steps.perform(work);
    if (!performed || leave.aborted) return false;
    const done = await this.told(next, performed, work.context);
    const ended = await this.finish(next, done, startedAt);
    // Not awaited: the run has ended, however long a slow server takes.
    void this.steps.clean(work);
    return ended;
  }

  /**
   * The result of a step for the subject is recorded before the step's end. If another process takes over in between,
   * it records the result again, which has no effect.
   */
  private async told(
    next: Extract<NextMove, { attempt: number }>,
    done: StepDone,
    context: RunContext,
  ): Promise<StepDone> {
    if (done.outcome !== 'succeeded') return done;
    try {
      const command = await next.step.onSuccess?.(context, done.report ?? {}, this.caused('tell', next));
      if (command) await this.record(command);
      return done;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { ...done, outcome: 'failed', why: { code: error.code, reason: error.msg } };
    }
  }

  /** Ends a step and, together with the last step, the run. */
  private async finish(
    next: Extract<NextMove, { attempt: number }>,
    { why, ...done }: StepDone,
    startedAt: number,
  ): Promise<boolean> {
    const { run, meta } = this.driven;
    const finished = {
      step: next.step.name,
      attempt: next.attempt,
      ...done,
      durationMs: Math.max(Date.now() - startedAt, 0),
    };
    this.why = why;
    const { state } = await this.decisions.load(runsDecider, run, meta.workspace);
    const after = runsDecider.evolve(state, { type: 'RunStepFinished', data: finished });
    const then = this.next(after, await this.times.elapsed(after));
    const end = then.do === 'end' ? await this.recordResult(then.end, after) : undefined;
    await this.record(
      new FinishRunStep(run, { ...finished, ...(end && { end }) }, this.caused('finish', next)),
    );
    this.isOwn = true;
    return end !== undefined;
  }

  private next(state: RunState, elapsedMs: number): NextMove {
    const { kind, request } = this.driven;
    return nextStep(stepsOf(kind, request), state, this.context(state), {
      elapsedMs,
      ...(this.why && { why: this.why }),
    });
  }

  private context(state: RunState): RunContext {
    const { run, request } = this.driven;
    return { run, request, ...toldBy(state) };
  }

  /**
   * A run never ends before its parts. The result is recorded in the subject's stream first, so a run that reports
   * success has left nothing undone.
   */
  private async recordResult(end: RunEnd, state: RunState): Promise<RunEnd> {
    await this.endParts();
    const command = this.resultOf(end, state);
    if (!command) return end;
    try {
      await this.record(command);
      return end;
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (end.is !== 'succeeded') return end;
      return { is: 'failed', durationMs: end.durationMs, code: error.code, reason: error.msg };
    }
  }

  private resultOf(end: RunEnd, state: RunState): DomainCommand | undefined {
    const { kind } = this.driven;
    const context = this.context(state);
    if (end.is === 'succeeded') return kind.onSuccess?.(context, this.caused('conclude'));
    if (end.is !== 'failed' && end.is !== 'cancelled') return undefined;
    // A queued run may fail before its first step.
    const last = state.is === 'open' ? state.steps.at(-1) : undefined;
    const { step = 'begin', attempt = 0, finished } = last ?? {};
    const ending = { step, report: finished?.report ?? {}, reason: end.reason };
    const caused = (what: string) => this.caused(what, { step: { name: step }, attempt });
    if (end.is === 'failed')
      return kind.onFailure?.(context, { ...ending, code: end.code }, caused('concede'));
    // A retry that is cancelled in line follows a failure that is recorded already.
    return finished?.outcome === 'failed' || finished?.outcome === 'timedOut'
      ? undefined
      : kind.onCancel?.(context, ending, caused('cancelled'));
  }

  private async endParts(): Promise<void> {
    const { run, kind, request, meta, leave } = this.driven;
    if (stepsOf(kind, request).some(startsRuns)) await this.parts.end(run, meta, leave);
  }

  private async giveUp(): Promise<void> {
    const { run, meta } = this.driven;
    await this.endParts();
    const { revision } = await this.decisions.load(runsDecider, run, meta.workspace);
    const reason = 'the run kept failing; see the server log. Work on a server may still be running';
    // The revision makes the command id unique: a retried run may have to be given up again.
    const caused = this.caused(`give up ${revision}`);
    await this.commands.execute(new EndRun(run, { is: 'interrupted', reason }, caused));
  }

  /** The command id is derived from run, step, attempt and `what`, which never changes: recording is idempotent. */
  private caused(what: string, of?: { step: Pick<Step, 'name'>; attempt: number }): CommandMeta {
    const { run, meta } = this.driven;
    const name = of ? `${of.step.name}:${of.attempt}:${what}` : what;
    return {
      ...meta,
      causationId: run,
      at: new Date().toISOString(),
      commandId: uuidv5(name, run),
      keyed: true,
    };
  }

  /** Retries until the log has the command. */
  private async record(command: object): Promise<void> {
    for (const backoff = new Backoff(50, 2000); ; await backoff.pause()) {
      try {
        await this.commands.execute(command as StartRunStep);
        return;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || this.driven.leave.aborted) throw error;
      }
    }
  }
}

const cancelled = (reason: string): RunEnd => ({ is: 'cancelled', durationMs: 0, reason });
