import { part } from '../../ui/part';

/** For the page of a domain. */
export const DomainAlerts = part(
  () => import('./DomainAlerts').then((card) => ({ default: card.DomainAlerts })),
  'Loading thresholds',
);

/** Shown above the list of domains. */
export { AlertPanel } from './AlertPanel';

export const AlertsPage = part(
  () => import('./AlertsPage').then((page) => ({ default: page.AlertsPage })),
  'Loading alerts',
);

export const CalendarPage = part(
  () => import('./CalendarPage').then((page) => ({ default: page.CalendarPage })),
  'Loading calendar',
);

/** For the settings page. */
export const AlertSettings = part(
  () => import('./AlertSettingsSection').then((settings) => ({ default: settings.AlertSettingsInPlace })),
  'Loading the settings of alerts',
);

/** For the frame of every page. */
export { default as AlertBanner } from './AlertBanner';
