/**
 * Watches the events of runs, whichever process records them. Callers that wait for an end, and drivers that have to
 * stop, are notified from here.
 */
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { streamParts, type EventData, type RecordedEvent } from '@quarterdeck/events';
import type { Subscription } from '@quarterdeck/log/store';
import { EVENT_STORE, LOGGER, type EventStore, type Logger } from '../platform/tokens';

type Listener = (event: RecordedEvent) => void;

export const endTypes: ReadonlySet<string> = new Set([
  'RunSucceeded',
  'RunFailed',
  'RunInterrupted',
  'RunCancelled',
]);

@Injectable()
export class RunNews implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly listeners = new Map<string, Set<Listener>>();
  /** By id of the subject. */
  private readonly requests = new Map<string, Set<Listener>>();
  private subscription: Subscription | undefined;
  private listening: () => void = () => undefined;
  /** Settles when no later event can be missed. */
  readonly ready = new Promise<void>((resolve) => (this.listening = resolve));

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.subscription = this.store.subscribe(await this.store.head(), (events) => this.tell(events), {
      onFault: (error) => this.logger.warn({ err: error }, 'the log could not be read for the runs'),
    });
    this.listening();
  }

  async onModuleDestroy(): Promise<void> {
    await this.subscription?.stop();
  }

  /** Calls back for every later event of the run. @returns a function that stops it */
  follow(run: string, listener: Listener): () => void {
    return listen(this.listeners, run, listener);
  }

  /** Calls back for every later request of a run with this subject. @returns a function that stops it */
  followRequests(subject: string, listener: Listener): () => void {
    return listen(this.requests, subject, listener);
  }

  private tell(events: readonly RecordedEvent[]): void {
    if (this.listeners.size === 0 && this.requests.size === 0) return;
    for (const event of events) {
      const { category, id } = streamParts(event.stream);
      if (category !== 'run') continue;
      this.listeners.get(id)?.forEach((listener) => listener(event));
      if (event.type === 'RunRequested')
        this.requests
          .get((event.data as EventData<'RunRequested'>).subject.id)
          ?.forEach((listener) => listener(event));
    }
  }
}

const listen = (to: Map<string, Set<Listener>>, key: string, listener: Listener): (() => void) => {
  const known = to.get(key) ?? new Set();
  to.set(key, known.add(listener));
  return () => {
    known.delete(listener);
    if (known.size === 0) to.delete(key);
  };
};
