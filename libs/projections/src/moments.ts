/** An instant of a workspace's history, and the line of time with what happened on it, as they are answered. */
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
    /** What calls about it are asked with. */
    position: z.string(),
    at: z.string(),
    /** What had happened last. */
    event: momentEvent.optional(),
    /** Positions of the events before and after that one. */
    previous: z.string().optional(),
    next: z.string().optional(),
  })
  .meta({ id: 'Moment' });
export interface MomentView extends z.infer<typeof momentView> {}

export const momentStretch = z
  .strictObject({
    /** Of its last event. */
    at: z.string(),
    position: z.string(),
    events: z.number(),
  })
  .meta({ id: 'MomentStretch' });
export interface MomentStretch extends z.infer<typeof momentStretch> {}

export const momentTimeline = z
  .strictObject({
    /** Between these, both ends included. */
    from: z.string(),
    to: z.string(),
    events: z.number(),
    /** Those in which something happened, oldest first. */
    stretches: z.array(momentStretch),
  })
  .meta({ id: 'MomentTimeline' });
export interface MomentTimeline extends z.infer<typeof momentTimeline> {}

/** A place on the line of time: right after the event at that position. */
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
    /** How many events of the subject lie between: after the earlier instant, up to the later one. */
    events: z.number(),
    /** The fields that are not the same at both. */
    changes: z.array(difference),
  })
  .meta({ id: 'MomentDifference' });
export interface MomentDifference extends z.infer<typeof momentDifference> {}
