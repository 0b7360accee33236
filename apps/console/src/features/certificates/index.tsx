import { part } from '../../ui/part';

/** Certificates are a part of their domains, whose page takes this panel in. */
export { SslMonitorPanel } from './SslMonitorPanel';
/** For the page of a domain. */
export { NextRenewal } from './NextRenewal';

/** On the page of the settings. */
export const MonitorSettings = part(
  () => import('./MonitorSettings').then((settings) => ({ default: settings.MonitorSettingsSection })),
  'Loading the settings of the SSL monitor',
);
