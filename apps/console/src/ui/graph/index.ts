/** Loads the graph together with its library's stylesheet, which no other page needs. */
import { part } from '../part';

export const Graph = part(async () => {
  const [graph, { loadBaseStyles }] = await Promise.all([import('./Graph'), import('./base-styles')]);
  await loadBaseStyles();
  return graph;
}, 'Loading...');

export type { Direction, Point } from './routes';
export { signOf } from './picture';
export type { Drawn, PlainArrow, PlainBox } from './layout';
export type { Hands, Mark } from './Graph';
