/**
 * When an alert about a certificate is due, and when it ends. Pure.
 *
 * An alert belongs to one crossing: this certificate of this domain dropped below this threshold. The alert's id is
 * derived from these three, so that everybody who finds the crossing uses the same alert.
 */
import type { EventData } from '@quarterdeck/events';
import {
  certificateOf,
  daysFor,
  type AlertView,
  type DomainView,
  type Lifetime,
} from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';

export type WatchedDomain = Pick<DomainView, 'id' | 'serverName' | 'thresholds' | 'served' | 'certificate'>;

export interface Crossing {
  /** Id of the alert. */
  id: string;
  /** In days, of a certificate of 90 days. 0: the certificate has expired. */
  threshold: number;
  raised: EventData<'AlertRaised'>;
}

interface Certificate {
  serial: string;
  notAfter: string;
}

interface Question {
  domain: WatchedDomain;
  /** Thresholds of the workspace, for domains without their own. Empty: no alerts. */
  thresholds: readonly number[];
  now: Date;
}

export type KnownAlert = Pick<AlertView, 'id' | 'state' | 'threshold'>;

export interface Settlement {
  raise: Crossing[];
  resolve: { id: string; reason: string }[];
}

const NAMESPACE = '0d3c9c56-5b0e-4a8e-9a53-7a5cc1a4b7d1';
const DAY_MS = 24 * 60 * 60_000;
/** Expiry is a separate crossing, independent of the thresholds. */
const ENDED = 0;

const alertId = (domain: string, { serial, notAfter }: Certificate, threshold: number): string =>
  uuidv5(`${domain} ${serial} ${Date.parse(notAfter)} ${threshold}`, NAMESPACE);

const inWords = (serverName: string, notAfter: string, now: Date): string => {
  const left = Date.parse(notAfter) - now.getTime();
  const day = notAfter.slice(0, 10);
  if (left <= 0) return `The certificate of ${serverName} expired on ${day}.`;
  const days = Math.floor(left / DAY_MS);
  const when = days === 0 ? 'within a day' : days === 1 ? 'in 1 day' : `in ${days} days`;
  return `The certificate of ${serverName} expires ${when}, on ${day}.`;
};

/** `14 days`, or `10.5 days` for a certificate that lives for half as long as usual. */
const daysInWords = (threshold: number, certificate: Lifetime | undefined): string => {
  const days = certificate ? daysFor(threshold, certificate) : threshold;
  return `${Math.round(days * 10) / 10} days`;
};

/**
 * The crossing that is due now: that of the smallest crossed threshold, since it says everything that the larger ones
 * would. Returns one or none, whether or not it was raised before.
 */
export const alertsDue = ({ domain, thresholds, now }: Question): Crossing[] => {
  const certificate = certificateOf(domain);
  const wanted = domain.thresholds ?? thresholds;
  if (!certificate || wanted.length === 0) return [];
  const left = Date.parse(certificate.notAfter) - now.getTime();
  const crossed = [ENDED, ...wanted].filter((days) => left <= daysFor(days, certificate) * DAY_MS);
  if (crossed.length === 0) return [];
  const threshold = Math.min(...crossed);
  const { id, serverName: name } = domain;
  const { notAfter } = certificate;
  const raised: Crossing['raised'] = {
    subject: { kind: 'domain', id, name },
    about: 'certificateExpiry',
    threshold,
    notAfter,
    says: inWords(name, notAfter, now),
  };
  return [{ id: alertId(id, certificate, threshold), threshold, raised }];
};

/** Why an open alert ends without a successor. `undefined`: it stays open. */
const reasonOf = (
  { id, threshold }: KnownAlert,
  { domain }: Question,
  due: Crossing | undefined,
): string | undefined => {
  const certificate = certificateOf(domain);
  if (!certificate) return 'the certificate no longer exists';
  if (alertId(domain.id, certificate, threshold ?? ENDED) !== id)
    return `another certificate replaces it, which expires on ${certificate.notAfter.slice(0, 10)}`;
  return due ? undefined : 'the thresholds were changed and no longer include this one';
};

/**
 * Which alerts to raise and which to end, given all alerts that there ever were about the domain. At most one is open
 * afterwards.
 */
export const settle = (question: Question, alerts: readonly KnownAlert[]): Settlement => {
  const [due] = alertsDue(question);
  const certificate = certificateOf(question.domain);
  const isTold = ({ id, state, threshold = ENDED }: KnownAlert): boolean =>
    state !== 'resolved' &&
    certificate !== undefined &&
    alertId(question.domain.id, certificate, threshold) === id &&
    due !== undefined &&
    threshold <= due.threshold;
  const raise = due && !alerts.some(isTold) ? [due] : [];
  const [instead] = raise;
  const resolve = alerts.flatMap((alert) => {
    if (alert.state !== 'open' || alert.id === instead?.id) return [];
    const again =
      instead &&
      (instead.threshold === ENDED
        ? 'the certificate has expired'
        : `raised again at ${daysInWords(instead.threshold, certificate)}`);
    const reason = reasonOf(alert, question, due) ?? again;
    return reason === undefined ? [] : [{ id: alert.id, reason }];
  });
  return { raise, resolve };
};
