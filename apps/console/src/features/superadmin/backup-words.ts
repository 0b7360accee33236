/** What the page of the backups says, in words. Pure. */
import type { ArchiveView, BackupsView } from '@quarterdeck/projections';
import type { Tone } from '../../ui/StateBadge';
import { bytesInWords } from './superadmin-words';

const HOUR_MS = 60 * 60_000;
/** A day, and time to take one. */
const OVERDUE_MS = 26 * HOUR_MS;
/** A week, and a day for another try. */
const DRILL_OVERDUE_MS = 8 * 24 * HOUR_MS;

export interface Verdict {
  tone: Tone;
  label: string;
}

/** The newest archive that is where it was put. */
export const newestOf = ({ archives }: Pick<BackupsView, 'archives'>): ArchiveView | undefined =>
  archives.find(({ missing }) => !missing);

export const verdictOf = (view: Pick<BackupsView, 'archives' | 'failed' | 'plan'>, now: Date): Verdict => {
  const newest = newestOf(view);
  if (view.failed) return { tone: 'bad', label: 'Last backup failed' };
  if (!newest) return { tone: 'warn', label: 'No backup yet' };
  const isOverdue = view.plan.schedule !== null && now.getTime() - Date.parse(newest.takenAt) > OVERDUE_MS;
  return isOverdue ? { tone: 'bad', label: 'Overdue' } : { tone: 'good', label: 'Backed up' };
};

/** Only a drill that passed shows that a restore works. */
export const drillVerdictOf = (
  { proven, drillFailed, plan }: Pick<BackupsView, 'proven' | 'drillFailed' | 'plan'>,
  now: Date,
): Verdict => {
  if (drillFailed) return { tone: 'bad', label: 'Last drill failed' };
  if (!proven) return { tone: 'warn', label: 'Not yet proven' };
  const isOverdue = plan.schedule !== null && now.getTime() - Date.parse(proven.at) > DRILL_OVERDUE_MS;
  return isOverdue ? { tone: 'warn', label: 'Drill overdue' } : { tone: 'good', label: 'Restorable' };
};

export const drillInWords = ({
  archives,
  end,
  events,
  rows,
  viewRows,
  durationMs,
}: NonNullable<BackupsView['proven']>): string => {
  const count = (amount: number, what: string): string =>
    `${amount.toLocaleString('en')} ${what}${amount === 1 ? '' : 's'}`;
  const what = `${count(events, 'event')}, ${count(rows, 'table row')}, ${count(viewRows, 'read model row')}`;
  return `${count(archives, 'archive')} up to position ${Number(end).toLocaleString('en')}: ${what} in ${secondsInWords(durationMs)}.`;
};

const secondsInWords = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

/** The archives that a restore of that one reads, the full one first. Undefined: one of them is missing. */
export const chainOf = (
  archive: ArchiveView,
  archives: readonly ArchiveView[],
): ArchiveView[] | undefined => {
  const chain = [archive];
  for (let { base } = archive; base !== null; base = chain[0]!.base) {
    const before = archives.find(({ id, missing }) => id === base && !missing);
    if (!before || chain.includes(before)) return undefined;
    chain.unshift(before);
  }
  return chain;
};

const steps: Record<string, string> = {
  archives: 'reading the archives',
  restore: 'restoring into a throw-away database',
  rows: 'counting rows',
  audit: 'verifying the event log',
  'read models': 'verifying the read models',
};

const parts: Record<string, string> = {
  archives: 'listing the archives',
  log: 'the event log',
  tables: 'people, sessions and the vault',
  output: 'output of runs',
  samples: 'samples of health checks and the SSL monitor',
  upload: 'sending the archive',
};

export const progressInWords = ({ current }: Pick<BackupsView, 'current'>): string => {
  if (current?.cancelRequested) return 'Cancel requested. The process that does it stops within seconds.';
  if (!current?.progress) return 'Requested. It begins within seconds.';
  const { part, bytes } = current.progress;
  const done =
    current.kind === 'drill'
      ? (steps[part] ?? part)
      : `${parts[part] ?? part}, ${bytesInWords(bytes)} so far`;
  return current.attempts > 1 ? `Attempt ${current.attempts}: ${done}` : done;
};

export const planInWords = ({ plan }: Pick<BackupsView, 'plan'>): string => {
  const when = plan.schedule === null ? 'Only on demand' : `Every day at ${plan.schedule.at} UTC`;
  const { days, weeks, months } = plan.keep;
  return `${when}. Kept: the newest of each of the last ${days} days, ${weeks} weeks and ${months} months, with all that they need.`;
};
