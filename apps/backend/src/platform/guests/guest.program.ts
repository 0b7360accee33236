/**
 * The inside of a guest's thread: one QuickJS runtime for each run, in WebAssembly whose memory cannot grow beyond its
 * maximum. QuickJS's own memory limit does not count strings and buffers, so it is not used.
 */
import { randomUUID } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import release from '@jitl/quickjs-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import {
  MAX_LOG,
  MAX_LOGS,
  type Ended,
  type GuestData,
  type Order,
  type Refusal,
  type Report,
} from './messages';
import { strip, SyntaxRefused } from './snippet';

const PAGES_IN_MEGABYTE = 16;
/** Less than the stack of the thread: beyond it, the module itself would break. */
const STACK_BYTES = 128 * 1024;
const COMPILE_MS = 1000;

/**
 * Takes the host's functions out of reach before the snippet's own code runs, and keeps the JSON functions that it
 * needs: a snippet may replace every global.
 */
const PRELUDE = `(() => {
  const { __call, __uuid, __log, __input } = globalThis;
  for (const name of ['__call', '__uuid', '__log', '__input']) delete globalThis[name];
  const { parse, stringify } = JSON;
  const Failure = Error;
  globalThis.call = async (kind, block) => {
    const answer = parse(await __call(String(kind), stringify(block ?? null)));
    if (answer.ok) return answer.value;
    throw new Failure(answer.message);
  };
  globalThis.uuid = () => __uuid();
  globalThis.log = (...texts) => __log(texts.map((one) => typeof one === 'string' ? one : stringify(one) ?? 'undefined').join(' '));
  return async (main) => stringify(await main(parse(__input))) ?? 'null';
})()`;

/** Takes the orders of the host, for as long as the thread lives. */
export const serveGuests = async (): Promise<void> => {
  const { module, megabytes } = workerData as GuestData;
  const tell = (report: Report): void => parentPort?.postMessage(report);
  const guest = await openGuest(module, megabytes, tell);
  parentPort?.on('message', (order: Order) => {
    try {
      guest(order);
    } catch {
      process.exit(1); // The module trapped and cannot be used again. The host takes the end for the answer.
    }
  });
  tell({ is: 'ready' });
};

const openGuest = async (
  module: WebAssembly.Module,
  megabytes: number,
  tell: (report: Report) => void,
): Promise<(order: Order) => void> => {
  const maximum = megabytes * PAGES_IN_MEGABYTE;
  const wasmMemory = new WebAssembly.Memory({ initial: Math.min(256, maximum), maximum });
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(release, { wasmModule: module, wasmMemory }),
  );
  let run: Run | undefined;
  return (order) => {
    if (order.is === 'answer') return run?.take(order);
    if (order.is === 'compile')
      return tell({ is: 'done', logs: [], isReusable: true, ...compile(quickjs, order.ts) });
    run = new Run(quickjs, order, tell);
    run.begin();
  };
};

/** Refuses what is no JavaScript, without running it. */
const compile = (quickjs: QuickJSWASMModule, ts: string): Ended => {
  try {
    const js = strip(ts);
    const runtime = quickjs.newRuntime();
    runtime.setMaxStackSize(STACK_BYTES);
    const deadline = Date.now() + COMPILE_MS;
    runtime.setInterruptHandler(() => Date.now() > deadline);
    const context = runtime.newContext();
    const compiled = context.evalCode(js, 'snippet', { compileOnly: true });
    const refusal = compiled.error && refusalOf(context, compiled.error);
    if (!compiled.error) compiled.value.dispose();
    context.dispose();
    runtime.dispose();
    return refusal ? { ok: false, ...refusal, code: 'refused' } : { ok: true, text: js };
  } catch (error) {
    if (!(error instanceof SyntaxRefused)) throw error;
    return { ok: false, code: 'refused', message: error.message, line: error.line };
  }
};

class Run {
  private readonly runtime;
  private readonly context: QuickJSContext;
  private readonly pending = new Map<number, QuickJSDeferredPromise>();
  private readonly logs: string[] = [];
  private promise: QuickJSHandle | undefined;
  private calls = 0;

  constructor(
    quickjs: QuickJSWASMModule,
    private readonly order: Extract<Order, { is: 'run' }>,
    private readonly tell: (report: Report) => void,
  ) {
    this.runtime = quickjs.newRuntime();
    this.runtime.setMaxStackSize(STACK_BYTES);
    const deadline = Date.now() + order.ms;
    this.runtime.setInterruptHandler(() => Date.now() > deadline);
    this.context = this.runtime.newContext();
  }

  begin(): void {
    const { context, order } = this;
    this.give('__call', (kind, block) => this.call(kind, block));
    this.give('__uuid', () => context.newString(randomUUID()));
    this.give('__log', (text) => this.log(text));
    const input = context.newString(order.input);
    context.setProp(context.global, '__input', input);
    input.dispose();
    const start = context.evalCode(PRELUDE, 'host');
    if (start.error) return this.fail(refusalOf(context, start.error));
    // Declared in a scope of its own: what the snippet does outside of its function is guarded like the rest.
    const main = context.evalCode(`${order.js};main`, 'snippet');
    if (main.error) return this.fail(refusalOf(context, main.error));
    const started = context.callFunction(start.value, context.undefined, main.value);
    start.value.dispose();
    main.value.dispose();
    if (started.error) return this.fail(refusalOf(context, started.error));
    this.promise = started.value;
    this.look();
  }

  take({ seq, ok, text }: Extract<Order, { is: 'answer' }>): void {
    const waiting = this.pending.get(seq);
    if (!waiting) return;
    this.pending.delete(seq);
    const answer = this.context.newString(
      ok ? `{"ok":true,"value":${text}}` : `{"ok":false,"message":${text}}`,
    );
    waiting.resolve(answer);
    answer.dispose();
    waiting.dispose();
    this.look();
  }

  private give(name: string, act: (...args: QuickJSHandle[]) => QuickJSHandle | undefined): void {
    const given = this.context.newFunction(name, (...args) => act(...args) ?? this.context.undefined);
    this.context.setProp(this.context.global, name, given);
    given.dispose();
  }

  private call(kind: QuickJSHandle, block: QuickJSHandle): QuickJSHandle {
    const { mostCalls, mostText } = this.order;
    if (++this.calls > mostCalls) throw new Error(`a snippet makes at most ${mostCalls} calls`);
    const [name, text] = [this.context.getString(kind), this.context.getString(block)];
    if (name.length > 100 || text.length > mostText)
      throw new Error(`the block of a call has at most ${mostText} characters`);
    const seq = this.calls;
    const promise = this.context.newPromise();
    this.pending.set(seq, promise);
    this.tell({ is: 'call', seq, name, text });
    return promise.handle.dup();
  }

  private log(text: QuickJSHandle): undefined {
    if (this.logs.length < MAX_LOGS) this.logs.push(this.context.getString(text).slice(0, MAX_LOG));
  }

  /** Runs what can go on, and tells the end if there is one. */
  private look(): void {
    const { context, promise } = this;
    if (!promise) return;
    const jobs = this.runtime.executePendingJobs();
    if (jobs.error) return this.fail(refusalOf(context, jobs.error));
    const state = context.getPromiseState(promise);
    if (state.type === 'rejected') return this.fail(refusalOf(context, state.error));
    if (state.type === 'pending') {
      if (this.pending.size > 0) return;
      return this.fail({ code: 'refused', message: 'the snippet waits for something that never happens' });
    }
    const text = context.getString(state.value);
    state.value.dispose();
    if (this.pending.size > 0)
      return this.fail({
        code: 'refused',
        message: 'the snippet ended before a call that it made: write `await` before each call',
      });
    const { mostText } = this.order;
    if (text.length > mostText)
      return this.fail({
        code: 'refused',
        message: `the answer has more than ${mostText} characters of JSON`,
      });
    this.end({ ok: true, text });
  }

  private fail(refusal: Refusal): void {
    this.end({ ok: false, ...refusal });
  }

  private end(ended: Ended): void {
    const isReusable = this.pending.size === 0 && (ended.ok || ended.code === 'threw');
    this.tell({ is: 'done', logs: this.logs, isReusable, ...ended });
    this.promise?.dispose();
    this.promise = undefined;
    // With anything left, QuickJS aborts here: the host ends such a thread.
    if (!isReusable) return;
    this.context.dispose();
    this.runtime.dispose();
  }
}

/** Takes the error over. */
const refusalOf = (context: QuickJSContext, error: QuickJSHandle): Refusal => {
  const told: unknown = context.dump(error);
  error.dispose();
  const { name, message = told, stack } = (told ?? {}) as Record<'name' | 'message' | 'stack', unknown>;
  const text = (typeof message === 'string' ? message : (JSON.stringify(message) ?? 'undefined')).slice(
    0,
    MAX_LOG,
  );
  const line = lineOf(stack);
  if (name !== 'InternalError') {
    const isPlain = name === 'Error' || typeof name !== 'string';
    return { code: 'threw', message: isPlain ? text : `${name.slice(0, 100)}: ${text}`, line };
  }
  if (text === 'interrupted') return { code: 'late', message: 'the snippet took too long', line };
  return { code: 'full', message: `the snippet needs too much memory (${text})`, line };
};

const lineOf = (stack: unknown): number | undefined => {
  const found = typeof stack === 'string' ? /\bsnippet:(\d+)/.exec(stack)?.[1] : undefined;
  return found === undefined ? undefined : Number(found);
};
