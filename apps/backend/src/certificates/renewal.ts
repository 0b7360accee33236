/**
 * When a certificate is renewed. Pure.
 *
 * Thirty days are the specification's label for the eye. What decides is the lifetime: of a certificate for 90 days that
 * is the same thing, one for 45 would be renewed twice as often as it needs, and one for six days always.
 */
import { createHash } from 'node:crypto';
import type { CertificateFacts } from '../platform/tls';

const DAY_MS = 86_400_000;

export interface RenewalRule {
  /** Part of the lifetime that is left when a certificate is renewed. */
  partLeft: number;
  /** Lifetimes below so many days... */
  shortLivedDays: number;
  /** ...are renewed when this part is left: a third of six days is little time for whoever has to step in. */
  shortLivedPartLeft: number;
  /** Labels only. Below so many days a certificate is expiring. */
  expiringDays: number;
  /** Labels only. At so many days or fewer it is expired. */
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

/** @param days as `daysRemaining` counts them */
export const expiryLabel = (
  days: number,
  { expiringDays, expiredDays }: Pick<RenewalRule, 'expiringDays' | 'expiredDays'> = specifiedRule,
): ExpiryLabel => (days <= expiredDays ? 'expired' : days < expiringDays ? 'expiring' : 'valid');

/** What the authority suggests: RFC 9773. Both ISO. */
export interface RenewalWindow {
  start: string;
  end: string;
}

export interface RenewalQuestion {
  /** Of the certificate that was issued last. */
  facts: Pick<CertificateFacts, 'serial' | 'notBefore' | 'notAfter'>;
  now: Date;
  ari?: RenewalWindow;
  /** Of the certificate that the domain shows; absent when that is not known. */
  served?: Pick<CertificateFacts, 'serial'>;
  rule?: RenewalRule;
}

export interface RenewalVerdict {
  /** `reload`: the right certificate is there, and the web server shows another. */
  is: 'wait' | 'renew' | 'reload';
  /** Whether to renew now. */
  due: boolean;
  /** ISO: from when on it is to be renewed; in the past when it is due. */
  at: string;
  reason: string;
}

/** Between 0 and 1. The same for the same certificate and window, in every process and in every replay. */
const chance = (serial: string, { start, end }: RenewalWindow): number =>
  createHash('sha256').update(`${serial} ${start} ${end}`).digest().readUInt32BE() / 2 ** 32;

const pointIn = (serial: string, window: RenewalWindow): number => {
  const [start, end] = [Date.parse(window.start), Date.parse(window.end)];
  return start + chance(serial, window) * (end - start);
};

/** A window that makes no sense is none: the lifetime decides then. */
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
      `The authority suggests to renew it: its window began on ${day(ari?.start ?? '')}.`,
    );
  if (now.getTime() >= byLifetime)
    return verdict(
      'renew',
      `Less than ${inWords(part)} of its lifetime is left: it expires on ${day(facts.notAfter)}.`,
    );
  if (served && served.serial !== facts.serial)
    return verdict(
      'reload',
      `The domain shows certificate ${served.serial}, not ${facts.serial}, which was issued last: the web server has to read it anew.`,
    );
  return verdict(
    'wait',
    bySuggestion < byLifetime
      ? `It will be renewed on ${day(iso(at))}, in the window that the authority suggests.`
      : `It will be renewed on ${day(iso(at))}, when ${inWords(part)} of its lifetime is left.`,
  );
};
