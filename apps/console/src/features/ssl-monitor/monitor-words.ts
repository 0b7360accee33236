/** Describes the SSL monitor in words. Pure. */
import type {
  RunView,
  SslCheck,
  SslCounters,
  SslMonitorStatus,
  SslPhase,
  WorkspaceView,
} from '@quarterdeck/projections';
import { count } from '../../ui/count';
import type { Tone } from '../../ui/tone';

interface Words {
  label: string;
  tone: Tone;
}

export const phaseWords: Record<SslPhase, Words> = {
  idle: { label: 'Idle', tone: 'quiet' },
  fetching: { label: 'Fetching domains', tone: 'busy' },
  checking: { label: 'Checking each', tone: 'busy' },
  renewing: { label: 'Renewing expired', tone: 'busy' },
  complete: { label: 'Complete', tone: 'good' },
  stopped: { label: 'Stopped', tone: 'quiet' },
  error: { label: 'Error', tone: 'bad' },
};

/** Leaves out zero counts. */
const present = (counts: Record<string, number | undefined>): string[] =>
  Object.entries(counts).flatMap(([word, number]) =>
    number ? [`${number.toLocaleString('en')} ${word}`] : [],
  );

/** `Checking each: 37 of 120`, `Renewing expired: 2 renewed, 1 failed` */
export const progressWords = ({ phase, counters }: SslMonitorStatus): string => {
  const { label } = phaseWords[phase];
  const { total, checked, renewed, failed, expiring, expired, unreachable, invalid } = counters;
  switch (phase) {
    case 'idle':
      return 'Idle: has not run yet';
    case 'fetching':
      return label;
    case 'renewing':
      return `${label}: ${renewed} renewed, ${failed} failed`;
    case 'checking':
    case 'complete':
    case 'stopped':
    case 'error':
      return total === 0 && phase !== 'checking'
        ? `${label}: no domain was checked`
        : [
            `${label}: ${checked.toLocaleString('en')} of ${count(total, 'domain')} checked`,
            ...present({ expiring, expired, unreachable, 'not valid': invalid }),
          ].join(', ');
  }
};

/** Domains not checked yet, and those removed before they were checked. */
export const notChecked = ({ total, valid, expiring, expired, unreachable, invalid }: SslCounters): number =>
  total - valid - expiring - expired - unreachable - invalid;

/** Number of domains whose certificate has a problem. */
export const problemCount = ({ expiring, expired, unreachable, invalid }: SslCounters): number =>
  expiring + expired + unreachable + invalid;

/** `12 domains, 3 expiring, 1 renewed`, without zero counts. */
export const countersInWords = ({
  total,
  expiring,
  expired,
  unreachable,
  invalid,
  renewed,
  failed,
}: Partial<SslCounters>): string =>
  [
    count(total ?? 0, 'domain'),
    ...present({ expiring, expired, unreachable, 'not valid': invalid, renewed }),
    ...(failed ? [`${count(failed, 'renewal')} failed`] : []),
  ].join(', ');

/**
 * Counters from the reports of the run's steps; `undefined` before the domains were fetched. A stopped run reported
 * fewer.
 */
export const countersOfRun = ({ steps }: Pick<RunView, 'steps'>): Partial<SslCounters> | undefined => {
  const reports = steps.flatMap(({ report }) => Object.entries(report ?? {}));
  if (reports.length === 0) return undefined;
  return Object.fromEntries(reports.map(([name, number]) => [name, Number(number)]));
};

/** Why a certificate is not valid, was not checked, or was not renewed. */
export const reasonsOf = ({ found, renewal }: SslCheck): string =>
  [found?.reason, renewal?.reason]
    .flatMap((reason) => (reason === undefined ? [] : [reason.replace(/(?<!\.)\.*$/, '.')]))
    .join(' ');

export const pauseInWords = (ms: number): string =>
  ms < 1000 || ms % 1000 !== 0 ? `${ms} ms` : `${ms / 1000} s`;

/** `100 ms between checks, 5 s between renewals, 4 at once, expiring below 30 days` */
export const settingsInWords = (settings: WorkspaceView['sslMonitor']): string => {
  const { checkPauseMs, renewPauseMs, concurrency, expiringDays, onlyExpired } = settings;
  const only = onlyExpired ? ', only what has expired is renewed' : '';
  return `${pauseInWords(checkPauseMs)} between checks, ${pauseInWords(renewPauseMs)} between renewals, ${concurrency} at once, expiring below ${expiringDays} days${only}`;
};
