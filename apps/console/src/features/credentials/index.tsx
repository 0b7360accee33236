import { lazy, Suspense } from 'react';
import { Loading } from '../../ui/Loading';

const LazySection = lazy(() => import('./CredentialsSection'));

/** On the page of the settings. */
export const CredentialsSection = () => (
  <Suspense fallback={<Loading label="Loading credentials" />}>
    <LazySection />
  </Suspense>
);

/** In the frame of every page. */
export { default as CredentialBanner } from './CredentialBanner';
