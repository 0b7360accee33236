/** What is recorded of an attempt, and of the end of the alerts of a message. Pure. */
import type { ChannelKind, EventData } from '@quarterdeck/events';
import { tellsEnd, type AlertMessageView, type AlertView } from '@quarterdeck/projections';
import { nextAttemptAfter } from '../alerts';
import type { MessageOutcome } from './alert-messages.decider';
import type { Verdict } from './vendors';

interface Attempt {
  attempt: number;
  beganAt: Date;
  endedAt: Date;
  /** A test is sent only once: its sender waits for the outcome. */
  once?: true;
}

/** A receiver that wants to be left alone is not asked earlier. */
export const outcomeOf = (
  { attempt, beganAt, endedAt, once }: Attempt,
  { delivered, says, waitMs = 0 }: Verdict,
): MessageOutcome => {
  const durationMs = endedAt.getTime() - beganAt.getTime();
  if (delivered) return { type: 'AlertMessageDelivered', data: { attempt, durationMs, says } };
  const planned = once ? undefined : nextAttemptAfter(attempt, endedAt);
  const earliest = new Date(endedAt.getTime() + waitMs).toISOString();
  const nextAt = planned !== undefined && planned < earliest ? earliest : planned;
  const later = { ...(nextAt !== undefined && { nextAt }), ...(waitMs > 0 && { restsUntil: earliest }) };
  return { type: 'AlertMessageFailed', data: { attempt, durationMs, reason: says, ...later } };
};

/**
 * PagerDuty keeps an incident open until it is resolved there. So it gets the end even if it is not known whether the
 * message arrived. Other channels get the end only if the message arrived, and if the end is news: once, if the message was
 * repeated.
 */
export const endOf = (
  { state, attempts }: Pick<AlertMessageView, 'state' | 'attempts'>,
  kind: ChannelKind | null,
  alerts: readonly AlertView[],
  isRepeated = false,
): EventData<'AlertMessageEnded'> => {
  if (kind === null) return { tells: false, reason: 'the channel was removed' };
  const mayHave = kind === 'PagerDuty' && attempts.length > 0;
  const isNews = alerts.some((alert) => alert.state === 'resolved' && tellsEnd(alert));
  const reasons = alerts.map((alert) =>
    alert.state === 'dismissed' ? 'the alert was dismissed' : (alert.reason ?? 'the alert is over'),
  );
  return {
    tells: mayHave || (state === 'delivered' && isNews && !isRepeated),
    reason: [...new Set(reasons)].slice(0, 3).join('; ') || 'the alerts are gone',
  };
};
