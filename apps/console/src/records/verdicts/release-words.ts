/** Describes releases in words. Pure. */
import type { Answer, releases } from '@quarterdeck/contract';

export type Release = Answer<typeof releases.release>;

/** `Deploy 1.4.1`, and of which service or server if that is another one. */
export const behindInWords = (
  { label, of }: NonNullable<Release['behind']>,
  { service }: Pick<Release, 'service'>,
): string => (of === service.name ? label : `${label} of ${of}`);
