/** What the page of the backups says, in words. Pure. */
import type { ArchiveView, BackupsView } from '@quarterdeck/projections';
import type { Tone } from '../../ui/StateBadge';
import { bytesInWords } from './superadmin-words';

const HOUR_MS = 60 * 60_000;
/** A day, and time to take one. */
const OVERDUE_MS = 26 * HOUR_MS;

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

const parts: Record<string, string> = {
  archives: 'looking at the archives that are there',
  log: 'the event log',
  tables: 'people, sessions and the vault',
  output: 'output of runs',
  samples: 'samples of health checks and the SSL monitor',
  upload: 'sending the archive',
};

export const progressInWords = ({ current }: Pick<BackupsView, 'current'>): string => {
  if (current?.cancelRequested) return 'Cancel requested. The process that takes it stops within a second.';
  if (!current?.progress) return 'Requested. It begins within seconds.';
  const { part, bytes } = current.progress;
  const done = `${parts[part] ?? part}, ${bytesInWords(bytes)} so far`;
  return current.attempts > 1 ? `Attempt ${current.attempts}: ${done}` : done;
};

export const planInWords = ({ plan }: Pick<BackupsView, 'plan'>): string => {
  const when = plan.schedule === null ? 'Only on demand' : `Every day at ${plan.schedule.at} UTC`;
  const { days, weeks, months } = plan.keep;
  return `${when}. Kept: the newest of each of the last ${days} days, ${weeks} weeks and ${months} months, with all that they need.`;
};
