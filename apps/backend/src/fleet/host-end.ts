/** The outcome on one server as a line, and the outcome on all of them. Pure. */
import { reasonBesideAsking, type RecordedEvent } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import type { Report } from '../runs';

export interface HostEnd {
  is: 'succeeded' | 'failed' | 'interrupted' | 'cancelled' | 'notStarted';
  durationMs?: number;
  exitCode?: number;
  reason?: string;
}

const ends: Record<string, HostEnd['is']> = {
  RunSucceeded: 'succeeded',
  RunFailed: 'failed',
  RunInterrupted: 'interrupted',
  RunCancelled: 'cancelled',
};

/** The outcome in an event of the run; undefined if the event does not end it. `exitCode`: of the step before it. */
export const endByEvent = (
  { type, data }: Pick<RecordedEvent, 'type' | 'data'>,
  exitCode: number | undefined,
): HostEnd | undefined => {
  const is = Object.hasOwn(ends, type) ? ends[type] : undefined;
  if (!is) return undefined;
  const { durationMs, reason } = data as Pick<HostEnd, 'durationMs' | 'reason'>;
  return {
    is,
    ...(durationMs !== undefined && { durationMs }),
    ...(exitCode !== undefined && { exitCode }),
    ...(reason !== undefined && { reason }),
  };
};

export const endByView = ({ state, durationMs, reason, steps }: RunView): HostEnd | undefined => {
  if (state === 'requested' || state === 'running') return undefined;
  const exitCode = steps.at(-1)?.exitCode;
  return {
    is: state,
    ...(durationMs !== undefined && { durationMs }),
    ...(exitCode !== undefined && { exitCode }),
    ...(reason !== undefined && { reason }),
  };
};

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`;

/** `web-1 was not started: …`: there is no run for this server, so this line is the only report. */
export const NOT_STARTED = ' was not started: ';

/** `web-1 succeeded after 0.41 s, exit code 0` */
export const lineOf = (name: string, { is, durationMs, exitCode, reason }: HostEnd): string => {
  const more = reasonBesideAsking(reason ?? '');
  const why = more === '' ? '' : `: ${more}`;
  if (is === 'notStarted') return `${name}${NOT_STARTED}${reason ?? ''}`;
  const after = durationMs === undefined ? '' : ` after ${seconds(durationMs)}`;
  const how = exitCode === undefined ? why : `, exit code ${exitCode}`;
  return `${name} ${is === 'interrupted' || is === 'cancelled' ? `was ${is}` : is}${after}${how}`;
};

export const countsOf = (all: readonly HostEnd[]): Report => {
  const counted = new Map<HostEnd['is'], number>();
  for (const { is } of all) counted.set(is, (counted.get(is) ?? 0) + 1);
  return {
    servers: String(all.length),
    ...Object.fromEntries([...counted].map(([is, count]) => [is, String(count)])),
  };
};

const servers = (count: number, all: number): string =>
  `${count} of ${all} ${all === 1 ? 'server' : 'servers'}`;

/** `2 of 5 servers failed`, with cancelled servers counted apart, as that was intended. Undefined if none failed. */
export const failureOf = (all: readonly HostEnd[]): string | undefined => {
  const cancelled = all.filter(({ is }) => is === 'cancelled').length;
  const failed = all.filter(({ is }) => is !== 'succeeded' && is !== 'cancelled').length;
  if (failed === 0) return undefined;
  return `${servers(failed, all.length)} failed${cancelled > 0 ? `, ${cancelled} ${cancelled === 1 ? 'was' : 'were'} cancelled` : ''}`;
};

/** `2 of 5 servers were cancelled`; undefined if none was. */
export const cancelledOf = (all: readonly HostEnd[]): string | undefined => {
  const cancelled = all.filter(({ is }) => is === 'cancelled').length;
  if (cancelled === 0) return undefined;
  return `${servers(cancelled, all.length)} ${cancelled === 1 ? 'was' : 'were'} cancelled`;
};
