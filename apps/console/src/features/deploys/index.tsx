import type { ServerView } from '@quarterdeck/projections';
import { lazy, Suspense } from 'react';
import { Loading } from '../../ui/Loading';

const LazyServerDeploys = lazy(() =>
  import('./ServerDeploys').then((tab) => ({ default: tab.ServerDeploys })),
);

/** For the page of a server. */
export const ServerDeploys = ({ server }: { server: ServerView }) => (
  <Suspense fallback={<Loading label="Loading deploys" />}>
    <LazyServerDeploys server={server} />
  </Suspense>
);
