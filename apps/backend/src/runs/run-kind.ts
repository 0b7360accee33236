/**
 * How a kind of run is declared: its name, its steps in order, and what is recorded of its subject at the end. The
 * engine does the rest: leases, detached work on servers, following, retries, cancelling, time-outs.
 */
import type { EventData } from '@quarterdeck/events';
import type { DomainCommand } from '../platform/decider';
import type { CommandMeta } from '../platform/sessions';

export type RunRequest = EventData<'RunRequested'>;

/** Where the work of a run is done: on its subject, unless it names a server. */
export const workplaceOf = ({ subject, server }: RunRequest): RunRequest['subject'] =>
  server ? { kind: 'server', ...server } : subject;

/** What a step found, as names and values. */
export type Report = Record<string, string>;

/** The server that a run works on, as it is registered when the step begins. */
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
}

/** What one attempt at a step found and did, however it ended. */
export interface AttemptReport {
  step: string;
  attempt: number;
  report: Report;
}

/** What a step may go by. */
export interface RunContext {
  run: string;
  request: RunRequest;
  /** Of the steps that succeeded so far, by the name of the step: what was found. */
  reports: Record<string, Report>;
  /** Of all attempts that ended so far, in their order: what one changed before it failed stays changed. */
  attempts: readonly AttemptReport[];
  /** In steps on a server: the one that the run works on. */
  server?: RunServer;
}

interface StepBase<C extends RunContext> {
  /** As it stands in events, for ever: `prerequisites`. In words: `stepLabel` in `run-words.ts`. */
  name: string;
  /** Not done when it answers false. Pure. */
  when?(context: C): boolean;
  /** It is ended, and the run fails, when it takes longer. */
  timeoutMs: number;
  /**
   * Whether it may be done a second time by itself after its outcome was lost. True only for what changes nothing, or
   * changes nothing when it is there already.
   */
  repeatable: boolean;
  /**
   * What the subject's stream is told as soon as the step has succeeded, with the run as its cause: it is so then, whatever
   * becomes of the steps behind it, and also where the run is being cancelled. The run fails where that is refused.
   */
  tells?(
    context: C,
    report: Report,
    meta: CommandMeta,
  ): DomainCommand | undefined | Promise<DomainCommand | undefined>;
}

export interface Explanation {
  code: string;
  /** A sentence for the operator. */
  reason: string;
  /** Added to what the step reported. */
  report?: Report;
}

/** A script that runs on the subject's server, detached: it goes on whatever becomes of us and of the connection. */
export interface RemoteStep<C extends RunContext = RunContext> extends StepBase<C> {
  on: 'server';
  /**
   * POSIX sh, fixed text, or the text of a saved script. `report name value` and `changed 'installed nginx'` say what it
   * found and did.
   */
  script: string | ((context: C, meta: CommandMeta) => string | Promise<string>);
  args?(context: C, meta: CommandMeta): string[] | Promise<string[]>;
  /** What a failure means, told by its exit code and by what it reported. Pure. Default: its exit code. */
  explain?(context: C, end: { exitCode: number; report: Report }): Explanation | undefined;
  /** As root: by sudo where the account is another. */
  privileged?: boolean;
}

/** Work of this process, such as a probe over the wire or a run of many runs. */
export interface LocalStep<C extends RunContext = RunContext> extends StepBase<C> {
  on: 'console';
  /**
   * It starts runs, as parts of this one. Where its outcome was lost and the run is being cancelled, it is done once more
   * with `end` aborted: it joins its parts, ends them and says what became of each.
   */
  startsRuns?: true;
  perform(context: C, io: LocalIo): Promise<{ report?: Report }>;
}

export interface LocalIo {
  print(text: string): void;
  /** Aborted by a cancel, by the time-out, or because the console is being stopped. */
  signal: AbortSignal;
  /** Aborted by a cancel or by the time-out alone: then what the step set in motion has to be ended too. */
  end: AbortSignal;
  meta: CommandMeta;
}

export type Step<C extends RunContext = RunContext> = RemoteStep<C> | LocalStep<C>;

export interface RunKind<C extends RunContext = RunContext> {
  kind: string;
  /** It changes where it works: one such run at a time, a second one is refused with the name of who is at it. */
  changes: boolean | ((request: RunRequest) => boolean);
  /** In order. */
  steps: readonly Step<C>[] | ((request: RunRequest) => readonly Step<C>[]);
  /** What the subject's stream is told when all steps have succeeded, as a command with the run as its cause. */
  conclude?(context: C, meta: CommandMeta): DomainCommand;
  /** What it is told when one has failed, if anything. */
  concede?(context: C, failure: StepFailure, meta: CommandMeta): DomainCommand | undefined;
  /**
   * Asked before one that has ended goes on by a retry: its subject may not be what it was made for any more.
   * @throws DomainError that says so, and what to do instead
   */
  stillFits?(request: RunRequest, workspace: string): Promise<void>;
  /** Bytes of output that are kept; default 64 MiB. */
  outputLimit?: number;
}

export const stepsOf = ({ steps }: RunKind, request: RunRequest): readonly Step[] =>
  typeof steps === 'function' ? steps(request) : steps;

export const startsRuns = (step: Step): boolean => step.on === 'console' && step.startsRuns === true;
