/**
 * Performs long work as recorded runs. Nothing is done without a record in the log, and a run outlives the process that
 * drives it. A run id runs only once, however often and in however many processes it is requested.
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  kindsOfRuns,
  streamName,
  type EventData,
  type Position,
  type RecordedEvent,
} from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { Decisions, followUp, type Loaded } from '../platform/decisions';
import type { Decision } from '../platform/decider';
import { DomainError, notFound } from '../platform/errors';
import { Leases } from '../platform/leases';
import { RunOutputs } from '../platform/run-output';
import { atPresent } from '../platform/as-of';
import type { CommandMeta } from '../platform/sessions';
import { EVENT_STORE, LOGGER, type EventStore, type Logger } from '../platform/tokens';
import { RunDriver } from './run-driver';
import { ExclusiveRuns } from './run-exclusive';
import { endIn, type RecordedRun } from './recorded-run';
import { startsRuns, stepsOf, type RunKind, type RunRequest, withoutWords } from './run-kind';
import { RunLine } from './run-line';
import { endTypes, RunNews } from './run-news';
import { RunParts } from './run-parts';
import { CancelRun, EndRun, RequestRun, RetryRun, runsDecider, sameRequest } from './runs.decider';
import type { RunState } from './runs.decider';

const LOOK_AGAIN_MS = 150;
/** How long to wait for a process that holds a run's lease, until it records the request or releases the lease. */
const PATIENCE_MS = 10_000;
const otherWork = (): DomainError => new DomainError('unprocessable', 'this run id belongs to another run');

export const leaseOf = (run: string): string => streamName('run', run);

interface Driven {
  request: RunRequest;
  done: Promise<void>;
  leave: AbortController;
}

@Injectable()
export class RunEngine implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly kinds = new Map<string, RunKind>();
  private readonly driven = new Map<string, Driven>();
  private readonly stop = new AbortController();

  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly driver: RunDriver,
    private readonly parts: RunParts,
    private readonly news: RunNews,
    private readonly line: RunLine,
    private readonly exclusive: ExclusiveRuns,
    private readonly outputs: RunOutputs,
    private readonly leases: Leases,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    // Every caller that waits for the end of a run adds a listener.
    setMaxListeners(0, this.stop.signal);
    leases.onLost((name) => {
      for (const [run, { leave }] of this.driven)
        if (leaseOf(run) === name) leave.abort(new Error('another process took this run over'));
    });
  }

  /** Must be called before the application listens: runs of this kind may be waiting to continue. */
  register(kind: RunKind): void {
    if (this.kinds.has(kind.kind)) throw new Error(`two features register the kind of run ${kind.kind}`);
    this.kinds.set(kind.kind, kind);
  }

  /** For how long a run waits in line. */
  get longestWaitMs(): number {
    return this.line.longestMs;
  }

  /** Whether such a run blocks other changing runs. False for unknown kinds, such as those of earlier versions. */
  changes(request: Pick<RunRequest, 'kind' | 'input'>): boolean {
    const changes = this.kinds.get(request.kind)?.changes;
    return typeof changes === 'function' ? changes(request as RunRequest) : changes === true;
  }

  /** Fails at startup, and not at the first run, if a kind is not registered, or lacks words. */
  onApplicationBootstrap(): void {
    const missing = kindsOfRuns.filter((kind) => !this.kinds.has(kind));
    if (missing.length > 0) throw new Error(`no feature registers the kind of run ${missing.join(', ')}`);
    const wordless = withoutWords([...this.kinds.values()]);
    if (wordless.length > 0) throw new Error(`no *.runs.ts has a label for ${wordless.join(', ')}`);
  }

  /**
   * Records the request and starts the run. A repeated id joins the existing run.
   * @throws DomainError `conflict` if another changing run is active on the subject and this one does not wait in line,
   * `unprocessable` if the id belongs to other work, `notFound` if it belongs to another workspace
   */
  async start(
    run: string,
    kind: string,
    what: Omit<RunRequest, 'kind'>,
    meta: CommandMeta,
  ): Promise<{ runId: string; position: Position }> {
    if (this.stop.signal.aborted) throw new DomainError('unavailable', 'the console is being stopped');
    let request: RunRequest = { kind, ...what };
    if (what.parent !== undefined) this.refuseUnlessDriving(what.parent);
    if (!(await this.leases.acquire(leaseOf(run)))) return this.join(run, request, meta);
    let decision: Decision;
    try {
      const waitMs = this.changes(request)
        ? await this.line.hold({ run, kind: this.kindOf(kind), request, meta })
        : undefined;
      if (waitMs !== undefined) request = { ...request, waitMs };
      // With new event ids even under an Idempotency-Key: a repeated append would look like a new request.
      decision = await this.commands.execute(new RequestRun(run, request, { ...meta, keyed: undefined }));
    } catch (error) {
      // After other errors it is unknown whether the request is in the log. The watchdog checks when the log is back.
      if (error instanceof DomainError) await this.leases.release(leaseOf(run));
      else this.leases.abandon(leaseOf(run));
      throw error;
    }
    this.drive(run, request, { ...meta, keyed: undefined, causationId: run }, { isOwn: true });
    return { runId: run, position: decision.position };
  }

  /**
   * Calls `work` if the run was never requested. Nobody can request the run before `work` has ended.
   * @returns false, without calling `work`, if the run was requested or is being requested
   */
  async unlessRequested(run: string, workspace: string, work: () => Promise<unknown>): Promise<boolean> {
    if (!(await this.leases.acquire(leaseOf(run)))) return false;
    try {
      if (await this.knows(run, workspace)) return false;
      await work();
      return true;
    } finally {
      await this.leases.release(leaseOf(run));
    }
  }

  /** Whether such a run was ever requested in the workspace. */
  async knows(run: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(runsDecider, run, workspace)).state.is !== 'unknown';
  }

  async isOpen(run: string, workspace: string): Promise<boolean> {
    return (await this.decisions.load(runsDecider, run, workspace)).state.is === 'open';
  }

  /** Resolves when the run has ended, in this process or another. */
  async ended(run: string, workspace: string): Promise<RecordedRun> {
    let unfollow = (): void => undefined;
    const stopping = this.stop.signal;
    const told = new Promise<void>((resolve) => {
      const stopListening = this.news.follow(run, ({ type }) => endTypes.has(type) && resolve());
      const onStop = (): void => resolve();
      stopping.addEventListener('abort', onStop);
      unfollow = () => {
        stopListening();
        stopping.removeEventListener('abort', onStop);
      };
    });
    try {
      const { state } = await this.known(run, workspace);
      if (state.is === 'unknown') throw notFound('run');
      if (state.is === 'open') {
        // The news may have come just before this call. It then ends the run's work here, too.
        if (!stopping.aborted) await Promise.race([told, this.driven.get(run)?.done ?? told]);
        // Another process goes on with it.
        if (!stopping.aborted && (await this.known(run, workspace)).state.is === 'open') await told;
        if (stopping.aborted)
          throw new DomainError(
            'unavailable',
            'the console is being stopped; work that is running continues',
            undefined,
            {
              retryAfter: 2,
            },
          );
      }
      const ended = endIn(run, await this.known(run, workspace)) ?? (await this.endOf(run, workspace));
      if (!ended) throw notFound('run');
      return ended;
    } finally {
      unfollow();
    }
  }

  /** The run is cancelled once its current step has ended. No effect on an ended run. */
  cancel(run: string, meta: CommandMeta): Promise<Decision> {
    return this.commands.execute(new CancelRun(run, {}, meta));
  }

  /** Cancels a part. Retries while the log is down and `wanted` returns true. */
  cancelPart(part: string, meta: CommandMeta, wanted: () => boolean): void {
    this.parts.cancel(part, meta, wanted).catch((error: unknown) => {
      this.logger.warn(
        { err: error, run: part },
        'a part could not be cancelled; it is cancelled when its run ends',
      );
    });
  }

  /** Continues a failed, interrupted or cancelled run from the step that did not succeed. */
  async retry(run: string, meta: CommandMeta): Promise<Decision> {
    const { state } = await this.decisions.load(runsDecider, run, meta.workspace);
    if (state.is === 'unknown') throw notFound('run');
    const { request } = state;
    const kind = this.kindOf(request.kind);
    const steps = stepsOf(kind, request);
    const last = state.steps.findLast(
      ({ step }) => !steps.some(({ name, settles }) => settles && name === step),
    );
    const step = last?.step ?? steps[0]?.name ?? '';
    const retry = new RetryRun(run, { step }, meta);
    // A repeated call has begun its attempt already, whatever else is active by now.
    const [begun] = await this.decisions.recordedBy(runsDecider, retry);
    if (begun) return { id: run, revision: begun.revision, position: begun.position, written: 1 };
    if (state.is === 'open' || !(await this.acquired(run))) return this.commands.execute(retry);
    try {
      const waitMs = this.changes(request)
        ? await this.line.holdAgain({ run, kind, request, meta })
        : undefined;
      // If it holds its things, nobody can rename or move the subject from here on.
      await kind.stillFits?.(request, meta.workspace, run);
      const decision = await this.commands.execute(
        new RetryRun(run, { step, ...(waitMs !== undefined && { waitMs }) }, meta),
      );
      this.drive(run, request, { ...meta, keyed: undefined, causationId: run });
      return decision;
    } catch (error) {
      await this.leases.release(leaseOf(run));
      throw error;
    }
  }

  /** Continues a run whose lease this process holds. */
  async takeUp(run: string): Promise<void> {
    const [requested] = (await this.store.readStream(streamName('run', run), { limit: 1 })) as RecordedEvent<
      'RunRequested',
      EventData<'RunRequested'>
    >[];
    if (!requested) return this.leases.release(leaseOf(run));
    const { actor, workspace, correlationId, at } = requested.meta;
    const meta = { actor, workspace, correlationId, causationId: run, at, commandId: run };
    if (this.kinds.has(requested.data.kind)) return this.drive(run, requested.data, meta);
    await this.parts.end(run, meta, this.stop.signal);
    const reason = `this version of the console does not know the kind ${requested.data.kind}`;
    const commandId = uuidv5('unknown kind', run);
    await this.commands.execute(
      new EndRun(run, { is: 'interrupted', reason }, { ...followUp(meta, run), commandId, keyed: true }),
    );
    await this.leases.release(leaseOf(run));
  }

  isDriving(run: string): boolean {
    return this.driven.has(run);
  }

  /** Stops following. The work on the servers continues, and the next process takes the runs over. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort(new Error('the console is being stopped'));
    for (const { leave } of this.driven.values()) leave.abort(this.stop.signal.reason);
    await Promise.race([
      Promise.allSettled([...this.driven.values()].map(({ done }) => done)),
      sleep(5000, undefined, { ref: false }),
    ]);
  }

  private drive(run: string, request: RunRequest, meta: CommandMeta, { isOwn = false } = {}): void {
    const leave = new AbortController();
    if (this.stop.signal.aborted) leave.abort(this.stop.signal.reason);
    const kind = this.kindOf(request.kind);
    // The run is about the present, even if the call that starts it is a repeated one.
    const done = atPresent(() => this.driver.drive({ run, kind, request, meta, isOwn, leave: leave.signal }))
      .then(async (ended) => {
        if (!ended) return this.leases.handOver(leaseOf(run));
        if (this.changes(request)) await this.exclusive.release(run, request, meta.workspace);
        await this.leases.release(leaseOf(run));
      })
      .catch((error: unknown) => {
        this.leases.abandon(leaseOf(run));
        this.logger.warn({ err: error, run }, 'a run was left by this process');
      })
      .finally(() => this.driven.delete(run));
    this.driven.set(run, { request, done, leave });
  }

  private kindOf(name: string): RunKind {
    const kind = this.kinds.get(name);
    if (!kind) throw new Error(`no feature has registered the kind of run ${name}`);
    return kind;
  }

  /** Only the process that drives a run may start its parts: no other process would end them together with the run. */
  private refuseUnlessDriving(parent: string): void {
    const driven = this.driven.get(parent);
    if (!driven || driven.leave.signal.aborted)
      throw new DomainError('unavailable', 'another process continues the run that this is part of');
    if (!stepsOf(this.kindOf(driven.request.kind), driven.request).some(startsRuns))
      throw new Error(`the kind of run ${driven.request.kind} does not say that it starts runs`);
  }

  /** Waits, because the process that finished the run may not have released its lease yet. */
  private async acquired(run: string): Promise<boolean> {
    for (const began = performance.now(); performance.now() - began < PATIENCE_MS; await sleep(LOOK_AGAIN_MS))
      if (await this.leases.acquire(leaseOf(run))) return true;
    return false;
  }

  private async refuseForeign(run: string, workspace: string): Promise<RecordedEvent | undefined> {
    const [first] = await this.store.readStream(streamName('run', run), { limit: 1 });
    if (first && first.meta.workspace !== workspace) throw notFound('run');
    return first;
  }

  /** Joins a run that another process drives or has driven. */
  private async join(run: string, request: RunRequest, { workspace }: CommandMeta) {
    for (const began = performance.now(); ; await sleep(LOOK_AGAIN_MS)) {
      if (await this.refuseForeign(run, workspace)) {
        const { state, position } = await this.decisions.load(runsDecider, run, workspace);
        if (state.is !== 'unknown' && !sameRequest(state.request, request)) throw otherWork();
        return { runId: run, position };
      }
      if (this.stop.signal.aborted || performance.now() - began > PATIENCE_MS)
        throw new DomainError('unavailable', 'this run has not begun, please try again', undefined, {
          retryAfter: 2,
        });
    }
  }

  /** The output of the run, or of one attempt at its steps, as one text. For kinds with a small `outputLimit`. */
  output(run: string, attempt?: number): Promise<string> {
    return this.outputs.text(run, attempt);
  }

  /** The end of what its last step printed. */
  async outputEnd({ id, lastStep }: RecordedRun, characters: number): Promise<string> {
    if (!lastStep) return '';
    return (await this.outputs.endOf(id, lastStep.step, lastStep.attempt)).slice(-characters);
  }

  /** How it ended, if it was requested and has ended. Does not wait. */
  async endOf(id: string, workspace: string): Promise<RecordedRun | undefined> {
    return endIn(id, await this.decisions.load(runsDecider, id, workspace));
  }

  /** Of a run that this process drives, only a cancel can be missing in what it knows. */
  private async known(run: string, workspace: string): Promise<Loaded<RunState>> {
    const own = this.driven.has(run) ? this.decisions.known(runsDecider, run, workspace) : undefined;
    return own ?? this.decisions.load(runsDecider, run, workspace);
  }
}
