/** Releases in words. Pure. */
import type { Answer, releases } from '@quarterdeck/contract';

export type Release = Answer<typeof releases.release>;

/** What the record says; and of a deploy that has no result, what its run says. */
export const stateOf = ({
  state,
  serves,
  stopped,
  run,
}: Pick<Release, 'state' | 'serves' | 'stopped' | 'run'>): { is: string; label?: string } => {
  if (serves) return { is: 'serves', label: 'serves' };
  if (stopped) return { is: 'stopped' };
  if (state === 'served') return { is: 'served', label: 'served before' };
  if (state === 'failed') return { is: 'failed' };
  return { is: run === undefined || run === 'succeeded' ? 'requested' : run };
};
