/**
 * One served API in this console: a process that begins with the first request and ends when nobody asks any more. With
 * a port of its own it always runs. A process that ends by itself is replaced at once; one that keeps ending is given
 * longer and longer pauses.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Batch } from './child/counts';
import { withoutReserve, type ServedProcess, type ServedProcesses } from './child-process';
import { CrashPauses } from './crash-pauses';
import { DomainError } from '../platform/errors';
import { sameData } from '../platform/same-data';
import type {
  ApiDescription,
  ListenAddress,
  PortState,
  Replayed,
  ReplayAsked,
  ResetAsked,
  ToConsole,
} from './messages';
import { Line, type LineAnswer, type LineRequest } from './line';
import { isUnreached, NotServed } from './not-served';
import { databaseFor, keep, replay, stop, type ApiSource, type ProcessStart, type Running } from './running';
import { Traffic } from './traffic';
import { Uses } from './uses';

export interface ServedApiOptions {
  /** Default: none in reserve. */
  readonly processes?: Pick<ServedProcesses, 'take'>;
  /** Without requests. */
  readonly idleMs: number;
  readonly onFault: (what: object, message: string) => void;
  /** By id of the endpoint: since the last time. */
  readonly onCounts?: (counts: Batch['counts']) => void;
  /** A user gets an e-mail. */
  readonly onReset?: (asked: ResetAsked) => void;
}

const BEGIN_MS = 30_000;
/** Then requests are answered by the old definition. */
const DEFINE_MS = 5000;
/** What requests under way may still take when the console ends. */
const CLOSE_MS = 2000;

/** After a failed attempt to begin the process of an API with a port of its own. */
const AGAIN_MS = 1000;

export class ServedApi {
  readonly traffic = new Traffic();
  /** Problems of endpoints that cannot be served, by their ids. */
  problems: Readonly<Record<string, string>> = {};
  private beginning: Promise<Running> | undefined;
  private running: Running | undefined;
  /** Those that begin or stop included. */
  private readonly all = new Set<ServedProcess>();
  private readonly uses: Uses;
  /** A process that was begun before the last one of them is out of date. */
  private stops = 0;
  private readonly pauses = new CrashPauses();
  private isClosed = false;
  /** What a process had that ended by itself. The next one gets the same. */
  private left: readonly [ProcessStart, ApiDescription] | undefined;
  private reloading: Promise<void> = Promise.resolve();
  /** Changes that requests wait for. */
  private changes = 0;
  private tellDefined: (() => void) | undefined;
  /** The last process has. */
  private tellEnded: (() => void) | undefined;
  private wanted: ListenAddress | undefined;
  /** What the process has said about it. */
  private told: PortState | undefined;
  /** Why there is no process. */
  private whyNot: string | undefined;
  private again: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: ApiSource,
    private readonly options: ServedApiOptions,
  ) {
    this.uses = new Uses(options.idleMs, () => this.wanted ?? this.stop());
  }

  get pid(): number | undefined {
    return this.running?.process.pid;
  }

  /** Requests that wait for an answer. */
  get underWay(): number {
    return this.uses.underWay;
  }

  /** Position of the definition that answers. */
  get position(): string | undefined {
    return this.running?.position;
  }

  /**
   * Does the work with the path of the socket on which the API listens. It is done again if the process had ended before
   * it could be reached.
   * @throws NotServed
   */
  use<T>(work: (socket: string) => Promise<T>): Promise<T> {
    return this.withProcess(({ socket }) => work(socket));
  }

  /** @throws NotServed, and an error if the process ended before it answered */
  ask(request: LineRequest): Promise<LineAnswer> {
    return this.withProcess((running) => {
      // One that could not connect is of no use any more.
      if (!running.line || running.line.isOver) running.line = new Line(running.socket);
      return running.line.ask(request);
    });
  }

  /**
   * Like `use`. Requests that name the key are answered by this description instead of the present one, for reads.
   * @throws NotServed
   */
  useKept<T>(key: string, description: ApiDescription, work: (socket: string) => Promise<T>): Promise<T> {
    return this.withProcess(async (running) => {
      await keep(running, key, description);
      return work(running.socket);
    });
  }

  /**
   * Both definitions answer all samples, for reads.
   * @throws NotServed
   */
  replay(asked: ReplayAsked): Promise<Replayed> {
    return this.withProcess((running) => replay(running, asked));
  }

  private withProcess<T>(work: (running: Running) => Promise<T>): Promise<T> {
    return this.uses.during(async () => {
      if (this.changes > 0) await this.reloading;
      const running = this.running ?? (await this.ready());
      try {
        return await work(running);
      } catch (error) {
        if (!isUnreached(error)) throw error;
        await running.ended;
        return await work(await this.ready());
      }
    });
  }

  /**
   * Its description has changed. Requests under way are answered by the definition with which they began, and those that
   * come from now on wait for the new one.
   */
  reload(): Promise<void> {
    return this.inTurn(() => this.define());
  }

  /**
   * A database has changed. If it is that of this API, another process takes over: requests under way are answered, and
   * those that come from now on wait for it.
   */
  renew(): Promise<void> {
    return this.inTurn(async () => {
      const running = this.running ?? (await this.beginning?.catch(() => undefined));
      if (!running) return this.keepUp();
      const given = await this.source.begin().catch(() => undefined);
      if (given && sameData(given, running.given)) return;
      this.forget();
      // Its port is left when somebody can take it over.
      if (this.wanted) await this.ready().catch(() => undefined);
      stop(running);
      this.keepUp();
    });
  }

  /** Requests under way are answered. */
  stop(): void {
    const running = this.forget();
    if (running) stop(running);
  }

  /** @param wanted a port of its own, at which its process listens by its description */
  expect(wanted: ListenAddress | undefined): void {
    this.wanted = wanted;
    this.keepUp();
  }

  /** Undefined: it has none. */
  get port(): PortState | undefined {
    const { wanted, told } = this;
    if (!wanted) return undefined;
    const isThere = told?.host === wanted.host && told.port === wanted.port;
    return isThere ? told : { ...wanted, problem: this.whyNot ?? 'its process begins' };
  }

  /** Its processes have ended then, and have said what they counted. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.uses.close();
    clearTimeout(this.again);
    this.running = undefined;
    if (this.all.size === 0) return;
    for (const process of this.all) process.tell({ is: 'stop' });
    const late = setTimeout(() => {
      for (const process of this.all) process.kill();
    }, CLOSE_MS);
    await new Promise<void>((resolve) => (this.tellEnded = resolve));
    clearTimeout(late);
  }

  private inTurn(work: () => Promise<void> | void): Promise<void> {
    this.changes += 1;
    const next = this.reloading.then(work).finally(() => (this.changes -= 1));
    this.reloading = next.catch(() => undefined);
    return next;
  }

  /** Those that come from now on need another process. */
  private forget(): Running | undefined {
    const { running } = this;
    this.running = undefined;
    this.beginning = undefined;
    this.told = undefined;
    this.left = undefined;
    this.stops += 1;
    return running;
  }

  /** Callers of its port cannot begin the process themselves. */
  private keepUp(): void {
    clearTimeout(this.again);
    if (!this.wanted || this.isClosed) return;
    this.ready().then(
      () => (this.whyNot = undefined),
      (error: unknown) => {
        this.whyNot =
          error instanceof DomainError || error instanceof NotServed ? error.message : String(error);
        const wait = Math.max(AGAIN_MS, this.pauses.leftMs());
        this.again = setTimeout(() => this.keepUp(), wait).unref();
      },
    );
  }

  private async define(): Promise<void> {
    const running = this.running ?? (await this.beginning?.catch(() => undefined));
    if (!running) return;
    const description = await this.source.describe();
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, DEFINE_MS);
      this.tellDefined = () => {
        clearTimeout(late);
        resolve();
      };
      running.description = description;
      running.process.tell({ is: 'define', description });
    });
  }

  private ready(): Promise<Running> {
    if (this.running) return Promise.resolve(this.running);
    const wait = this.pauses.leftMs();
    if (wait > 0 || this.isClosed)
      return Promise.reject(
        new NotServed(
          'this API keeps failing: its next attempt comes soon',
          Math.max(1, Math.ceil(wait / 1000)),
        ),
      );
    if (this.beginning) return this.beginning;
    const beginning = this.begin().finally(() => {
      if (this.beginning === beginning) this.beginning = undefined;
    });
    this.beginning = beginning;
    return beginning;
  }

  private async begin(): Promise<Running> {
    const { stops } = this;
    const [given, description] =
      this.left ?? (await Promise.all([this.source.begin(), this.source.describe()]));
    this.left = undefined;
    // Only this account may enter it: whoever reaches the socket is believed to be the console.
    const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-api-'));
    const socket = join(folder, 'http');
    const { database, forwarding } = await databaseFor(given.database, folder, this.source, this.options);
    if (this.isClosed) {
      forwarding?.close();
      rmSync(folder, { recursive: true, force: true });
      throw new NotServed('this console ends', 1);
    }
    return new Promise((resolve, reject) => {
      const seen = { listening: false, defined: false };
      const late = setTimeout(() => running.process.kill(), BEGIN_MS);
      let end: () => void = () => undefined;
      const running: Running = {
        ended: new Promise<void>((settle) => (end = settle)),
        folder,
        socket,
        forwarding,
        since: performance.now(),
        given,
        description,
        kept: new Map(),
        replays: new Map(),
        isStopping: false,
        process: (this.options.processes ?? withoutReserve).take({
          message: (message) => {
            this.hear(running, message);
            if (message.is === 'listening' || message.is === 'defined') seen[message.is] = true;
            if (!seen.listening || !seen.defined || this.running === running || running.isStopping) return;
            clearTimeout(late);
            if (stops !== this.stops) {
              stop(running);
              return reject(new NotServed('this API was changed while it began: try again', 1));
            }
            this.running = running;
            resolve(running);
          },
          exit: (how) => {
            clearTimeout(late);
            this.all.delete(running.process);
            this.ended(running, how);
            if (this.all.size === 0) this.tellEnded?.();
            end();
            reject(new NotServed('this API could not begin: try again', 1));
          },
        }),
      };
      this.all.add(running.process);
      running.process.tell({ is: 'begin', socket, ...given, database });
      running.process.tell({ is: 'define', description });
    });
  }

  private hear(running: Running, message: ToConsole): void {
    if (message.is === 'counts') {
      this.traffic.add(message);
      this.options.onCounts?.(message.counts);
    }
    if (message.is === 'fault') this.options.onFault({ endpoint: message.endpoint }, message.message);
    if (message.is === 'port' && !running.isStopping)
      this.told = { ...message.listens, problem: message.problem };
    if (message.is === 'reset') this.options.onReset?.(message);
    if (message.is === 'replayed') running.replays.get(message.key)?.(message.replayed);
    if (message.is === 'kept') {
      const waiting = running.kept.get(message.key) ?? [];
      running.kept.delete(message.key);
      for (const resolve of waiting) resolve();
    }
    if (message.is !== 'defined') return;
    running.position = message.position;
    this.problems = message.problems;
    this.tellDefined?.();
  }

  private ended(running: Running, how: { code: number | null; signal: string | null; said: string }): void {
    running.forwarding?.close();
    rmSync(running.folder, { recursive: true, force: true });
    const wasReady = this.running === running;
    if (wasReady) this.running = undefined;
    this.tellDefined?.();
    if (running.isStopping || this.isClosed) return;
    this.told = undefined;
    // Nobody waits for the read models then. A change that is under way may have come too late for it.
    if (wasReady && this.changes === 0) this.left = [running.given, running.description];
    // Nothing that it does ends with this signal: it did not fail.
    const wasKilled = wasReady && how.signal === 'SIGKILL';
    this.pauses.crashed(wasKilled ? Infinity : performance.now() - running.since);
    this.options.onFault({ ...how, crashes: this.pauses.crashes }, 'the process of a served API ended');
    // Somebody is waiting, so the next one begins before they ask again.
    if (this.uses.underWay > 0 && this.pauses.leftMs() <= 0) this.ready().catch(() => undefined);
    this.keepUp();
  }
}
