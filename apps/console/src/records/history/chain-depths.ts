/** The depth of each event in a chain: one more than that of its cause. Pure. */
import type { Link } from './history.endpoints';

/** Deeper indents would leave no room for text. */
const DEEPEST = 6;

/** @param chain Oldest first. */
export const withDepths = (chain: readonly Link[]): (Link & { depth: number })[] => {
  const depths = new Map<string, number>();
  return chain.map((link) => {
    const above = link.cause === undefined ? undefined : depths.get(link.cause);
    const depth = above === undefined ? 0 : Math.min(above + 1, DEEPEST);
    depths.set(link.position, depth);
    return { ...link, depth };
  });
};
