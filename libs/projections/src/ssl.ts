/** What an SSL run found. Plain rows, no folds of events: the events say only when what a domain shows has changed. */

export type SslLabel = 'valid' | 'expiring' | 'expired' | 'unchecked';

export interface SslFound {
  label: SslLabel;
  valid: boolean;
  daysRemaining?: number;
  validTo?: string;
  validFrom?: string;
  serial?: string;
  issuer?: string;
  /** Why it is not valid, or was not seen, as code and in words. */
  code?: string;
  reason?: string;
}

/** As `code` of what was found: the domain is no more. */
export const REMOVED = 'removed';

export const isUnreachable = ({ label, code }: SslFound): boolean =>
  label === 'unchecked' && code !== REMOVED;

/** What has expired is counted as such, whatever else is wrong with it. */
export const isInvalid = ({ label, valid }: SslFound): boolean =>
  !valid && label !== 'unchecked' && label !== 'expired';

export interface SslRenewal {
  /** `reloaded`: the right certificate was there already, and the web server was told to read it. */
  is: 'underWay' | 'renewed' | 'reloaded' | 'failed' | 'putOff' | 'skipped';
  /** The run that renews it, did, or tried. */
  run?: string;
  /** In words: why it is renewed while that is under way, afterwards why it was not. */
  reason?: string;
}

/** One domain of an SSL run, in the order in which it was checked. */
export interface SslCheck {
  domain: string;
  serverName: string;
  at?: string;
  /** Absent: its turn has not come. */
  found?: SslFound;
  /** Absent: not due, or its turn has not come. */
  renewal?: SslRenewal;
}

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

export interface SslCounters {
  total: number;
  checked: number;
  expiring: number;
  expired: number;
  /** No certificate was seen, see `isUnreachable`. */
  unreachable: number;
  /** One was seen that a browser would refuse, see `isInvalid`. */
  invalid: number;
  renewed: number;
  /** Renewals. */
  failed: number;
}

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
export interface NextRenewal {
  /** Absent: there is no certificate of ours. */
  renewal?: {
    /** `reload`: the right certificate is there, and the web server shows another. */
    is: 'wait' | 'renew' | 'reload';
    /** From when on; in the past when it is due. */
    at: string;
    reason: string;
    /** The authority's own window. */
    suggested?: { start: string; end: string };
    /** Why there is no such window, or none that was asked for just now. */
    unsuggested?: string;
  };
  /** Of what the authority allows. */
  budget: {
    allowed: boolean;
    /** When it is allowed again; absent when it is now. */
    nextAt?: string;
    words: string;
  };
}

/** Where the monitor stands; told live by the message `ssl`, without `nextAt`. */
export interface SslMonitorStatus {
  phase: SslPhase;
  counters: SslCounters;
  /** The newest run; absent: there was none. */
  run?: string;
  /** When the schedule has it run next. */
  nextAt?: string;
}
