import { part } from '../../ui/part';

/** For the page of a server. */
export const ServerDeploys = part(
  () => import('./ServerDeploys').then((tab) => ({ default: tab.ServerDeploys })),
  'Loading deploys',
);
