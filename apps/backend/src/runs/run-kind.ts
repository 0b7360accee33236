/**
 * Declares a kind of run: its name, its steps in order, and the commands for its subject. The engine does the rest:
 * leases, detached work on servers, following, retries, cancelling, timeouts.
 */
import { hasStepLabel, kindsOfRuns, type EventData } from '@quarterdeck/events';
import type { DomainCommand } from '../platform/decider';
import type { CommandMeta } from '../platform/sessions';
import type { ShellCommand } from '../platform/ssh';

export type RunRequest = EventData<'RunRequested'>;

/** The server that the run works on: its subject, unless it names another. */
export const workplaceOf = ({ subject, server }: RunRequest): RunRequest['subject'] =>
  server ? { kind: 'server', ...server } : subject;

/** What a changing run claims: its server, and its subject, which must not be removed while the server is changed. */
export const thingsOf = (request: RunRequest): readonly RunRequest['subject'][] => {
  const workplace = workplaceOf(request);
  return workplace === request.subject ? [workplace] : [workplace, request.subject];
};

/** Results of a step as names and values. */
export type Report = Record<string, string>;

/** The server that a run works on, as registered when the step begins. */
export interface RunServer {
  id: string;
  alias: string;
  host: string;
  port: number;
  username: string;
  root: string;
  path: string;
  nginxPath: string;
}

/** The step that ended a run. */
export interface StepFailure {
  step: string;
  report: Report;
  reason: string;
  /** Absent after a cancel. */
  code?: string;
}

/** Report of one attempt at a step, whatever its outcome. */
export interface AttemptReport {
  step: string;
  attempt: number;
  outcome: EventData<'RunStepFinished'>['outcome'];
  report: Report;
}

/** The information that a step can use. */
export interface RunContext {
  run: string;
  request: RunRequest;
  /** Reports of the steps that have succeeded, by name of the step. */
  reports: Record<string, Report>;
  /** Reports of all ended attempts, in order: the changes of a failed attempt remain. */
  attempts: readonly AttemptReport[];
  /** In steps on a server: that server. */
  server?: RunServer;
}

interface StepBase<C extends RunContext> {
  /** Recorded permanently in events, such as `prerequisites`. Its label is in `stepLabel` of `run-words.ts`. */
  name: string;
  /** The step is skipped if this returns false. Pure. */
  when?(context: C): boolean;
  /** A step that takes longer is ended, and the run fails. */
  timeoutMs: number;
  /**
   * Whether the step may be repeated automatically after its outcome was lost. True only if it is read-only or
   * idempotent.
   */
  repeatable: boolean;
  /** A retry of this step begins with that earlier one, if that one applies: it prepared what cannot be used twice. */
  retriesFrom?: string;
  /**
   * The step runs only after a cancel, as the last one, and cannot be cancelled itself. It completes or reverts the
   * partial changes of an ended step on the server. Must be `repeatable`.
   */
  settles?: true;
  /**
   * A command for the subject's stream, executed as soon as the step has succeeded, with the run as its cause. Its
   * result is kept even if later steps fail or the run is being cancelled. If the command is refused, the run fails.
   */
  onSuccess?(
    context: C,
    report: Report,
    meta: CommandMeta,
  ): DomainCommand | undefined | Promise<DomainCommand | undefined>;
}

export interface Explanation {
  code: string;
  /** A sentence for the operator. */
  reason: string;
  /** Added to the report of the step. */
  report?: Report;
}

type Script = string | ShellCommand;

/**
 * A script on the subject's server. Unless it is `attached`, it runs detached, so it survives the end of this process
 * or of the connection.
 */
export interface RemoteStep<C extends RunContext = RunContext> extends StepBase<C> {
  on: 'server';
  /**
   * POSIX sh: a fixed script with what it is given, or the text of a saved script. It reports its results with `report name
   * value` and `changed 'installed nginx'`.
   */
  script: Script | ((context: C, meta: CommandMeta) => Script | Promise<Script>);
  args?(context: C, meta: CommandMeta): string[] | Promise<string[]>;
  /** Explains a failure from its exit code and report. Pure. Default: the exit code. */
  explain?(context: C, end: { exitCode: number; report: Report }): Explanation | undefined;
  /**
   * Patterns of the report values that later steps read. A matching value is not masked, because a secret may be part
   * of a name by chance. Other values are masked like everything that the script prints.
   */
  plain?: Record<string, RegExp>;
  /** Runs as root, with sudo if the account is not root. */
  privileged?: boolean;
  /**
   * For a short script that only reads (`mayAttach`): it runs over the connection and ends with the connection, at a
   * third of the cost for the server. The step must be `repeatable`: if its end is not seen, it runs again.
   */
  attached?: boolean;
}

/** Longer scripts run detached, so that they survive a restart of this process. */
const MAX_ATTACHED_MS = 120_000;

/** Whether a script of this kind may run attached, and be repeated. */
export const mayAttach = ({ changes, timeoutMs }: { changes: boolean; timeoutMs: number }): boolean =>
  !changes && timeoutMs <= MAX_ATTACHED_MS;

/** Work in this process, such as a probe over the network or the start of other runs. */
export interface LocalStep<C extends RunContext = RunContext> extends StepBase<C> {
  on: 'console';
  /**
   * The step starts other runs as parts of this one. If its outcome was lost and the run is being cancelled, it runs
   * once more with `end` aborted: it joins its parts, ends them and reports their outcomes.
   */
  startsRuns?: true;
  /**
   * The step asks somebody else's computer for something that goes on after a cancel. If its outcome was lost, the run ends
   * as interrupted, even if an operator has cancelled it.
   */
  actsElsewhere?: true;
  perform(context: C, io: LocalIo): Promise<{ report?: Report }>;
}

export interface LocalIo {
  print(text: string): void;
  /** Aborted by a cancel, by the timeout, or at the shutdown of this process. */
  signal: AbortSignal;
  /** Aborted only by a cancel or the timeout: then everything that the step started has to end too. */
  end: AbortSignal;
  meta: CommandMeta;
}

const GRACE_MS = 3_000;

/** For work that should not be cut in the middle: aborted some seconds after the signal of the step. */
export const afterGrace = (signal: AbortSignal): AbortSignal => {
  const late = new AbortController();
  const begin = (): void => void setTimeout(() => late.abort(signal.reason), GRACE_MS);
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return late.signal;
};

export type Step<C extends RunContext = RunContext> = RemoteStep<C> | LocalStep<C>;

export interface RunKind<C extends RunContext = RunContext> {
  kind: string;
  /**
   * The run changes the server or subject that it works on. Only one such run is allowed at a time. A second one waits
   * in line, or is refused with the name of the first.
   */
  changes: boolean | ((request: RunRequest) => boolean);
  /** In order. */
  steps: readonly Step<C>[] | ((request: RunRequest) => readonly Step<C>[]);
  /** A command for the subject's stream after all steps have succeeded, caused by the run. */
  onSuccess?(context: C, meta: CommandMeta): DomainCommand;
  /** A command after a failure, if any. */
  onFailure?(context: C, failure: StepFailure, meta: CommandMeta): DomainCommand | undefined;
  /** A command after a cancel, if any: the last step may have changed something that cannot be taken back. */
  onCancel?(context: C, cancelled: StepFailure, meta: CommandMeta): DomainCommand | undefined;
  /**
   * If set, runs of this kind always wait in line, and a later request for the same subject may replace one that waits.
   * @returns why its turn will not come, if it was replaced
   */
  replaced?(run: string, workspace: string): Promise<string | undefined>;
  /**
   * Called before a retry, and when the turn of a waiting run has come: the subject may have changed since the request.
   * @throws DomainError that says so, and what to do instead
   */
  stillFits?(request: RunRequest, workspace: string, run: string): Promise<void>;
  /** Limit of stored output in bytes. Default: 64 MiB. */
  outputLimit?: number;
}

export const stepsOf = ({ steps }: RunKind, request: RunRequest): readonly Step[] =>
  typeof steps === 'function' ? steps(request) : steps;

export const startsRuns = (step: Step): boolean => step.on === 'console' && step.startsRuns === true;

/** Kinds, and steps of kinds, that no `*.runs.ts` of libs/events has a label for. */
export const withoutWords = (kinds: readonly RunKind[]): string[] =>
  kinds.flatMap(({ kind, steps }) => {
    if (!kindsOfRuns.includes(kind)) return [kind];
    if (typeof steps === 'function') return [];
    return steps.filter(({ name }) => !hasStepLabel(kind, name)).map(({ name }) => `step ${name} of ${kind}`);
  });
