/** Describes releases in words. Pure. */
import type { Answer, deploys } from '@quarterdeck/contract';
import { deployPath } from '../../core/paths';

export type Release = Answer<typeof deploys.release>;

/** `Deploy 1.4.1`, followed by the service or server if it is not the same service. */
export const behindInWords = (
  { label, of }: NonNullable<Release['behind']>,
  { service }: Pick<Release, 'service'>,
): string => (of === service.name ? label : `${label} of ${of}`);

/** Path of a deploy's page. `other`: id of a deploy to compare with. */
export const releasePath = (
  { id, product, service }: Pick<Release, 'id' | 'product' | 'service'>,
  other?: string,
): string => {
  const page = deployPath(id, { product, service: service.id });
  return other === undefined ? page : `${page}?with=${other}`;
};
