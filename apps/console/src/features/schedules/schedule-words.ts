/** Schedules in words. Pure. */
import type { ScheduleFiring, ScheduleState } from '@quarterdeck/contract';
import type { schedule } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';

export type ScheduleView = ViewOf<typeof schedule>;

const nameOf = (target: { name?: string | undefined } | null, one: string): string =>
  target?.name ?? `a ${one} that was removed`;

/** `Free space on web-1`. */
export const doesInWords = ({ does, server, script, command, request }: ScheduleView): string => {
  if (does === 'request') return `Send ${nameOf(request, 'request')}`;
  const what = does === 'script' ? nameOf(script, 'script') : (command?.name ?? 'a command');
  return `${what} on ${nameOf(server, 'server')}`;
};

export const zoneOf = ({ zone }: Pick<ScheduleView, 'zone'>): string => (zone === '' ? 'UTC' : zone);

/** What a page says about one time. */
export const firingInWords = ({ is, run }: Pick<ScheduleFiring, 'is' | 'run'>): string => {
  if (is === 'skipped') return 'left out';
  return is === 'started' ? (run ?? 'started') : is;
};

export const stateWords: Readonly<Record<ScheduleState['is'], string>> = {
  on: 'on',
  off: 'off',
  running: 'running',
  waiting: 'waiting for its last run',
  failing: 'needs attention',
  broken: 'cannot run',
};

/** `Mon 7 Dec 2026, 06:00`, on the clock of a zone. */
export const timeIn = (zone: string | undefined, at: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(zone !== undefined && { timeZone: zone }),
  }).format(new Date(at));
