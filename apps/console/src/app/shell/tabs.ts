import type { Role } from '@quarterdeck/events';
import { paths, plainPath } from '../../core/paths';

export interface ShellTab {
  label: string;
  to: string;
  role: Role;
  keys: string;
  /** Other addresses whose pages also belong to this tab. */
  also?: readonly string[];
  /** Additional search words for the palette. */
  words?: string;
}

const tabs: readonly ShellTab[] = [
  { label: 'Home', to: paths.home(), role: 'member', keys: 'g o', also: [paths.superadmin()] },
  { label: 'Product', to: paths.products(), role: 'member', keys: 'g p' },
  { label: 'Domain', to: paths.domains(), role: 'admin', keys: 'g d' },
  { label: 'Server', to: paths.servers(), role: 'admin', keys: 'g s', also: [paths.fleet(), paths.cloud()] },
  { label: 'Script', to: paths.scripts(), role: 'admin', keys: 'g c' },
  {
    label: 'Request',
    to: paths.requests(),
    role: 'admin',
    keys: 'g q',
    words: 'saved requests http api collections variables',
  },
  {
    label: 'Workflow',
    to: paths.workflows(),
    role: 'admin',
    keys: 'g w',
    words: 'nodes transitions instances waiting approvals',
  },
  { label: 'Runs', to: paths.runs(), role: 'admin', keys: 'g r', also: [plainPath({ path: 'schedule' })] },
  {
    label: 'Alerts',
    to: paths.alerts(),
    role: 'admin',
    keys: 'g a',
    // By their paths: the nouns would bring their fields into the first page.
    also: [
      paths.expiryCalendar(),
      ...['alert-channel', 'alert-rule', 'maintenance-window'].map((path) => plainPath({ path })),
    ],
    words: 'certificates expiring expired channels rules slack e-mail maintenance quiet hours',
  },
  { label: 'History', to: paths.history(), role: 'admin', keys: 'g h' },
];

export const tabsFor = (can: (role: Role) => boolean): readonly ShellTab[] =>
  tabs.filter(({ role }) => can(role));

/** Compares whole path segments: `/app/servers` is not below `/app/server`. */
export const isBelow = (pathname: string, to: string): boolean =>
  pathname === to || pathname.startsWith(`${to}/`);

/** The tab whose link is the longest prefix of the address. */
export const activeTab = (pathname: string, shown: readonly ShellTab[]): ShellTab | undefined => {
  const links = shown.flatMap((tab) => [tab.to, ...(tab.also ?? [])].map((to) => ({ tab, to })));
  return links.filter(({ to }) => isBelow(pathname, to)).sort((a, b) => b.to.length - a.to.length)[0]?.tab;
};
