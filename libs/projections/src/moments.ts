/** An instant of a workspace's history, and the line of time with what happened on it, as they are answered. */
import type { Position } from '@quarterdeck/events';
import type { Difference } from './differences';

export interface MomentEvent {
  position: Position;
  at: string;
  actor: string;
  says: string;
  subject: { category: string; id: string; name?: string };
}

export interface MomentView {
  /** What calls about it are asked with. */
  position: Position;
  at: string;
  /** What had happened last. */
  event?: MomentEvent;
  /** Positions of the events before and after that one. */
  previous?: Position;
  next?: Position;
}

export interface MomentStretch {
  /** Of its last event. */
  at: string;
  position: Position;
  events: number;
}

export interface MomentTimeline {
  /** Between these, both ends included. */
  from: string;
  to: string;
  events: number;
  /** Those in which something happened, oldest first. */
  stretches: MomentStretch[];
}

/** A place on the line of time: right after the event at that position. */
export interface MomentPlace {
  position: Position;
  at: string;
}

export interface MomentDifference {
  from: MomentPlace;
  to: MomentPlace;
  /** How many events of the subject lie between: after the earlier instant, up to the later one. */
  events: number;
  /** The fields that are not the same at both. */
  changes: Difference[];
}
