/**
 * Whether a server counts as reachable. Pure.
 *
 * One failed probe says little: networks have hiccups, hosts are busy. So N of the last M probes have to fail before a
 * server counts as unreachable. A single success makes it reachable again.
 */
import type { ServerView, WorkspaceView } from '@quarterdeck/projections';

export type Reachability = NonNullable<ServerView['health']>['state'];
export type Rule = WorkspaceView['healthChecks'];

/** Enough for the longest rule, so that a longer rule can start from existing outcomes. */
const REMEMBERED = 20;

/** Newest last. */
export const remember = (outcomes: readonly boolean[], ok: boolean): boolean[] =>
  [...outcomes, ok].slice(-REMEMBERED);

/**
 * @param outcomes of the probes since this process took over, newest last
 * @param recorded state in the log
 * @returns the state to record, if it differs
 */
export const verdict = (
  outcomes: readonly boolean[],
  { failures, outOf }: Pick<Rule, 'failures' | 'outOf'>,
  recorded: Reachability | undefined,
): Reachability | undefined => {
  const newest = outcomes.at(-1);
  if (newest === undefined) return undefined;
  if (newest) return recorded === 'reachable' ? undefined : 'reachable';
  const failed = outcomes.slice(-outOf).filter((ok) => !ok).length;
  return failed >= failures && recorded !== 'unreachable' ? 'unreachable' : undefined;
};
