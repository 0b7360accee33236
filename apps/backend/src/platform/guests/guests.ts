/**
 * Runs code that nobody trusts: QuickJS as WebAssembly, in threads of its own. Three limits hold, each alone: the
 * maximum of the WebAssembly memory, `terminate()` from outside (QuickJS looks at its own deadline only now and then, and
 * one built-in may take seconds), and calls by their own names. Whatever misbehaved is ended with its thread.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { guestFile } from './guest-file';
import { LIMITS, type GuestData, type GuestLimits, type Order, type Refusal, type Report } from './messages';

/** What a snippet may call, by its own name. Input and answer are JSON. */
export type GuestCalls = Readonly<Record<string, (input: unknown) => Promise<unknown>>>;

export class GuestFailure extends Error implements Refusal {
  readonly code;
  readonly line;
  constructor({ code, message, line }: Refusal) {
    super(message);
    this.code = code;
    this.line = line;
  }
}

/** An error whose message a snippet may read. All others are `the call failed` to it. */
export class CallRefused extends Error {}

interface Job {
  readonly order: Order;
  readonly calls: GuestCalls;
  readonly ms: number;
  readonly resolve: (done: Done) => void;
  readonly reject: (error: unknown) => void;
}
interface Done {
  readonly text: string;
  readonly logs: readonly string[];
}

export interface GuestsOptions {
  /** Snippets that run at once. A thread has 10 MB and its memory. */
  readonly threads?: number;
  /** Memory of one snippet. */
  readonly megabytes?: number;
  /** Snippets that wait for a thread. */
  readonly mostWaiting?: number;
}

const COMPILE_MS = 5000;
/** What a thread may take to begin on a busy machine. */
const BEGIN_MS = 30_000;
const WASM = '@jitl/quickjs-wasmfile-release-sync/wasm';

export class Guests {
  private module: Promise<WebAssembly.Module> | undefined;
  private readonly idle: Worker[] = [];
  private readonly waiting: Job[] = [];
  private readonly all = new Set<Worker>();
  private starting = 0;
  private isClosed = false;
  private readonly threads: number;
  private readonly megabytes: number;
  private readonly mostWaiting: number;

  constructor({ threads = 2, megabytes = 32, mostWaiting = 100 }: GuestsOptions = {}) {
    this.threads = threads;
    this.megabytes = megabytes;
    this.mostWaiting = mostWaiting;
  }

  /**
   * Strips the types, and checks the syntax.
   * @returns JavaScript for `run`
   * @throws GuestFailure `refused` with the line
   */
  async compile(ts: string): Promise<string> {
    return (await this.ask({ is: 'compile', ts }, {}, COMPILE_MS)).text;
  }

  /**
   * @param js from `compile`
   * @param input the names that the snippet reads, as JSON
   * @throws GuestFailure
   */
  async run(
    js: string,
    input: unknown,
    calls: GuestCalls,
    limits: Partial<GuestLimits> = {},
  ): Promise<{ value: unknown; logs: readonly string[] }> {
    const all = { ...LIMITS, ...limits };
    const order: Order = { is: 'run', js, input: JSON.stringify(input), ...all };
    const { text, logs } = await this.ask(order, calls, all.ms);
    return { value: JSON.parse(text) as unknown, logs };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const job of this.waiting.splice(0)) job.reject(busy());
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private ask(order: Order, calls: GuestCalls, ms: number): Promise<Done> {
    if (this.isClosed || this.waiting.length >= this.mostWaiting) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      this.waiting.push({ order, calls, ms, resolve, reject });
      this.next();
    });
  }

  /** Gives waiting snippets to idle threads, and keeps one thread more than those that run. */
  private next(): void {
    while (this.waiting.length > 0) {
      const worker = this.idle.pop();
      if (!worker) break;
      const job = this.waiting.shift();
      if (job) this.carryOut(worker, job);
    }
    const isSpareMissing = this.idle.length === 0 && this.starting === 0;
    if (isSpareMissing && this.all.size + this.starting < this.threads && !this.isClosed) this.begin();
  }

  private begin(): void {
    this.starting += 1;
    this.open().then(
      (worker) => {
        this.starting -= 1;
        if (this.isClosed) return void worker.terminate();
        this.idle.push(worker);
        this.next();
      },
      () => {
        this.starting -= 1;
        // Nobody would come for them.
        if (this.all.size === 0) for (const job of this.waiting.splice(0)) job.reject(busy());
      },
    );
  }

  private async open(): Promise<Worker> {
    this.module ??= readFile(createRequire(import.meta.url).resolve(WASM)).then((bytes) =>
      WebAssembly.compile(bytes),
    );
    const worker = new Worker(guestFile, {
      workerData: { module: await this.module, megabytes: this.megabytes } satisfies GuestData,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      env: {},
      execArgv: [],
    });
    this.all.add(worker);
    worker.unref();
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      this.all.delete(worker);
      const at = this.idle.indexOf(worker);
      if (at >= 0) this.idle.splice(at, 1);
    });
    await new Promise<void>((resolve, reject) => {
      const end = (act: () => void) => {
        clearTimeout(timer);
        worker.removeListener('message', ready).removeListener('exit', ended);
        act();
      };
      const ready = () => end(resolve);
      const ended = () => end(() => reject(new Error('the thread of a snippet could not begin')));
      const timer = setTimeout(() => void worker.terminate(), BEGIN_MS);
      worker.once('message', ready).once('exit', ended);
    });
    return worker;
  }

  private carryOut(worker: Worker, { order, calls, ms, resolve, reject }: Job): void {
    const settle = (isReusable: boolean, act: () => void): void => {
      clearTimeout(timer);
      // Never all listeners: Node has its own among them.
      worker.removeListener('message', heard).removeListener('exit', ended);
      worker.unref();
      if (isReusable && !this.isClosed) this.idle.push(worker);
      else void worker.terminate().finally(() => this.next());
      act();
      this.next();
    };
    const fail = (refusal: Refusal): void => settle(false, () => reject(new GuestFailure(refusal)));
    const heard = (report: Report): void => {
      if (report.is === 'call') return void this.answer(worker, report, calls);
      if (report.is !== 'done') return;
      const { isReusable, logs } = report;
      settle(isReusable, () =>
        report.ok ? resolve({ text: report.text, logs }) : reject(new GuestFailure(report)),
      );
    };
    const ended = (): void =>
      fail({ code: 'full', message: 'the snippet needs too much memory, or broke its thread' });
    const timer = setTimeout(
      () => fail({ code: 'late', message: `the snippet took more than ${ms} ms` }),
      ms,
    );
    worker.on('message', heard).once('exit', ended);
    worker.ref();
    worker.postMessage(order);
  }

  private async answer(
    worker: Worker,
    { seq, name, text }: Extract<Report, { is: 'call' }>,
    calls: GuestCalls,
  ): Promise<void> {
    const tell = (ok: boolean, value: unknown): void =>
      worker.postMessage({ is: 'answer', seq, ok, text: JSON.stringify(value ?? null) } satisfies Order);
    const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
    if (!call)
      return tell(false, `there is no call ${name}: there are ${Object.keys(calls).join(', ') || 'none'}`);
    try {
      tell(true, await call(JSON.parse(text)));
    } catch (error) {
      tell(false, error instanceof CallRefused ? error.message : 'the call failed');
    }
  }
}

const busy = (): GuestFailure => new GuestFailure({ code: 'busy', message: 'too many snippets are running' });
