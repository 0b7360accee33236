/** Describes releases in words. Pure. */
import type { Answer, releases } from '@quarterdeck/contract';

export type Release = Answer<typeof releases.release>;

/** The recorded state; for a deploy without a result, the state of its run. */
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

/** `Deploy 1.4.1`, with the service or server if it is another one. */
export const behindInWords = (
  { label, of }: NonNullable<Release['behind']>,
  { service }: Pick<Release, 'service'>,
): string => (of === service.name ? label : `${label} of ${of}`);
