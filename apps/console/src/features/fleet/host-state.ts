/** State of each server in a run on many servers. Pure. */
import type { RunView } from '@quarterdeck/projections';
import { isLive } from '../../records/runs';
import type { FleetDetail, FleetHost } from '@quarterdeck/projections';

/** The state of the server's own run; without one, the server is waiting or was not started. */
export type HostState = RunView['state'] | 'waiting' | 'notStarted';

export const stateOf = (host: FleetHost, fleet: RunView): HostState => {
  if (host.run) return host.run.waitsFor ? 'waiting' : host.run.state;
  // A deliberate cancel is not a failure of the servers that had not started.
  if (fleet.state === 'cancelled') return 'cancelled';
  return host.notStarted !== undefined || !isLive(fleet) ? 'notStarted' : 'waiting';
};

export const stateWords: Record<HostState, string> = {
  requested: 'starting',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  waiting: 'waiting',
  notStarted: 'not started',
};

/** Sort order: the most urgent first. */
const rank: Record<HostState, number> = {
  failed: 0,
  interrupted: 1,
  notStarted: 2,
  cancelled: 3,
  running: 4,
  requested: 5,
  waiting: 6,
  succeeded: 7,
};

export interface HostRow extends FleetHost {
  state: HostState;
}

export const rowsOf = ({ run, hosts }: FleetDetail): HostRow[] =>
  hosts.map((host) => ({ ...host, state: stateOf(host, run) }));

/** Within each state, keeps the order of the request. */
export const failuresFirst = (rows: readonly HostRow[]): HostRow[] =>
  rows.toSorted((a, b) => rank[a.state] - rank[b.state]);

export const hasFailed = ({ state }: HostRow): boolean =>
  state === 'failed' || state === 'interrupted' || state === 'notStarted';

export interface Progress {
  all: number;
  succeeded: number;
  /** Failed, interrupted or not started. */
  failed: number;
  cancelled: number;
  underWay: number;
  waiting: number;
}

export const progressOf = (rows: readonly HostRow[]): Progress => {
  const count = (...states: HostState[]): number => rows.filter(({ state }) => states.includes(state)).length;
  return {
    all: rows.length,
    succeeded: count('succeeded'),
    failed: rows.filter(hasFailed).length,
    cancelled: count('cancelled'),
    underWay: count('running', 'requested'),
    waiting: count('waiting'),
  };
};

export const doneOf = ({ succeeded, failed, cancelled }: Progress): number => succeeded + failed + cancelled;

export const progressWords = (progress: Progress): string => {
  const { all, failed, cancelled, underWay, waiting } = progress;
  return [
    `${doneOf(progress)} of ${all} done`,
    failed > 0 && `${failed} did not succeed`,
    cancelled > 0 && `${cancelled} cancelled`,
    underWay > 0 && `${underWay} running`,
    waiting > 0 && `${waiting} waiting`,
  ]
    .filter((part) => part !== false)
    .join(', ');
};
