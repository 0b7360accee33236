/** How far in an event of a chain stands: behind the one that led to it. Pure. */
import type { Link } from './history.endpoints';

/** Further in, there would be no room left for words. */
const DEEPEST = 6;

/** @param chain oldest first */
export const withDepths = (chain: readonly Link[]): (Link & { depth: number })[] => {
  const depths = new Map<string, number>();
  return chain.map((link) => {
    const above = link.cause === undefined ? undefined : depths.get(link.cause);
    const depth = above === undefined ? 0 : Math.min(above + 1, DEEPEST);
    depths.set(link.position, depth);
    return { ...link, depth };
  });
};
