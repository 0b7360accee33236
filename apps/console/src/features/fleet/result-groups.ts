/**
 * Groups servers by their output. The recorded digests are enough for grouping, so only one output of each group is
 * fetched to show it. Pure.
 */
import { reasonBesideAsking } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { exitCodeOf } from '../../records/runs';
import { count } from '../../ui/count';
import type { HostRow } from './host-state';

export interface ResultGroup {
  key: string;
  hosts: HostRow[];
  exitCode?: number;
  /** Run of one server of the group; the others printed the same. Absent if there is no output. */
  run?: RunView;
  bytes: number;
  /** Why there is no output. */
  reason?: string;
}

export interface Results {
  /** The most common output first; groups without output last. */
  groups: ResultGroup[];
  /** Number of servers that have not ended yet. */
  pending: number;
}

const outputOf = ({ steps }: RunView): { bytes: number; sha256: string } | undefined => steps.at(-1)?.output;

const groupOf = (host: HostRow): ResultGroup => {
  const { run, notStarted } = host;
  const exitCode = run && exitCodeOf(run);
  const output = run && outputOf(run);
  if (run && output && (exitCode !== undefined || output.bytes > 0)) {
    const key = `${exitCode ?? run.state} ${output.sha256}`;
    return { key, hosts: [host], run, bytes: output.bytes, ...(exitCode !== undefined && { exitCode }) };
  }
  const ended = run?.reason && (reasonBesideAsking(run.reason) || 'Cancelled.');
  const reason = ended ?? notStarted ?? 'Not started.';
  return { key: `no output ${run?.code ?? reason}`, hosts: [host], bytes: 0, reason };
};

const hasEnded = ({ state }: HostRow): boolean =>
  state !== 'running' && state !== 'requested' && state !== 'waiting';

export const resultsOf = (rows: readonly HostRow[]): Results => {
  const ended = rows.filter(hasEnded);
  const groups = new Map<string, ResultGroup>();
  for (const host of ended) {
    const group = groupOf(host);
    const known = groups.get(group.key);
    if (known) known.hosts.push(host);
    else groups.set(group.key, group);
  }
  const silent = ({ reason }: ResultGroup): number => (reason === undefined ? 0 : 1);
  const sorted = [...groups.values()].sort(
    (a, b) => silent(a) - silent(b) || b.hosts.length - a.hosts.length,
  );
  return { groups: sorted, pending: rows.length - ended.length };
};

/** `Same output on 38 servers, 2 differ` */
export const resultsInWords = ({ groups, pending }: Results): string => {
  const withOutput = groups.filter(({ reason }) => reason === undefined);
  const silent = groups.reduce(
    (sum, group) => sum + (group.reason === undefined ? 0 : group.hosts.length),
    0,
  );
  const [most, ...others] = withOutput;
  const differ = others.reduce((sum, { hosts }) => sum + hosts.length, 0);
  const said = ((): string | undefined => {
    if (!most) return undefined;
    if (differ === 0)
      return most.hosts.length === 1
        ? 'Output of 1 server'
        : `Same output on ${count(most.hosts.length, 'server')}`;
    if (most.hosts.length === 1) return `Different output on each of ${count(withOutput.length, 'server')}`;
    return `Same output on ${count(most.hosts.length, 'server')}, ${differ} ${differ === 1 ? 'differs' : 'differ'}`;
  })();
  return [
    said,
    silent > 0 && `no output from ${count(silent, 'server')}`,
    pending > 0 && `${count(pending, 'server')} not done yet`,
  ]
    .filter((part) => typeof part === 'string')
    .join(', ');
};
