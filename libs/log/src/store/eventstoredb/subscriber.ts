import { convertToCommandError } from '@eventstore/db-client';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { keepUp } from '../../backoff';
import { comparePositions, type Position } from '../../envelope';
import type { KeptBatchHandler, KeptEvent } from '../engine';
import type { Subscription, SubscriptionOptions } from '../event-store';
import { deliver, report } from '../subscriber';
import type { Connection } from './connection';
import { eventIn, type Names } from './events';
import type { Leader } from './leader';
import { subscribeRequest } from './requests';

const CONNECT_MS = 5_000;

/**
 * Follows our events in `$all`. The server's subscriptions end for good at the first fault, so this one starts again
 * after the last event that the handler finished. It does not use the server's checkpoints, because they run ahead of
 * the handler.
 */
export class CatchUpSubscriber implements Subscription {
  readonly #stopped = new AbortController();
  readonly #loop: Promise<void>;

  constructor(
    private readonly leader: Leader,
    private readonly names: Names,
    private after: Position,
    private readonly handler: KeptBatchHandler,
    private readonly options: SubscriptionOptions,
    private readonly head: () => Promise<Position>,
    private readonly onStop: (subscriber: CatchUpSubscriber) => void,
  ) {
    this.#loop = keepUp(
      this.#stopped.signal,
      (works) => this.#follow(works),
      (error) => report(options.onFault, error),
    );
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.onStop(this);
    await this.#loop;
  }

  /** One subscription on the server, until it breaks or is stopped. */
  async #follow(onDelivered: () => void): Promise<void> {
    const { signal } = this.#stopped;
    const target = await this.head();
    let behind = true;
    const connection = await this.leader.connection(Date.now() + CONNECT_MS);
    const source = new Source(connection, subscribeRequest(this.after, this.names.filter), signal);
    try {
      while (!signal.aborted) {
        const batch = this.#take(source);
        if (batch.length > 0) {
          behind = true;
          if (!(await deliver(batch, this.handler, this.options, signal))) return;
          this.after = batch.at(-1)?.position ?? this.after;
          onDelivered();
          continue;
        }
        if (behind && comparePositions(this.after, target) >= 0) {
          behind = false;
          this.options.onCaughtUp?.();
        }
        await source.more();
      }
    } catch (error) {
      this.leader.failed(connection, error);
      throw error;
    } finally {
      source.close();
    }
  }

  /** The events that have arrived. After a resumption the server may send some again that were delivered before. */
  #take(source: Source): KeptEvent[] {
    const { batchSize = 500 } = this.options;
    const batch: KeptEvent[] = [];
    let last = this.after;
    while (batch.length < batchSize) {
      const answer = source.take();
      if (!answer) break;
      const raw = eventIn(answer);
      const event = raw && this.names.kept(raw);
      if (!event || comparePositions(event.position, last) <= 0) continue;
      batch.push(event);
      last = event.position;
    }
    return batch;
  }
}

/** Pulls from the server's stream: it takes no more than fits into a batch, so a slow handler slows the server down. */
class Source {
  readonly #stream: ReturnType<Connection['subscribe']>['call'];
  #fault: { error: unknown } | undefined;
  #wake: () => void = () => undefined;

  constructor(
    private readonly connection: Connection,
    request: streams.ReadReq,
    private readonly signal: AbortSignal,
  ) {
    const { call, leave } = connection.subscribe(request);
    this.#stream = call;
    const wake = () => this.#wake();
    const fail = (error: unknown) => {
      this.#fault ??= { error: convertToCommandError(error as Error) };
      this.#wake();
    };
    call.on('readable', wake);
    call.on('error', fail);
    call.on('end', () => fail(new Error('the server ended the subscription')));
    signal.addEventListener('abort', wake, { once: true });
    this.close = () => {
      signal.removeEventListener('abort', wake);
      leave();
    };
  }

  /** An abandoned call that is not cancelled stays open on the server, and counts towards its limit. */
  readonly close: () => void;

  take(): streams.ReadResp | undefined {
    const answer = (this.#stream.read() as streams.ReadResp | null) ?? undefined;
    if (answer) this.connection.heard();
    return answer;
  }

  async more(): Promise<void> {
    const arrived = new Promise<void>((resolve) => (this.#wake = resolve));
    if (this.#fault) throw this.#fault.error;
    if (this.#stream.readableLength > 0 || this.signal.aborted) return;
    await arrived;
  }
}
