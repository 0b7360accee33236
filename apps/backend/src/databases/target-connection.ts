/** The conversation with a product database over one stream: its limits, and the reason for which it was closed. */
import {
  AnswerTooLarge,
  BoundedStream,
  MAX_ANSWER_BYTES,
  MAX_ANSWER_ROWS,
  MAX_ANSWER_VALUES,
} from './bounded-stream';

export type Row = Readonly<Record<string, unknown>>;

export interface Patience {
  readonly connectMs: number;
  /** How long a statement may wait for a lock held by other programs. */
  readonly lockMs: number;
  /** Closes the connection at once. A question under way fails with the signal's reason. */
  readonly signal?: AbortSignal;
  /** How long the whole conversation may take. Default: as long as it needs. */
  readonly totalMs?: number;
}

export const PATIENCE: Patience = { connectMs: 10_000, lockMs: 30_000 };

/** How long a database may take for an answer. It is longer than the wait for a lock. */
export const ANSWER_MS = 60_000;
const GOODBYE_MS = 1000;
/** How long a driver may take to report that its stream was closed. */
const DRIVER_MS = 500;

/** Tells how it ended. */
type Work<T, More extends unknown[] = []> = (
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
  ...more: More
) => void;

export class TargetConnection {
  /** Why it was closed. */
  private reason: Error | undefined;
  /** Each question under way. Cheaper than an `AbortSignal`, whose listeners cost as much as the rest of a question. */
  private readonly waiting = new Set<(reason: Error) => void>();
  private values = 0;

  /** Whether it was closed by one side, or is about to be. */
  get isClosed(): boolean {
    return this.reason !== undefined;
  }

  constructor(
    private readonly address: { host: string; port: number; password: string },
    readonly stream: BoundedStream,
    { signal, totalMs = Infinity }: Patience,
  ) {
    const timer = this.closeAfter(totalMs);
    // A lost connection is reported by the query that needs it. Without a listener it would end this process.
    stream.on('error', (error) => {
      if (error instanceof AnswerTooLarge) this.close(error);
      else this.closeSoon(error);
    });
    const abort = () => this.close(signal?.reason as Error);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
    stream.once('close', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.closeSoon();
    });
  }

  private closeAfter(ms: number): NodeJS.Timeout | undefined {
    return ms === Infinity ? undefined : setTimeout(() => this.close(tooLate(this.address, ms)), ms);
  }

  /** The driver knows better why the server closed the connection, but does not always say so. */
  private closeSoon(reason?: Error): void {
    setTimeout(() => this.close(reason), DRIVER_MS).unref();
  }

  close(reason: Error = lost()): void {
    if (this.reason === undefined) {
      this.reason = reason;
      for (const stop of this.waiting) stop(reason);
      this.waiting.clear();
    }
    this.stream.destroy();
  }

  /**
   * Does the work, and closes the connection if it takes longer. Drivers report a closed connection in words of their
   * own, or never: the reason for which it was closed is thrown instead.
   */
  within<T>(withinMs: number, work: () => Promise<T>): Promise<T> {
    return this.settled(withinMs, (resolve, reject) => void work().then(resolve, reject));
  }

  private settled<T>(withinMs: number, work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const timer = this.closeAfter(withinMs);
      const stop = (reason: Error): void => {
        clearTimeout(timer);
        this.waiting.delete(stop);
        reject(reason);
      };
      const fail = (error: unknown): void => {
        if (error instanceof Error) error.message = saidBy(error, this.address.password);
        stop(this.reason ?? (error as Error));
      };
      if (this.reason === undefined) this.waiting.add(stop);
      else stop(this.reason);
      const succeed = (value: T): void => {
        clearTimeout(timer);
        this.waiting.delete(stop);
        resolve(value);
      };
      try {
        work(succeed, fail);
      } catch (error) {
        fail(error);
      }
    });
  }

  /** Counts the values of a row. */
  took(values: number): void {
    this.values += values;
    if (this.values > MAX_ANSWER_VALUES) this.close(new AnswerTooLarge(`${MAX_ANSWER_VALUES} values`));
  }

  ask<T>(withinMs: number, work: Work<T, [onRow: () => void]>): Promise<T> {
    if (this.stream.destroyed || this.stream.writableEnded) return Promise.reject(this.reason ?? lost());
    this.stream.expect(MAX_ANSWER_BYTES);
    this.values = 0;
    let rows = 0;
    const onRow = () => {
      rows += 1;
      if (rows > MAX_ANSWER_ROWS) this.close(new AnswerTooLarge(`${MAX_ANSWER_ROWS} rows`));
    };
    return this.settled(withinMs, (resolve, reject) => work(resolve, reject, onRow));
  }

  async end(goodbye: () => Promise<unknown>): Promise<void> {
    await this.within(GOODBYE_MS, goodbye).catch(() => undefined);
    this.close();
  }
}

const MAX_SAID = 500;

/** The forms in which a server may quote a password: as it was sent, or as it is in an address or a log. */
const formsOf = (password: string): string[] => {
  const bytes = Buffer.from(password);
  return [
    password,
    encodeURIComponent(password),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
  ];
};

/** What a database or its driver says, as one bounded line without the password. */
export const saidBy = (error: unknown, password: string): string => {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.slice(0, 10 * MAX_SAID).replaceAll(/[\s\p{Cc}]+/gu, ' ');
  const forms = password.length < 4 ? [] : formsOf(password);
  const masked = forms.reduce((text, form) => text.replaceAll(form, '*******'), line);
  return masked.length > MAX_SAID ? `${masked.slice(0, MAX_SAID)}…` : masked;
};

const lost = (): Error =>
  Object.assign(new Error('Connection terminated'), { code: 'PROTOCOL_CONNECTION_LOST' });

const tooLate = ({ host, port }: { host: string; port: number }, withinMs: number): Error =>
  Object.assign(new Error(`${host} port ${port} gave no answer within ${withinMs / 1000} s`), {
    code: 'ETIMEDOUT',
  });
