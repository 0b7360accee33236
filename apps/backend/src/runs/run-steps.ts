/** Runs one step, on the server or in this process, and reports its outcome. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { AS_ASKED, Backoff, stepLabel } from '@quarterdeck/events';
import { isTransient } from '../platform/database';
import { retrying } from '../platform/retrying';
import { nothingStored, RunOutputs, StepRecording } from '../platform/run-output';
import type { CommandMeta } from '../platform/sessions';
import { runAttached, type ShellCommand } from '../platform/ssh';
import { LOGGER, type Logger } from '../platform/tokens';
import { RunHosts } from './run-hosts';
import { workplaceOf, type LocalStep, type RemoteStep, type RunContext, type Step } from './run-kind';
import {
  explained,
  inWordsOf,
  ofFailure,
  ofRemote,
  StepLost,
  unfollowed,
  type Judgement,
} from './run-outcome';

export interface Signals {
  /** An operator has cancelled the run. */
  cancel: AbortSignal;
  /** This process stops following. The work continues, and another process or a later start follows the run. */
  leave: AbortSignal;
}

export interface StepWork<S extends Step = Step> {
  step: S;
  attempt: number;
  context: RunContext;
  startedAt: number;
  /** The step was started before, by this process or a dead one. */
  again: boolean;
  /** The run has no output yet. */
  first: boolean;
  meta: CommandMeta;
  signals: Signals;
  outputLimit?: number | undefined;
}

export interface StepDone extends Judgement {
  output: { bytes: number; sha256: string };
}

const labelOf = ({ step, context }: StepWork): string => stepLabel(context.request.kind, step.name);
const nameOf = ({ step, attempt, context }: StepWork): string => `${context.run}-${step.name}-${attempt}`;

const lostWithProcess: Judgement = {
  outcome: 'lost',
  why: { code: 'lost', reason: 'the console process that ran it ended' },
};

/** An outage of our own database or log is no failure of the step: what only reads is read again after it. */
const throughOutage = <T>({ leave, cancel }: Signals, read: () => Promise<T>): Promise<T> =>
  retrying(read, { signal: leave, passes: (error) => isTransient(error) && !cancel.aborted });

/** The script with what it is given, resolved for this context. */
const orderOf = async (step: RemoteStep, context: RunContext, meta: CommandMeta): Promise<ShellCommand> => {
  const script = typeof step.script === 'function' ? await step.script(context, meta) : step.script;
  const args = await step.args?.(context, meta);
  return typeof script === 'string' ? { script, args } : script;
};

/** How long a step may go on after its signal. An operator who cancels sees the end within 5 s. */
const STOP_MS = 4_500;

class DidNotStop extends Error {
  constructor() {
    super('The step did not stop by itself, so its work may still be going on');
  }
}

/** @throws DidNotStop if the step ignores its signal: it may wait for something that never answers */
const stopped = <T>(performing: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const abort = (): void => {
      timer = setTimeout(() => reject(new DidNotStop()), STOP_MS);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort);
    void performing.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    });
  });

/** Removing the files of a step: about an hour in all. */
const cleaning = { attempts: 12, firstMs: 5_000, longestMs: 600_000 };

@Injectable()
export class RunSteps {
  readonly cleaning = { ...cleaning };

  constructor(
    private readonly hosts: RunHosts,
    private readonly outputs: RunOutputs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * @returns undefined if this process left the step: then nothing may be recorded about its end
   * @throws the error that kept this process from following a step of another process
   */
  async perform(work: StepWork): Promise<StepDone | undefined> {
    const { step, attempt, context, meta, signals } = work;
    const secrets = () => this.hosts.access.secrets(meta.workspace);
    const [stored] = await Promise.all([
      work.first ? nothingStored() : this.outputs.stored(context.run, step.name, attempt),
      // Nothing begins whose output could not be masked.
      secrets(),
    ]);
    const recording = new StepRecording(
      { run: context.run, step: step.name, attempt },
      this.outputs,
      stored,
      secrets,
      work.outputLimit,
    );
    const judged = await (
      step.on === 'server'
        ? this.remote({ ...work, step }, recording)
        : this.local({ ...work, step }, recording)
    ).catch((failure: unknown) => {
      if (signals.leave.aborted) return undefined;
      if (!work.again) return ofFailure(failure, this.logger);
      if (!isTransient(failure)) {
        const judged = ofFailure(failure, this.logger);
        return step.on === 'server' ? unfollowed(judged) : judged;
      }
      // The work may still be running on the server. A failed check is not its end, so the driver checks again.
      recording.abandon();
      throw failure;
    });
    if (judged) {
      const output = await recording.end();
      // What the other side says about a failure may repeat a secret that it was sent.
      if (judged.why?.code !== 'exit')
        return {
          ...judged,
          ...(judged.why && { why: { ...judged.why, reason: await recording.masked(judged.why.reason) } }),
          output,
        };
      // Secrets are masked in the stored output. Without that output, the reason names only the exit code.
      const end = await this.outputs.endOf(context.run, step.name, attempt).catch(() => '');
      return { ...inWordsOf(judged, end), output };
    }
    await Promise.race([recording.leave(), sleep(1000, undefined, { ref: false })]);
    recording.abandon();
    return undefined;
  }

  /**
   * Removes a step's files from the server once its end is recorded. A server that is slow, or away, is asked again: the
   * files contain the step's arguments and output. Later work on that server removes what is left after a week.
   */
  async clean(work: StepWork): Promise<void> {
    const { step, context, meta, signals } = work;
    if (step.on !== 'server' || step.attached) return;
    const ended = { name: nameOf(work), privileged: step.privileged ?? false };
    const target = () => this.hosts.access.target(workplaceOf(context.request).id, meta);
    const { attempts, firstMs, longestMs } = this.cleaning;
    const backoff = new Backoff(firstMs, longestMs);
    for (let left = attempts; !(await this.hosts.detached.clean(target, ended)); left -= 1) {
      if (signals.leave.aborted || left <= 1) {
        this.logger.warn(
          { run: context.run, step: step.name },
          'the files of a step stay on its server for now',
        );
        return;
      }
      await sleep(backoff.next(), undefined, { ref: false });
    }
  }

  private async remote(work: StepWork<RemoteStep>, recording: StepRecording): Promise<Judgement | undefined> {
    const { step, context, meta, again, startedAt, signals } = work;
    if (again && step.attached) return lostWithProcess;
    const { id } = workplaceOf(context.request);
    // The driver itself asks again for a step that was begun before.
    const read = <T>(what: () => Promise<T>) => (again ? what() : throughOutage(signals, what));
    const server = await read(() => this.hosts.access.server(id, meta));
    const knowing = { ...context, server };
    let refused: { failure: unknown } | undefined;
    const order = await orderOf(step, knowing, meta).catch((failure: unknown) => {
      if (!again || isTransient(failure)) throw failure;
      // A new start would be refused, but the step may be running already, and is then followed.
      refused = { failure };
      return { script: 'exit 1', args: [] };
    });
    const target = () => read(() => this.hosts.access.target(server.id, meta));
    const ordered = { ...order, name: nameOf(work), privileged: step.privileged ?? false };
    const following = {
      ...signals,
      onOutput: (bytes: Buffer) => recording.push(bytes),
      deadline: startedAt + step.timeoutMs,
    };
    const end = step.attached
      ? await runAttached(this.hosts.access.pool, target, ordered, {
          ...following,
          resumed: work.attempt > 1,
        })
      : await this.hosts.detached.run(target, ordered, {
          ...following,
          from: recording.from,
          resumed: again,
          followOnly: refused !== undefined,
        });
    if (end.is === 'left') return undefined;
    if (refused && end.is === 'lost') return ofFailure(refused.failure, this.logger);
    // Secrets are masked because the log keeps a script's report for ever.
    const report = Object.fromEntries(
      await Promise.all(
        Object.entries(end.report).map(async ([name, value]) => [
          name,
          step.plain?.[name]?.test(value) ? value : await recording.masked(value),
        ]),
      ),
    );
    const judged = ofRemote({ ...end, report }, labelOf(work), Date.now() - startedAt);
    return explained(judged, (failure) => step.explain?.(knowing, failure));
  }

  private async local(work: StepWork<LocalStep>, recording: StepRecording): Promise<Judgement | undefined> {
    const { step, context, meta, again, startedAt, signals } = work;
    if (again) return lostWithProcess;
    const tooLong = AbortSignal.timeout(Math.max(startedAt + step.timeoutMs - Date.now(), 1));
    const end = AbortSignal.any([signals.cancel, tooLong]);
    const signal = AbortSignal.any([end, signals.leave]);
    let isOver = false;
    const print = (text: string): void => void (isOver || recording.push(Buffer.from(text)));
    try {
      const performing = step.perform(context, { print, signal, end, meta });
      // A step that waits for its parts ends when they have ended, each within its own time.
      const { report } = await (step.startsRuns ? performing : stopped(performing, signal));
      return { outcome: 'succeeded', ...(report && { report }) };
    } catch (failure) {
      const more = failure instanceof DidNotStop ? `. ${failure.message}` : '';
      if (signals.leave.aborted) return undefined;
      // A cancel does not change what is unknown.
      if (failure instanceof StepLost) throw failure;
      if (signals.cancel.aborted)
        return { outcome: 'cancelled', why: { code: 'cancelled', reason: `${AS_ASKED}${more}` } };
      if (tooLong.aborted)
        return {
          outcome: 'timedOut',
          why: { code: 'timeout', reason: `${labelOf(work)} took too long${more}` },
        };
      throw failure;
    } finally {
      isOver = true;
    }
  }
}
