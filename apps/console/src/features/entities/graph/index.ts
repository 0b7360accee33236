/** Loads the graph together with its library's stylesheet, which no other page needs. */
import { part } from '../../../ui/part';

export const Graph = part(async () => {
  const [graph, { loadBaseStyles }] = await Promise.all([import('./Graph'), import('./base-styles')]);
  await loadBaseStyles();
  return graph;
}, 'Loading...');
