/** Plays a recorded output with its timing. Lives outside React, and keeps time in hidden tabs. */
import type { OutputLog } from '../output-log';
import { OutputMoment } from './moment';
import {
  playedAt,
  rateOf,
  timelineOf,
  toPlayed,
  toRecorded,
  type Playhead,
  type Speed,
  type Timeline,
} from './replay-clock';

export interface Span {
  /** Start and end of the run, in milliseconds since 1970. */
  start: number;
  end: number;
  /** Starts of its steps. */
  steps: readonly number[];
}

export interface PlayerOptions {
  speed: Speed;
  skipIdle: boolean;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** A timer, because animation frames stop in a hidden tab. */
const TICK_MS = 40;

export class Player {
  /** The output at the playhead. */
  readonly output: OutputMoment;
  timeline: Timeline;
  speed: Speed;
  skipIdle: boolean;
  /** Incremented by each seek and each start of playback, after which the view scrolls to the newest line. */
  jumps = 0;
  /** Played time at the last update. */
  played: number;
  private head: Playhead;
  private version = 0;
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly listeners = new Set<() => void>();
  private readonly instants: readonly number[];
  private readonly durationMs: number;
  private readonly now: () => number;

  /** Starts at the end, with all output shown. */
  constructor(
    log: OutputLog,
    private readonly span: Span,
    { speed, skipIdle, now = () => performance.now() }: PlayerOptions,
  ) {
    this.now = now;
    this.speed = speed;
    this.skipIdle = skipIdle;
    this.output = new OutputMoment(log);
    const all = [...log.instants, ...span.steps].map((instant) => Math.max(0, instant - span.start));
    // Sorting is fast because the list is nearly in order, and avoids a call with 100,000 arguments.
    this.instants = all.toSorted((a, b) => a - b);
    this.durationMs = Math.max(span.end - span.start, this.instants.at(-1) ?? 0, 1);
    this.timeline = timelineOf(this.instants, this.durationMs, skipIdle);
    this.played = this.timeline.length;
    this.head = { at: this.played, rate: rateOf(speed, this.timeline) };
  }

  get playing(): boolean {
    return this.head.since !== undefined;
  }

  /** Recorded time at the playhead. */
  get recorded(): number {
    return toRecorded(this.timeline, this.played);
  }

  get atEnd(): boolean {
    return this.played >= this.timeline.length;
  }

  /** The instant shown, in milliseconds since 1970. */
  get instant(): number {
    return this.span.start + this.recorded;
  }

  play(): void {
    if (this.playing) return;
    this.head = { at: this.atEnd ? 0 : this.head.at, since: this.now(), rate: this.head.rate };
    this.timer ??= setInterval(this.tick, TICK_MS);
    this.jumps += 1;
    this.tick();
  }

  pause(): void {
    if (!this.playing) return;
    this.stand(this.reached());
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Goes to a recorded time, and keeps playing if it was playing. */
  seek(recorded: number): void {
    this.seekPlayed(toPlayed(this.timeline, recorded));
  }

  seekPlayed(played: number): void {
    const at = Math.min(Math.max(played, 0), this.timeline.length);
    this.jumps += 1;
    if (this.playing && at < this.timeline.length) {
      this.head = { ...this.head, at, since: this.now() };
      this.tick();
    } else this.stand(at);
  }

  setSpeed(speed: Speed): void {
    this.speed = speed;
    this.keepingPlace(() => undefined);
  }

  setSkipIdle(skipIdle: boolean): void {
    this.skipIdle = skipIdle;
    this.keepingPlace(() => (this.timeline = timelineOf(this.instants, this.durationMs, skipIdle)));
  }

  /** Stops the timer. */
  close(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  getVersion = (): number => this.version;

  private keepingPlace(change: () => void): void {
    const { playing } = this;
    const reached = this.reached();
    const atEnd = reached >= this.timeline.length;
    const recorded = toRecorded(this.timeline, reached);
    change();
    const at = atEnd ? this.timeline.length : toPlayed(this.timeline, recorded);
    this.head = { at, rate: rateOf(this.speed, this.timeline), ...(playing && { since: this.now() }) };
    this.tell();
  }

  private stand(at: number): void {
    this.close();
    this.head = { at, rate: this.head.rate };
    this.tell();
  }

  private readonly tick = (): void => {
    if (this.reached() >= this.timeline.length) this.stand(this.timeline.length);
    else this.tell();
  };

  private reached(): number {
    return playedAt(this.head, this.now(), this.timeline);
  }

  private tell(): void {
    this.played = this.reached();
    this.output.goTo(this.atEnd ? Infinity : this.instant);
    this.version += 1;
    for (const listener of this.listeners) listener();
  }
}
