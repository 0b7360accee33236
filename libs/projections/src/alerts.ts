/** The alerts of a workspace: raised, delivered, resolved or dismissed. */
import { catalogue } from '@quarterdeck/events/catalogue';
import { z } from 'zod';
import { isStanding, severities, severityOf } from './alert-severity';
import { defineProjection, rowPerStream } from './define-projection';
import type { ListColumn } from './listing';

export const alertDelivery = z.strictObject({
  at: z.string(),
  attempt: z.number(),
  status: z.number().optional(),
  durationMs: z.number(),
  /** Why the delivery failed. */
  reason: z.string().optional(),
  /** When the next attempt is due. */
  nextAt: z.string().optional(),
});
export interface AlertDelivery extends z.infer<typeof alertDelivery> {}

export const alertView = catalogue.AlertRaised.schema
  .extend({
    id: z.string(),
    workspace: z.string(),
    /** `subject.id` again, as a column for queries. */
    subjectId: z.string(),
    state: z.enum(['open', 'resolved', 'dismissed']),
    raisedAt: z.string(),
    raisedPosition: z.string(),
    /** Id of the `AlertRaised` event, or of the reported end. Webhook receivers use it to detect duplicates. */
    eventId: z.string(),
    endedAt: z.string().optional(),
    /** Who dismissed it, or why it was resolved. */
    endedBy: z.string().optional(),
    reason: z.string().optional(),
    /** Who takes care of it. Nothing more is sent about it until it is over. */
    acknowledged: z.strictObject({ at: z.string(), by: z.string(), note: z.string() }).optional(),
    /** Deliveries to the webhook, oldest first. */
    deliveries: z.array(alertDelivery),
    /** When the next delivery to the webhook is due; absent if none is due. */
    nextAttemptAt: z.string().optional(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'Alert' });
export interface AlertView extends z.infer<typeof alertView> {}

/** State of the webhook delivery. */
export const toldInWords = ({
  deliveries,
  nextAttemptAt,
}: Pick<AlertView, 'deliveries' | 'nextAttemptAt'>): string => {
  const last = deliveries.at(-1);
  if (!last) return 'not sent';
  if (last.reason === undefined) return 'delivered';
  const times = deliveries.length === 1 ? 'failed' : `failed ${deliveries.length} times`;
  return nextAttemptAt === undefined ? times : `${times}, retrying`;
};

/** What stands first is what needs somebody, the gravest of it, and the newest. */
export const urgencyOf = (alert: AlertView): string => {
  const { state, raisedAt } = alert;
  if (state !== 'open') return `0 ${raisedAt}`;
  return `${isStanding(alert) ? 2 : 1} ${severities.length - severities.indexOf(severityOf(alert))} ${raisedAt}`;
};

/** Columns for sorting, filtering and searching pages of alerts. */
export const alertColumns = [
  { id: 'says', value: ({ says }) => says },
  {
    id: 'subject',
    value: ({ about, subject }) => (about === 'test' ? undefined : subject.name),
    filter: 'category',
  },
  { id: 'severity', value: severityOf, filter: 'category' },
  { id: 'state', value: ({ state }) => state, filter: 'category' },
  { id: 'told', value: toldInWords, filter: 'category' },
  { id: 'raisedAt', value: ({ raisedAt }) => raisedAt, unsearched: true },
  { id: 'urgency', value: urgencyOf, unsearched: true },
] as const satisfies ListColumn<AlertView>[];

/**
 * Whether the webhook also reports the end of the alert. Problems of backups, schedules, services, sites and servers often end by
 * themselves, hours after the alert was delivered. Other alerts end because somebody acted, so their end is no news.
 */
export const tellsEnd = ({ about }: Pick<AlertView, 'about'>): boolean =>
  /^(backup|drill|schedule|service|site|dns|server|memory|disk|nginx|docker)/.test(about);

/** An alert that was dismissed needs no further delivery. */
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
  ...rowPerStream('alert'),
  evolve: (view, event, key) => {
    const { at, actor, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    // An alert raised again after it was resolved counts as new, because it has not been delivered yet.
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
      case 'AlertResolved': {
        const resolved = { ...ended(view, 'resolved', at), reason: event.data.reason, ...place };
        const wasTold = view.deliveries.some(({ reason }) => reason === undefined);
        return tellsEnd(view) && wasTold
          ? { ...resolved, nextAttemptAt: at, eventId: event.meta.id }
          : resolved;
      }
      case 'AlertDismissed':
        return { ...ended(view, 'dismissed', at), endedBy: actor, ...place };
      case 'AlertAcknowledged': {
        const acknowledged = { at, by: actor, note: event.data.note };
        return { ...view, acknowledged, nextAttemptAt: undefined, ...place };
      }
      case 'AlertAcknowledgementWithdrawn': {
        const { acknowledged: _, ...before } = view;
        return { ...before, ...place };
      }
      case 'AlertDelivered':
        return { ...told(view, { ...event.data, at }), ...place };
      case 'AlertDeliveryFailed': {
        const isDue =
          (view.state === 'open' && !view.acknowledged) ||
          (view.state === 'resolved' && view.nextAttemptAt !== undefined);
        const nextAttemptAt = isDue ? event.data.nextAt : undefined;
        return { ...told(view, { ...event.data, at }), nextAttemptAt, ...place };
      }
      default:
        return view;
    }
  },
});
