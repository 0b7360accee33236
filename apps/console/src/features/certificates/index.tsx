import { lazy, Suspense } from 'react';
import type { WorkspaceView } from '@quarterdeck/projections';
import { Loading } from '../../ui/Loading';

const LazySettings = lazy(() =>
  import('./MonitorSettings').then((settings) => ({ default: settings.MonitorSettingsSection })),
);

/** Certificates are a part of their domains, whose page takes this panel in. */
export { SslMonitorPanel } from './SslMonitorPanel';
/** For the page of a domain. */
export { NextRenewal } from './NextRenewal';

/** On the page of the settings. */
export const MonitorSettings = ({ workspace }: { workspace: WorkspaceView }) => (
  <Suspense fallback={<Loading label="Loading the settings of the SSL monitor" />}>
    <LazySettings workspace={workspace} />
  </Suspense>
);
