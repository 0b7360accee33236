/**
 * A few threads for work that would hold up everybody if the main thread did it. A job that overruns its time is ended
 * with its thread, and the next job gets a new one. Workspaces take turns, and none gets all threads.
 */
import { Worker } from 'node:worker_threads';
import { DomainError, tooBusy } from '../errors';
import { requestContext } from '../logging';
import type { Job, Question, Reply } from './job';
import { threadFile } from './thread-file';

const TIMEOUT_MS = 10_000;
/** A thread costs about 20 MB, so it ends when it has had nothing to do for this long. */
const IDLE_MS = 30_000;

export interface ThreadLimits {
  threads: number;
  /** Jobs of one workspace that run at the same time. */
  running: number;
  /** Jobs of one workspace that wait for a thread. */
  waiting: number;
  /** Memory of a job. Beyond it, its thread ends, and not this process. */
  megabytes: number;
}

export const LIMITS: ThreadLimits = { threads: 3, running: 2, waiting: 4, megabytes: 512 };

/** The job took longer than it may. */
export class JobOverran extends DomainError {
  constructor(timeoutMs: number) {
    super('unprocessable', `this would take more than ${timeoutMs / 1000} s of work: try it with less`);
  }
}

interface PendingQuestion extends Question {
  /** The workspace of the call; undefined for work that nobody waits for, such as probes. */
  readonly owner: string | undefined;
  readonly timeoutMs: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export class Threads {
  private readonly waiting: PendingQuestion[] = [];
  /** Whose thread it is, until the thread is free again or has ended. */
  private readonly busy = new Map<Worker, string | undefined>();
  private readonly idle = new Map<Worker, NodeJS.Timeout>();

  constructor(
    private readonly limits: ThreadLimits = LIMITS,
    private readonly file = threadFile,
  ) {}

  /**
   * @throws JobOverran
   * @throws DomainError `tooMany` if the workspace of the current call has too many jobs already
   */
  run<Input, Result>(
    { name }: Job<Input, Result>,
    input: Input,
    { timeoutMs = TIMEOUT_MS }: { timeoutMs?: number } = {},
  ): Promise<Result> {
    const owner = requestContext.getStore()?.workspace;
    const before = this.waiting.filter((asked) => asked.owner === owner).length;
    if (owner !== undefined && before >= this.limits.waiting) return Promise.reject(tooBusy());
    return new Promise((resolve, reject) => {
      this.waiting.push({
        job: name,
        input,
        owner,
        timeoutMs,
        reject,
        resolve: resolve as (result: unknown) => void,
      });
      this.beginNext();
    });
  }

  /** Ends the threads that have nothing to do. */
  close(): void {
    for (const thread of this.idle.keys()) this.end(thread);
  }

  private runningOf(owner: string | undefined): number {
    let running = 0;
    for (const other of this.busy.values()) if (other === owner) running += 1;
    return running;
  }

  /** The first job of the workspace with the fewest running ones. */
  private beginNext(): void {
    while (this.busy.size < this.limits.threads) {
      let [next, fewest] = [undefined as PendingQuestion | undefined, this.limits.running];
      for (const asked of this.waiting) {
        const running = this.runningOf(asked.owner);
        if (running < fewest) [next, fewest] = [asked, running];
      }
      if (!next) return;
      this.waiting.splice(this.waiting.indexOf(next), 1);
      this.begin(next);
    }
  }

  private begin({ job, input, owner, timeoutMs, resolve, reject }: PendingQuestion): void {
    const thread = this.takeThread();
    this.busy.set(thread, owner);
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      thread.removeAllListeners('message').removeAllListeners('error').removeAllListeners('exit');
      // Without a listener, an error of a thread that is being ended would end the process.
      thread.on('error', () => undefined);
      act();
    };
    const failed = (error: Error): void => settle(() => this.discard(thread, () => reject(error)));
    const timer = setTimeout(() => failed(new JobOverran(timeoutMs)), timeoutMs);
    thread.once('error', failed);
    thread.once('exit', () => failed(new Error(`the thread of the job ${job} ended`)));
    thread.once('message', (reply: Reply) =>
      settle(() => {
        this.rest(thread);
        if ('result' in reply) resolve(reply.result);
        else reject(Object.assign(new Error(reply.error), { stack: reply.stack }));
      }),
    );
    thread.ref();
    thread.postMessage({ job, input } satisfies Question);
  }

  private takeThread(): Worker {
    const [resting] = this.idle;
    if (!resting) {
      const resourceLimits = { maxOldGenerationSizeMb: this.limits.megabytes };
      return new Worker(this.file, { env: {}, execArgv: [], resourceLimits });
    }
    const [thread, ending] = resting;
    clearTimeout(ending);
    this.idle.delete(thread);
    return thread;
  }

  private rest(thread: Worker): void {
    this.busy.delete(thread);
    thread.unref();
    this.idle.set(thread, setTimeout(() => this.end(thread), IDLE_MS).unref());
    this.beginNext();
  }

  private end(thread: Worker): void {
    clearTimeout(this.idle.get(thread));
    this.idle.delete(thread);
    void thread.terminate();
  }

  /** Its place is free once it has ended: a thread within a library ends only when that returns. */
  private discard(thread: Worker, told: () => void): void {
    thread.unref();
    void thread.terminate().finally(() => {
      this.busy.delete(thread);
      this.beginNext();
    });
    told();
  }
}

/** The threads of this process. They begin when a job needs them. */
export const threads = new Threads();
