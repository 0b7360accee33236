/**
 * When a certificate is renewed. Pure.
 *
 * The specification's thirty days are only a label. The lifetime decides. For a certificate of 90 days both are the
 * same. With the fixed thirty days, one of 45 days would be renewed twice as often as needed, and one of six days
 * constantly.
 */
import { createHash } from 'node:crypto';
import type { CertificateFacts } from '../platform/tls';

const DAY_MS = 86_400_000;

export interface RenewalRule {
  /** A certificate is renewed when this part of its lifetime is left. */
  partLeft: number;
  /** Certificates with a shorter lifetime than this are short-lived. */
  shortLivedDays: number;
  /**
   * Short-lived certificates are renewed when this part is left: a third of six days would leave people little time to
   * step in.
   */
  shortLivedPartLeft: number;
  /** Only for labels. With fewer days left, a certificate is expiring. */
  expiringDays: number;
  /** Only for labels. With this many days left or fewer, it is expired. */
  expiredDays: number;
}

export const specifiedRule: RenewalRule = {
  partLeft: 1 / 3,
  shortLivedDays: 10,
  shortLivedPartLeft: 1 / 2,
  expiringDays: 30,
  expiredDays: 0,
};

export type ExpiryLabel = 'valid' | 'expiring' | 'expired';

/** @param days as counted by `daysRemaining` */
export const expiryLabel = (
  days: number,
  { expiringDays, expiredDays }: Pick<RenewalRule, 'expiringDays' | 'expiredDays'> = specifiedRule,
): ExpiryLabel => (days <= expiredDays ? 'expired' : days < expiringDays ? 'expiring' : 'valid');

/** The authority's suggestion (RFC 9773). Both ISO. */
export interface RenewalWindow {
  start: string;
  end: string;
}

export interface RenewalQuestion {
  /** The certificate that was issued last. */
  facts: Pick<CertificateFacts, 'serial' | 'notBefore' | 'notAfter'>;
  now: Date;
  ari?: RenewalWindow;
  /** The certificate that the domain presents; absent if unknown. */
  served?: Pick<CertificateFacts, 'serial'>;
  rule?: RenewalRule;
}

export interface RenewalVerdict {
  /** `reload`: the server has the right certificate, but its web server presents another one. */
  is: 'wait' | 'renew' | 'reload';
  /** Whether to renew now. */
  due: boolean;
  /** ISO: when the renewal is due. It is in the past if the renewal is overdue. */
  at: string;
  reason: string;
}

/** Between 0 and 1. Always the same for a given certificate and window, in every process and replay. */
const chance = (serial: string, { start, end }: RenewalWindow): number =>
  createHash('sha256').update(`${serial} ${start} ${end}`).digest().readUInt32BE() / 2 ** 32;

const pointIn = (serial: string, window: RenewalWindow): number => {
  const [start, end] = [Date.parse(window.start), Date.parse(window.end)];
  return start + chance(serial, window) * (end - start);
};

/** An invalid window is ignored; then the lifetime decides. */
const isWindow = ({ start, end }: RenewalWindow): boolean => Date.parse(start) < Date.parse(end);

const iso = (at: number): string => new Date(at).toISOString();
const day = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`;
const parts: Record<string, string> = { [String(1 / 3)]: 'a third', [String(1 / 2)]: 'half' };
const inWords = (part: number): string => parts[String(part)] ?? `${Math.round(part * 100)} %`;

export const renewalVerdict = ({
  facts,
  now,
  ari,
  served,
  rule = specifiedRule,
}: RenewalQuestion): RenewalVerdict => {
  const [begin, end] = [Date.parse(facts.notBefore), Date.parse(facts.notAfter)];
  const lifetime = end - begin;
  const part = lifetime < rule.shortLivedDays * DAY_MS ? rule.shortLivedPartLeft : rule.partLeft;
  const byLifetime = end - lifetime * part;
  const bySuggestion = ari && isWindow(ari) ? pointIn(facts.serial, ari) : Infinity;
  const at = Math.min(byLifetime, bySuggestion);

  const verdict = (is: RenewalVerdict['is'], reason: string): RenewalVerdict => ({
    is,
    due: is === 'renew',
    at: iso(at),
    reason,
  });
  if (now.getTime() >= end) return verdict('renew', `It expired on ${day(facts.notAfter)}.`);
  if (now.getTime() >= bySuggestion)
    return verdict(
      'renew',
      `The authority suggests renewing it: its window began on ${day(ari?.start ?? '')}.`,
    );
  if (now.getTime() >= byLifetime)
    return verdict(
      'renew',
      `Less than ${inWords(part)} of its lifetime is left: it expires on ${day(facts.notAfter)}.`,
    );
  if (served && served.serial !== facts.serial)
    return verdict(
      'reload',
      `The domain presents certificate ${served.serial} instead of the latest one, ${facts.serial}: the web server has to reload.`,
    );
  return verdict(
    'wait',
    bySuggestion < byLifetime
      ? `It will be renewed on ${day(iso(at))}, in the window that the authority suggests.`
      : `It will be renewed on ${day(iso(at))}, when ${inWords(part)} of its lifetime is left.`,
  );
};
