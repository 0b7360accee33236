/** Words for the backups page. Pure. */
import type { BackupsView } from '@quarterdeck/projections';
import { count } from '../../ui/count';
import { bytesInWords } from '../../ui/bytes';

export const drillInWords = ({
  archives,
  end,
  events,
  rows,
  viewRows,
  durationMs,
}: NonNullable<BackupsView['proven']>): string => {
  const what = `${count(events, 'event')}, ${count(rows, 'table row')}, ${count(viewRows, 'read model row')}`;
  return `${count(archives, 'archive')} up to position ${Number(end).toLocaleString('en')}: ${what} in ${secondsInWords(durationMs)}.`;
};

const secondsInWords = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;

const steps: Record<string, string> = {
  archives: 'reading the archives',
  database: 'making a throw-away database',
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
      : `${parts[part] ?? part}, ${bytesInWords(bytes, 1000)} so far`;
  return current.attempts > 1 ? `Attempt ${current.attempts}: ${done}` : done;
};

export const planInWords = ({ plan }: Pick<BackupsView, 'plan'>): string => {
  const when = plan.schedule === null ? 'Only on demand' : `Every day at ${plan.schedule.at} UTC`;
  const { days, weeks, months } = plan.keep;
  return `${when}. Kept: the newest of each of the last ${count(days, 'day')}, ${count(weeks, 'week')} and ${count(months, 'month')}, with all that they need.`;
};

/** What comes after a drill that failed. */
export const afterDrill = ({ drillFailed, fullWanted }: BackupsView): string => {
  if (!drillFailed?.damaged) return 'A scheduled drill is tried again after a day.';
  return fullWanted
    ? 'The next backup is a full one, so that nothing continues what is damaged. Take it now.'
    : 'A full backup was taken since: run a drill.';
};
