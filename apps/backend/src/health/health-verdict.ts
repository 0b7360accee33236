/**
 * Whether a server counts as reachable. Pure.
 *
 * One failed probe says little: a network blinks, a host is busy. So N of the last M have to fail before a server counts
 * as unreachable, and one that succeeds makes it reachable again.
 */
import type { ServerView, WorkspaceView } from '@quarterdeck/projections';

export type Reachability = NonNullable<ServerView['health']>['state'];
export type Rule = WorkspaceView['healthChecks'];

/** Room for the longest rule that may be chosen, so that a longer one needs no new beginning. */
const REMEMBERED = 20;

/** Newest last. */
export const remember = (outcomes: readonly boolean[], ok: boolean): boolean[] =>
  [...outcomes, ok].slice(-REMEMBERED);

/**
 * @param outcomes of the probes since this process took over, newest last
 * @param recorded what the log says
 * @returns what is to be recorded, if that is another
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
