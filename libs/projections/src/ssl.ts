/**
 * Results of an SSL run. They are plain rows, not folded from events: events record only changes of the certificate
 * that a domain presents.
 */
import { z } from 'zod';

export const sslLabel = z.enum(['valid', 'expiring', 'expired', 'unchecked']);
export type SslLabel = z.infer<typeof sslLabel>;

export const sslFound = z.strictObject({
  label: sslLabel,
  valid: z.boolean(),
  daysRemaining: z.number().optional(),
  validTo: z.string().optional(),
  validFrom: z.string().optional(),
  serial: z.string().optional(),
  issuer: z.string().optional(),
  /** Why the certificate is invalid or was not seen: code and message. */
  code: z.string().optional(),
  reason: z.string().optional(),
});
export interface SslFound extends z.infer<typeof sslFound> {}

/** Used as `code`: the domain was removed. */
export const REMOVED = 'removed';

export const isUnreachable = ({ label, code }: SslFound): boolean =>
  label === 'unchecked' && code !== REMOVED;

/** An expired certificate counts as expired, whatever else is wrong with it. */
export const isInvalid = ({ label, valid }: SslFound): boolean =>
  !valid && label !== 'unchecked' && label !== 'expired';

/** The one counter that a checked domain is counted in; `undefined` if the domain was removed since. */
export const outcomeOf = (
  found: SslFound,
): 'valid' | 'expiring' | 'expired' | 'unreachable' | 'invalid' | undefined => {
  if (found.label === 'unchecked') return isUnreachable(found) ? 'unreachable' : undefined;
  return isInvalid(found) ? 'invalid' : found.label;
};

export const sslRenewal = z.strictObject({
  /** `reloaded`: the server already had the right certificate, and its web server was reloaded to use it. */
  is: z.enum(['underWay', 'renewed', 'reloaded', 'failed', 'putOff', 'skipped']),
  /** The run of the renewal, in whatever state. */
  run: z.string().optional(),
  /** While the renewal is running, why it was started. Afterwards, why it failed. */
  reason: z.string().optional(),
});
export interface SslRenewal extends z.infer<typeof sslRenewal> {}

/** One domain of an SSL run, in the order in which it was checked. */
export const sslCheck = z.strictObject({
  domain: z.string(),
  serverName: z.string(),
  at: z.string().optional(),
  /** Absent before its turn. */
  found: sslFound.optional(),
  /** Absent if no renewal is due, or before its turn. */
  renewal: sslRenewal.optional(),
});
export interface SslCheck extends z.infer<typeof sslCheck> {}

const worstFirst = ['expired', 'failed', 'invalid', 'unreachable', 'expiring'] as const;

/** Severity rank, 0 for the worst; `undefined` if nothing is wrong, or nothing is known yet. */
const badnessOf = ({ found, renewal }: SslCheck): number | undefined => {
  const outcome = found && outcomeOf(found);
  const problem = outcome !== 'expired' && renewal?.is === 'failed' ? 'failed' : outcome;
  const rank = worstFirst.findIndex((one) => one === problem);
  return rank < 0 ? undefined : rank;
};

/** Domains with a problem, the worst first. @param most maximum number of results */
export const problemsOf = (checks: readonly SslCheck[], most: number): SslCheck[] =>
  checks
    .flatMap((check) => {
      const rank = badnessOf(check);
      return rank === undefined ? [] : [{ check, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ check }) => check);

/** `stopped`: somebody cancelled the run, which is not an error. */
export const sslPhases = [
  'idle',
  'fetching',
  'checking',
  'renewing',
  'complete',
  'stopped',
  'error',
] as const;
export type SslPhase = (typeof sslPhases)[number];

export const sslCounters = z.strictObject({
  total: z.number(),
  checked: z.number(),
  /** Each checked domain is in one of these five, see `outcomeOf`. */
  valid: z.number(),
  expiring: z.number(),
  expired: z.number(),
  /** Domains without a certificate, see `isUnreachable`. */
  unreachable: z.number(),
  /** Domains with a certificate that a browser would refuse, see `isInvalid`. */
  invalid: z.number(),
  renewed: z.number(),
  /** Failed renewals. */
  failed: z.number(),
});
export interface SslCounters extends z.infer<typeof sslCounters> {}

export const noSslChecks: SslCounters = {
  total: 0,
  checked: 0,
  valid: 0,
  expiring: 0,
  expired: 0,
  unreachable: 0,
  invalid: 0,
  renewed: 0,
  failed: 0,
};

/**
 * The next renewal of a domain's certificate, as the monitor would decide now, and whether the authority allows it.
 */
export const nextRenewal = z
  .strictObject({
    /** Absent if there is no certificate of ours. */
    renewal: z
      .strictObject({
        /** `reload`: the server has the right certificate, but its web server presents another one. */
        is: z.enum(['wait', 'renew', 'reload']),
        /** Time from which it is due, which may be in the past. */
        at: z.string(),
        reason: z.string(),
        /** The renewal window of the authority. */
        suggested: z
          .strictObject({
            start: z.string(),
            end: z.string(),
          })
          .optional(),
        /** Why there is no renewal window, or why it could not be fetched. */
        unsuggested: z.string().optional(),
      })
      .optional(),
    /** Whether the rate limits of the authority allow an order. */
    budget: z.strictObject({
      allowed: z.boolean(),
      /** When the next order is allowed; absent if it is allowed now. */
      nextAt: z.string().optional(),
      words: z.string(),
    }),
  })
  .meta({ id: 'NextRenewal' });
export interface NextRenewal extends z.infer<typeof nextRenewal> {}

/** State of the monitor. The message `ssl` pushes it live, without `nextAt`. */
export const sslMonitorStatus = z
  .strictObject({
    phase: z.enum(sslPhases),
    counters: sslCounters,
    /** The newest run. Absent if there was none. */
    run: z.string().optional(),
    /** The next run of the schedule. */
    nextAt: z.string().optional(),
  })
  .meta({ id: 'SslMonitorStatus' });
export interface SslMonitorStatus extends z.infer<typeof sslMonitorStatus> {}

/** Overall state of the certificates counted so far. */
export const sslTone = ({ phase, counters }: SslMonitorStatus): 'good' | 'warn' | 'bad' | 'quiet' => {
  const { expired, unreachable, invalid, failed, expiring, total, valid } = counters;
  if (phase === 'error' || expired + unreachable + invalid + failed > 0) return 'bad';
  if (expiring > 0) return 'warn';
  return total > 0 && valid === total ? 'good' : 'quiet';
};
