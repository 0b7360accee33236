/** Releases in words. Pure. */
import type { Answer, releases } from '@quarterdeck/contract';

export type Release = Answer<typeof releases.release>;

/** What the record says; and of a deploy that has no result, what its run says. */
export const stateOf = ({
  state,
  serves,
  stopped,
  run,
  behind,
}: Pick<Release, 'state' | 'serves' | 'stopped' | 'run' | 'behind'>): { is: string; label?: string } => {
  if (serves) return { is: 'serves', label: 'serves' };
  if (stopped) return { is: 'stopped' };
  if (state === 'served') return { is: 'served', label: 'served before' };
  if (state === 'failed') return { is: 'failed' };
  if (run === 'requested' && behind) return { is: run, label: 'waiting' };
  return { is: run === undefined || run === 'succeeded' ? 'requested' : run };
};

/** `Deploy 1.4.1`, and of which service or server if that is another one. */
export const behindInWords = (
  { label, of }: NonNullable<Release['behind']>,
  { service }: Pick<Release, 'service'>,
): string => (of === service.name ? label : `${label} of ${of}`);
