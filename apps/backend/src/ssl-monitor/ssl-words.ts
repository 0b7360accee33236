/** The messages of the SSL monitor's activity log: those of the specification and our own, in one place. */
import { logLine, type SslLogLevel } from '@quarterdeck/events';
import { REMOVED, type SslCounters, type SslFound } from '@quarterdeck/projections';

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const days = (count: number): string => many(count, 'day');
const domains = (count: number): string => many(count, 'domain');
/** The template adds the full stop after a reason. */
const because = (reason: string): string => reason.replace(/\.+$/, '');
const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;
const line =
  <Arguments extends unknown[]>(level: SslLogLevel, words: (...given: Arguments) => string) =>
  (...given: Arguments): string =>
    logLine(level, words(...given));

/** Each function returns a whole line with its level, without the line end. */
export const sslWords = {
  fetching: line('info', () => 'Fetching domains...'),
  /** @param status an HTTP status or its substitute */
  fetchFailed: line('error', (status: number | string) => `Failed to fetch domains: ${status}`),
  found: line('info', (count: number) => (count === 0 ? 'There are no domains' : `Found ${domains(count)}`)),
  checking: line('info', (domain: string) => `Checking SSL for ${domain}...`),
  checkFailed: line('warning', (domain: string) => `Failed to check SSL for ${domain}`),
  renewing: line(
    'info',
    (domain: string, reason: string) => `Renewing certificate for ${domain}: ${because(reason)}`,
  ),
  renewed: line(
    'success',
    (domain: string, validTo: string) =>
      `Renewed certificate for ${domain}, valid to ${validTo.slice(0, 10)}`,
  ),
  renewalFailed: line('error', (status: number | string) => `Renewal failed with status: ${status}`),
  renewalPutOff: line(
    'warning',
    (domain: string, reason: string) => `Renewal of ${domain} is put off: ${because(reason)}`,
  ),
  reloading: line(
    'info',
    (domain: string, reason: string) => `Reloading the web server for ${domain}: ${because(reason)}`,
  ),
  reloaded: line('success', (domain: string) => `${domain} shows the certificate that was issued last`),
  skipped: line(
    'warning',
    (domain: string, reason: string) => `${domain} is not renewed: ${because(reason)}`,
  ),
  waiting: line('info', (ms: number, what: string) => `Waiting ${seconds(ms)} before ${what}`),
  takenUp: line(
    'info',
    (checked: number, total: number) => `Taken up again: ${checked} of ${domains(total)} were checked`,
  ),
  cause: line('warning', (domain: string, reason: string) => `${domain}: ${because(reason)}`),
  stopped: line(
    'warning',
    (done: number, total: number, what: 'domain' | 'renewal' = 'domain') =>
      `Stopped after ${done} of ${many(total, what)}`,
  ),
  complete: line(
    'success',
    ({ total, expiring, expired, unreachable, invalid, renewed, failed }: SslCounters) =>
      `Complete: ${domains(total)}, ${expiring} expiring, ${expired} expired, ${unreachable} unreachable, ` +
      `${invalid} not valid, ${renewed} renewed, ${many(failed, 'renewal')} failed`,
  ),
  failed: line('error', (reason: string) => `Error: ${because(reason)}`),
};

/**
 * One or two lines about a check. The message about days left also appears for an invalid certificate that was seen;
 * the specification's own message is for checks without a certificate. Derived from the row alone, so that a resumed
 * run can log results that were not logged yet.
 */
export const foundLines = (domain: string, found: SslFound): string[] => {
  const { label, daysRemaining: left = 0, validTo = '', code, reason } = found;
  const until = validTo.slice(0, 10);
  const cause = reason === undefined ? [] : [sslWords.cause(domain, reason)];
  const overAnyway = code === 'CERT_HAS_EXPIRED' ? [] : cause;
  switch (label) {
    case 'unchecked':
      return code === REMOVED
        ? [logLine('info', `${domain} was removed meanwhile`)]
        : [sslWords.checkFailed(domain), ...cause];
    case 'valid':
      // A certificate that a browser would refuse is not a success, however many days are left.
      return reason === undefined
        ? [logLine('success', `${domain} is valid for ${days(left)}, to ${until}`)]
        : cause;
    case 'expiring':
      return [logLine('warning', `${domain} expires in ${days(left)}, on ${until}`), ...cause];
    case 'expired':
      return left < 0
        ? [logLine('error', `${domain} has expired on ${until}`), ...overAnyway]
        : [logLine('error', `${domain} expires within ${days(left + 1)}, on ${until}`), ...overAnyway];
  }
};
