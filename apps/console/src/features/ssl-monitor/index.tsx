import { part } from '../../ui/part';

/** Shown on the page of domains, because certificates belong to domains. */
export { SslMonitorPanel } from './SslMonitorPanel';
/** For the page of a domain. */
export { NextRenewal } from './NextRenewal';

/** For the settings page. */
export const MonitorSettings = part(
  () => import('./MonitorSettings').then((settings) => ({ default: settings.MonitorSettingsSection })),
  'Loading the settings of the SSL monitor',
);
