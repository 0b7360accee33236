/** What an SSL run found. Plain rows, no folds of events: the events say only when what a domain shows has changed. */
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
  /** Why it is not valid, or was not seen, as code and in words. */
  code: z.string().optional(),
  reason: z.string().optional(),
});
export interface SslFound extends z.infer<typeof sslFound> {}

/** As `code` of what was found: the domain is no more. */
export const REMOVED = 'removed';

export const isUnreachable = ({ label, code }: SslFound): boolean =>
  label === 'unchecked' && code !== REMOVED;

/** What has expired is counted as such, whatever else is wrong with it. */
export const isInvalid = ({ label, valid }: SslFound): boolean =>
  !valid && label !== 'unchecked' && label !== 'expired';

export const sslRenewal = z.strictObject({
  /** `reloaded`: the right certificate was there already, and the web server was told to read it. */
  is: z.enum(['underWay', 'renewed', 'reloaded', 'failed', 'putOff', 'skipped']),
  /** The run that renews it, did, or tried. */
  run: z.string().optional(),
  /** In words: why it is renewed while that is under way, afterwards why it was not. */
  reason: z.string().optional(),
});
export interface SslRenewal extends z.infer<typeof sslRenewal> {}

/** One domain of an SSL run, in the order in which it was checked. */
export const sslCheck = z.strictObject({
  domain: z.string(),
  serverName: z.string(),
  at: z.string().optional(),
  /** Absent: its turn has not come. */
  found: sslFound.optional(),
  /** Absent: not due, or its turn has not come. */
  renewal: sslRenewal.optional(),
});
export interface SslCheck extends z.infer<typeof sslCheck> {}

/** `stopped`: somebody cancelled it, which is no error. */
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
  expiring: z.number(),
  expired: z.number(),
  /** No certificate was seen, see `isUnreachable`. */
  unreachable: z.number(),
  /** One was seen that a browser would refuse, see `isInvalid`. */
  invalid: z.number(),
  renewed: z.number(),
  /** Renewals. */
  failed: z.number(),
});
export interface SslCounters extends z.infer<typeof sslCounters> {}

export const noSslChecks: SslCounters = {
  total: 0,
  checked: 0,
  expiring: 0,
  expired: 0,
  unreachable: 0,
  invalid: 0,
  renewed: 0,
  failed: 0,
};

/** When a domain's certificate is renewed next, as the monitor would decide it now, and whether the authority allows it. */
export const nextRenewal = z
  .strictObject({
    /** Absent: there is no certificate of ours. */
    renewal: z
      .strictObject({
        /** `reload`: the right certificate is there, and the web server shows another. */
        is: z.enum(['wait', 'renew', 'reload']),
        /** From when on; in the past when it is due. */
        at: z.string(),
        reason: z.string(),
        /** The authority's own window. */
        suggested: z
          .strictObject({
            start: z.string(),
            end: z.string(),
          })
          .optional(),
        /** Why there is no such window, or none that was asked for just now. */
        unsuggested: z.string().optional(),
      })
      .optional(),
    /** Of what the authority allows. */
    budget: z.strictObject({
      allowed: z.boolean(),
      /** When it is allowed again; absent when it is now. */
      nextAt: z.string().optional(),
      words: z.string(),
    }),
  })
  .meta({ id: 'NextRenewal' });
export interface NextRenewal extends z.infer<typeof nextRenewal> {}

/** Where the monitor stands; told live by the message `ssl`, without `nextAt`. */
export const sslMonitorStatus = z
  .strictObject({
    phase: z.enum(sslPhases),
    counters: sslCounters,
    /** The newest run; absent: there was none. */
    run: z.string().optional(),
    /** When the schedule has it run next. */
    nextAt: z.string().optional(),
  })
  .meta({ id: 'SslMonitorStatus' });
export interface SslMonitorStatus extends z.infer<typeof sslMonitorStatus> {}
