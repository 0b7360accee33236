/** An instant of a workspace's history, and the time line with the events on it, as calls answer them. */
import { z } from 'zod';
import { difference } from './differences';

export const momentEvent = z
  .strictObject({
    position: z.string(),
    at: z.string(),
    actor: z.string(),
    says: z.string(),
    subject: z.strictObject({
      category: z.string(),
      id: z.string(),
      name: z.string().optional(),
    }),
  })
  .meta({ id: 'MomentEvent' });
export interface MomentEvent extends z.infer<typeof momentEvent> {}

export const momentView = z
  .strictObject({
    /** Send as the `X-At` header. */
    position: z.string(),
    at: z.string(),
    /** The last event up to that instant. */
    event: momentEvent.optional(),
    /** Positions of the events before and after that one. */
    previous: z.string().optional(),
    next: z.string().optional(),
  })
  .meta({ id: 'Moment' });
export interface MomentView extends z.infer<typeof momentView> {}

export const momentStretch = z
  .strictObject({
    /** Time of its last event. */
    at: z.string(),
    position: z.string(),
    events: z.number(),
  })
  .meta({ id: 'MomentStretch' });
export interface MomentStretch extends z.infer<typeof momentStretch> {}

export const momentTimeline = z
  .strictObject({
    /** Both ends are included. */
    from: z.string(),
    to: z.string(),
    events: z.number(),
    /** Only intervals with events, oldest first. */
    stretches: z.array(momentStretch),
  })
  .meta({ id: 'MomentTimeline' });
export interface MomentTimeline extends z.infer<typeof momentTimeline> {}

/** A point on the time line: right after the event at that position. */
export const momentPlace = z
  .strictObject({
    position: z.string(),
    at: z.string(),
  })
  .meta({ id: 'MomentPlace' });
export interface MomentPlace extends z.infer<typeof momentPlace> {}

export const momentDifference = z
  .strictObject({
    from: momentPlace,
    to: momentPlace,
    /** Number of events of the subject after the earlier instant, up to and including the later one. */
    events: z.number(),
    /** The fields that differ. */
    changes: z.array(difference),
  })
  .meta({ id: 'MomentDifference' });
export interface MomentDifference extends z.infer<typeof momentDifference> {}
