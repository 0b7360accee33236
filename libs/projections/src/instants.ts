/** Answers about an instant of a workspace's history, and about the timeline of its events. */
import { z } from 'zod';
import { difference } from './differences';
import { subjectInPlace } from './history';

export const instantEvent = z
  .strictObject({
    position: z.string(),
    at: z.string(),
    actor: z.string(),
    type: z.string(),
    says: z.string(),
    subject: z.strictObject({
      category: z.string(),
      id: z.string(),
      name: z.string().optional(),
    }),
  })
  .meta({ id: 'InstantEvent' });
export interface InstantEvent extends z.infer<typeof instantEvent> {}

export const instantView = z
  .strictObject({
    /** Send as the `X-At` header. */
    position: z.string(),
    at: z.string(),
    /** The last event up to that instant. */
    event: instantEvent.optional(),
    /** Positions of the events before and after that one. */
    previous: z.string().optional(),
    next: z.string().optional(),
  })
  .meta({ id: 'Instant' });
export interface InstantView extends z.infer<typeof instantView> {}

export const instantStretch = z
  .strictObject({
    /** Time of its last event. */
    at: z.string(),
    position: z.string(),
    events: z.number(),
  })
  .meta({ id: 'InstantStretch' });
export interface InstantStretch extends z.infer<typeof instantStretch> {}

export const instantTimeline = z
  .strictObject({
    /** Both ends are included. */
    from: z.string(),
    to: z.string(),
    events: z.number(),
    /** Only intervals with events, oldest first. */
    stretches: z.array(instantStretch),
  })
  .meta({ id: 'InstantTimeline' });
export interface InstantTimeline extends z.infer<typeof instantTimeline> {}

/** A point on the time line: right after the event at that position. */
export const instantPlace = z
  .strictObject({
    position: z.string(),
    at: z.string(),
  })
  .meta({ id: 'InstantPlace' });
export interface InstantPlace extends z.infer<typeof instantPlace> {}

/** A part of the subject that differs. Its fields after it was added, or those that changed. */
export const changedPart = z
  .strictObject({
    subject: subjectInPlace,
    is: z.enum(['added', 'changed', 'removed']),
    changes: z.array(difference),
  })
  .meta({ id: 'ChangedPart' });
export interface ChangedPart extends z.infer<typeof changedPart> {}

export const instantDifference = z
  .strictObject({
    from: instantPlace,
    to: instantPlace,
    /** Number of events of the subject after the earlier instant, up to and including the later one. */
    events: z.number(),
    /** The fields that differ. */
    changes: z.array(difference),
    /** The parts that differ, and theirs: the last changed first. */
    parts: z.array(changedPart),
    /** Number of further parts with events, which were not compared. */
    furtherParts: z.number(),
  })
  .meta({ id: 'InstantDifference' });
export interface InstantDifference extends z.infer<typeof instantDifference> {}
