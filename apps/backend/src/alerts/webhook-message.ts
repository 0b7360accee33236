/** Body, signature and retries of webhook deliveries. Pure. */
import type { AlertView } from '@quarterdeck/projections';
import type { OutboundAnswer } from '../platform/outbound';
import { signatureOf } from '../platform/webhook-signature';
import type { DeliveryOutcome } from './alerts.decider';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Pauses after each failed attempt: short for a receiver that restarts, then longer. The last of the eight attempts
 * comes after nearly a day, so that somebody has a working day for the repair.
 */
const PAUSES_MS = [10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 15 * HOUR];
export const MAX_ATTEMPTS = PAUSES_MS.length + 1;

/** The body of the answer is not used, and at most this much of it is read. */
export const MAX_ANSWER_BYTES = 64 * 1024;
export const DELIVERY_TIMEOUT_MS = 10_000;

/** When to retry after attempt number `attempt` failed at `at`; `undefined` if there are no more retries. */
export const nextAttemptAfter = (attempt: number, at: Date): string | undefined => {
  const pause = PAUSES_MS[attempt - 1];
  return pause === undefined ? undefined : new Date(at.getTime() + pause).toISOString();
};

export interface Sender {
  workspace: { id: string; name: string };
  /** Address of the console, if known. */
  publicUrl?: string | undefined;
}

const isOver = ({ state }: AlertView): boolean => state === 'resolved';
const eventOf = (alert: AlertView): string => (isOver(alert) ? 'alert.resolved' : 'alert.raised');

/** Byte for byte the same at every attempt, so that receivers can recognise repetitions by it too. */
export const deliveryBody = (alert: AlertView, { workspace, publicUrl }: Sender): string => {
  const { id, about, says, threshold, notAfter, subject, reason } = alert;
  const link = publicUrl === undefined ? {} : { link: `${publicUrl}/app/domain/alerts?alert=${id}` };
  return JSON.stringify({
    id: alert.eventId,
    event: eventOf(alert),
    at: isOver(alert) ? alert.endedAt : alert.raisedAt,
    workspace,
    alert: { id, about, says, threshold, notAfter, subject, ...(isOver(alert) && { reason }) },
    ...link,
  });
};

export const deliveryHeaders = (
  alert: AlertView,
  body: string,
  secret: string,
  at: Date,
): Record<string, string> => ({
  'content-type': 'application/json',
  'x-quarterdeck-event': eventOf(alert),
  'x-quarterdeck-id': alert.eventId,
  'x-quarterdeck-signature': signatureOf(body, secret, at),
});

interface Attempt {
  attempt: number;
  at: Date;
  durationMs: number;
  /** A test is sent only once: its sender waits for the outcome. */
  once: boolean;
}

const refusalOf = ({ status, headers }: OutboundAnswer): string =>
  status >= 300 && status < 400 && headers.location !== undefined
    ? `status ${status}: redirects are not followed; enter the final address`
    : `status ${status}`;

/** Outcome of an attempt: an answer, or the reason why there was none. */
export const outcomeOf = (
  { attempt, at, durationMs, once }: Attempt,
  result: { answer: OutboundAnswer } | { reason: string },
): DeliveryOutcome => {
  const status = 'answer' in result ? result.answer.status : undefined;
  if (status !== undefined && status >= 200 && status < 300)
    return { type: 'AlertDelivered', data: { attempt, status, durationMs } };
  const reason = 'answer' in result ? refusalOf(result.answer) : result.reason;
  const nextAt = once ? undefined : nextAttemptAfter(attempt, at);
  return {
    type: 'AlertDeliveryFailed',
    data: {
      attempt,
      ...(status === undefined ? {} : { status }),
      reason,
      durationMs,
      ...(nextAt === undefined ? {} : { nextAt }),
    },
  };
};
