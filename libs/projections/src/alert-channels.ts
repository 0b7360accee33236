/** The messages to alert channels, and what a channel wants. */
import type { alertChannel, ValuesOf } from '@quarterdeck/events';
import { z } from 'zod';
import { isAtLeast } from './alert-severity';
import type { AlertView } from './alerts';
import { defineProjection, rowPerStream } from './define-projection';

export type ChannelFields = ValuesOf<typeof alertChannel>;
type Area = keyof ChannelFields['wants'];

/** What an alert is about, as channels choose it. A test of the webhook concerns only its sender. */
const areas: Record<Exclude<AlertView['about'], 'test'>, Area> = {
  certificateExpiry: 'certificates',
  siteDown: 'sites',
  dnsMoved: 'sites',
  configDrifted: 'sites',
  serviceDown: 'services',
  deployFailed: 'services',
  deployApproval: 'services',
  machineGone: 'servers',
  machineMoved: 'servers',
  serverUnreachable: 'servers',
  serverOverloaded: 'servers',
  memoryFull: 'servers',
  diskFull: 'servers',
  nginxStopped: 'servers',
  dockerStopped: 'servers',
  hostKeyChanged: 'servers',
  cloudDatabaseGone: 'databases',
  cloudDatabaseMoved: 'databases',
  cloudRefused: 'cloud',
  backupFailed: 'backups',
  backupOverdue: 'backups',
  drillFailed: 'backups',
  drillOverdue: 'backups',
  archivesNotRemoved: 'backups',
  workflowAsks: 'workflows',
  workflowTells: 'workflows',
  workflowTrigger: 'workflows',
  scheduleFailed: 'workflows',
  foreignEvents: 'console',
  logCut: 'console',
  channelFailed: 'console',
};

/** A test of the webhook concerns only its sender, and that a channel fails is told to the other channels. */
export const mayGet = (
  { id }: { id: string },
  { about, subjectId }: Pick<AlertView, 'about' | 'subjectId'>,
): boolean => about !== 'test' && subjectId !== id;

/** Whether a channel wants an alert that no rule covers. */
export const isWantedBy = (
  { leastSeverity, wants, ...channel }: Pick<ChannelFields, 'leastSeverity' | 'wants'> & { id: string },
  alert: Pick<AlertView, 'about' | 'threshold' | 'subjectId'>,
): boolean =>
  alert.about !== 'test' &&
  mayGet(channel, alert) &&
  wants[areas[alert.about]] &&
  isAtLeast(alert, leastSeverity);

/** Tells an alert from one with the same id that was raised again. */
export const alertKey = ({ id, raisedAt }: Pick<AlertView, 'id' | 'raisedAt'>): string => `${id} ${raisedAt}`;

const attempt = z.strictObject({
  at: z.string(),
  attempt: z.int(),
  /** Absent while the attempt is under way, and for ever if the process ended during it. */
  durationMs: z.int().optional(),
  /** What the receiver answered, or why it did not. */
  says: z.string().optional(),
  delivered: z.boolean().optional(),
});

export const alertMessageView = z
  .strictObject({
    id: z.string(),
    workspace: z.string(),
    channel: z.strictObject({ id: z.string(), name: z.string() }),
    channelId: z.string(),
    /** `over`: it tells the end of its alerts. */
    is: z.enum(['raised', 'over', 'test']),
    alerts: z.array(z.strictObject({ id: z.string(), raisedAt: z.string(), moment: z.string().optional() })),
    /** The rules by which it is sent. Absent if none covers its alerts. */
    rules: z.array(z.strictObject({ id: z.string(), name: z.string() })).optional(),
    alertIds: z.array(z.string()),
    alertKeys: z.array(z.string()),
    /** `dropped`: its alerts were over before it arrived. */
    state: z.enum(['waiting', 'delivered', 'failed', 'dropped']),
    /** Its alerts are not over yet, or nobody has looked. */
    isFollowed: z.boolean(),
    queuedAt: z.string(),
    /** When it arrived, or the last attempt failed. */
    settledAt: z.string().optional(),
    attempts: z.array(attempt),
    nextAttemptAt: z.string().optional(),
    /** Until then the receiver wants no message at all. */
    restsUntil: z.string().optional(),
    /** Why its alerts are over. */
    reason: z.string().optional(),
    revision: z.number(),
    position: z.string(),
  })
  .meta({ id: 'AlertMessage' });
export interface AlertMessageView extends z.infer<typeof alertMessageView> {}

/** An attempt without an outcome: it may have arrived. */
export const isUncertain = ({ attempts }: Pick<AlertMessageView, 'attempts'>): boolean =>
  attempts.length > 0 && attempts.at(-1)?.delivered === undefined;

const settled = (
  view: AlertMessageView,
  outcome: Partial<AlertMessageView['attempts'][number]>,
): AlertMessageView['attempts'] =>
  view.attempts.map((one, at) => (at === view.attempts.length - 1 ? { ...one, ...outcome } : one));

export const alertMessages = defineProjection<AlertMessageView>({
  name: 'alert_messages',
  version: 2,
  columns: {
    channelId: 'text',
    state: 'text',
    is: 'text',
    isFollowed: 'boolean',
    alertIds: 'text[]',
    alertKeys: 'text[]',
    settledAt: 'timestamptz',
    nextAttemptAt: 'timestamptz',
    restsUntil: 'timestamptz',
    queuedAt: 'timestamptz',
  },
  indexes: [
    '(workspace, "channelId", "queuedAt")',
    'using gin ("alertKeys")',
    '("channelId", "settledAt") where "settledAt" is not null',
    '("channelId", "nextAttemptAt") where "nextAttemptAt" is not null',
    '("channelId", "restsUntil") where "restsUntil" is not null',
    '(id) where "isFollowed"',
  ],
  ...rowPerStream('alertMessage'),
  evolve: (view, event, key) => {
    const { at, workspace } = event.meta;
    const place = { revision: event.revision, position: event.position };
    if (event.type === 'AlertMessageQueued') {
      const { channel, is, alerts, rules } = event.data;
      return {
        id: key,
        workspace,
        channel,
        channelId: channel.id,
        is,
        alerts,
        ...(rules && { rules }),
        alertIds: alerts.map(({ id }) => id),
        alertKeys: alerts.map(alertKey),
        state: 'waiting',
        isFollowed: is === 'raised',
        queuedAt: at,
        attempts: [],
        // A test is sent by the call that asks for it.
        nextAttemptAt: is === 'test' ? undefined : at,
        ...place,
      };
    }
    if (!view) return undefined;
    switch (event.type) {
      case 'AlertMessageAttempted':
        return { ...view, attempts: [...view.attempts, { at, attempt: event.data.attempt }], ...place };
      case 'AlertMessageDelivered': {
        const { durationMs, says } = event.data;
        return {
          ...view,
          attempts: settled(view, { durationMs, says, delivered: true }),
          state: 'delivered',
          settledAt: at,
          nextAttemptAt: undefined,
          ...place,
        };
      }
      case 'AlertMessageFailed': {
        const { durationMs, reason, nextAt, restsUntil } = event.data;
        const isLast = nextAt === undefined;
        return {
          ...view,
          attempts: settled(view, { durationMs, says: reason, delivered: false }),
          state: isLast ? 'failed' : 'waiting',
          isFollowed: view.isFollowed && !isLast,
          ...(isLast && { settledAt: at }),
          nextAttemptAt: nextAt,
          ...(restsUntil !== undefined && { restsUntil }),
          ...place,
        };
      }
      case 'AlertMessageEnded': {
        const { tells, reason } = event.data;
        const ended = { ...view, isFollowed: false, reason, ...place };
        // Attempts to tell the end are no repetitions, even if it is not known whether the last one arrived.
        const attempts = isUncertain(view) ? settled(view, { delivered: false }) : view.attempts;
        if (tells) return { ...ended, attempts, is: 'over', state: 'waiting', nextAttemptAt: at };
        return {
          ...ended,
          state: view.state === 'waiting' ? 'dropped' : view.state,
          nextAttemptAt: undefined,
        };
      }
      default:
        return view;
    }
  },
});
