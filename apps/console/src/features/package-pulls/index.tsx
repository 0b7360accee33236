import { part } from '../../ui/part';

/** For the page of a server. */
export const ServerPackagePulls = part(
  () => import('./ServerPackagePulls').then((tab) => ({ default: tab.ServerPackagePulls })),
  'Loading deploys',
);
