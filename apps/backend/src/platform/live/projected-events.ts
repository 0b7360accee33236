/**
 * Every event that the read models show, in order and once, whichever process recorded or applied it. Events applied by
 * this process arrive directly. All others are read from the log. Read models that were built from a whole log are
 * millions of events ahead at once: a listener that can look anew is told so instead.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { comparePositions, laterOf, START, type Position, type RecordedEvent } from '@quarterdeck/events';
import type { EventStore, ProjectionRunner } from '../tokens';

const PAGE = 500;
const RETRY_MS = 200;
/** About a quarter of a second of work for each listener. After that, looking anew is cheaper. */
const MAX_PAGES = 20;

interface ProjectedListener {
  heard(events: readonly RecordedEvent[]): void;
  /**
   * The read models are so far ahead that the events up to `position` are left out. Without it, all of them are heard,
   * however long that takes.
   */
  leftBehind?(position: Position): void;
  onFault(error: unknown): void;
}

export class ProjectedEvents {
  /** Position of the last delivered event. */
  position: Position = START;
  private reached: Position = START;
  private reading = false;
  private stopped = false;
  private stopListening: (() => void) | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly projections: ProjectionRunner,
    private readonly listener: ProjectedListener,
  ) {}

  /** @param from position of the read models when this process started: earlier events are not delivered */
  start(from: Position): void {
    this.position = from;
    this.reached = from;
    this.stopListening = this.projections.onProjected((position, events) => this.projected(position, events));
    this.projected(this.projections.position());
  }

  stop(): void {
    this.stopped = true;
    this.stopListening?.();
  }

  private projected(position: Position, events?: RecordedEvent[]): void {
    const gapless = this.position === this.reached && !this.reading;
    this.reached = laterOf(this.reached, position);
    if (events && gapless) this.pass(events, position);
    else if (!this.reading) void this.readUpToReached();
  }

  private pass(events: readonly RecordedEvent[], position: Position): void {
    // After a crash of Postgres the read models may announce positions again.
    const fresh = events.filter((event) => comparePositions(event.position, this.position) > 0);
    this.position = laterOf(this.position, position);
    if (fresh.length > 0) this.listener.heard(fresh);
  }

  private async readUpToReached(): Promise<void> {
    this.reading = true;
    for (let pages = 0; !this.stopped && comparePositions(this.position, this.reached) < 0; pages += 1) {
      if (pages >= MAX_PAGES && this.listener.leftBehind) {
        this.position = this.reached;
        this.listener.leftBehind(this.position);
        break;
      }
      try {
        const target = this.reached;
        const page = await this.store.readAll(this.position, { limit: PAGE });
        const shown = page.filter((event) => comparePositions(event.position, target) <= 0);
        const last = shown.at(-1);
        this.pass(shown, shown.length === PAGE && last ? last.position : target);
      } catch (error) {
        this.listener.onFault(error);
        await sleep(RETRY_MS);
      }
    }
    this.reading = false;
  }
}
