/** The alerts of a workspace: raised, told, resolved or dismissed. */
import { streamParts } from '@quarterdeck/events';
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { defineProjection } from './define-projection';

export const alertDelivery = z.strictObject({
  at: z.string(),
  attempt: z.number(),
  status: z.number().optional(),
  durationMs: z.number(),
  /** Why it did not arrive. */
  reason: z.string().optional(),
  /** When it is tried again. */
  nextAt: z.string().optional(),
});
export interface AlertDelivery extends z.infer<typeof alertDelivery> {}

export const alertView = catalogue.AlertRaised.schema
  .extend({
    id: z.string(),
    workspace: z.string(),
    /** `subject.id` again, where a query can find it. */
    subjectId: z.string(),
    state: z.enum(['open', 'resolved', 'dismissed']),
    raisedAt: z.string(),
    raisedPosition: z.string(),
    /** Of the event that raised it: what the webhook tells repetitions apart by. */
    eventId: z.string(),
    endedAt: z.string().optional(),
    /** Who dismissed it, or why it was resolved. */
    endedBy: z.string().optional(),
    reason: z.string().optional(),
    /** To the webhook, oldest first. */
    deliveries: z.array(alertDelivery),
    /** When the next delivery to the webhook is due; absent if none is due. */
    nextAttemptAt: z.string().optional(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Alert' });
export interface AlertView extends z.infer<typeof alertView> {}

/** Whoever ended it knows of it, and what is over is no news: nobody is told of it any more. */
const ended = (view: AlertView, state: AlertView['state'], at: string): AlertView => ({
  ...view,
  state,
  endedAt: at,
  nextAttemptAt: undefined,
});

const told = (view: AlertView, delivery: AlertDelivery): AlertView => ({
  ...view,
  deliveries: [...view.deliveries, delivery],
  nextAttemptAt: undefined,
});

export const alerts = defineProjection<AlertView>({
  name: 'alerts',
  version: 2,
  columns: { state: 'text', subjectId: 'text', raisedPosition: 'bigint', nextAttemptAt: 'timestamptz' },
  indexes: [
    '(workspace, "raisedPosition" desc)',
    '(workspace, "subjectId")',
    `("subjectId") where state = 'open'`,
    '("nextAttemptAt") where "nextAttemptAt" is not null',
  ],
  keys: (event) => {
    const { category, id } = streamParts(event.stream);
    return category === 'alert' ? [id] : [];
  },
  evolve: (view, event, key) => {
    const { at, actor, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    // Also when it is raised again, after it was resolved: who is told then was not told before.
    if (event.type === 'AlertRaised')
      return {
        ...event.data,
        id: key,
        workspace,
        subjectId: event.data.subject.id,
        state: 'open',
        raisedAt: at,
        raisedPosition: event.position,
        eventId: event.meta.id,
        deliveries: [],
        nextAttemptAt: at,
        ...place,
      };
    if (!view) return undefined;
    switch (event.type) {
      case 'AlertResolved':
        return { ...ended(view, 'resolved', at), reason: event.data.reason, ...place };
      case 'AlertDismissed':
        return { ...ended(view, 'dismissed', at), endedBy: actor, ...place };
      case 'AlertDelivered':
        return { ...told(view, { ...event.data, at }), ...place };
      case 'AlertDeliveryFailed': {
        const nextAttemptAt = view.state === 'open' ? event.data.nextAt : undefined;
        return { ...told(view, { ...event.data, at }), nextAttemptAt, ...place };
      }
      default:
        return view;
    }
  },
});
