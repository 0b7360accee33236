/** The sections of the Settings page, for its navigation and for the command palette. */
import type { Role } from '@quarterdeck/events';

export interface SettingsSection {
  /** Value of `?section=` in the address. */
  id: string;
  label: string;
  group: 'Personal' | 'Workspace';
  role: Role;
  /** Additional search words for the palette. */
  words: string;
}

const workspace = (id: string, label: string, words: string): SettingsSection => ({
  id,
  label,
  words,
  group: 'Workspace',
  role: 'admin',
});

export const settingsSections: readonly SettingsSection[] = [
  {
    id: 'source-host',
    label: 'Source-code host',
    group: 'Personal',
    role: 'member',
    words: 'github token username credentials packages',
  },
  workspace('health-checks', 'Health checks', 'servers interval seconds failed unreachable'),
  workspace('dns', 'DNS', 'server resolvers records provider dynamic update digitalocean ttl'),
  workspace('ssl-monitor', 'SSL monitor', 'certificates schedule concurrency renew expiring'),
  workspace('alerts', 'Alerts', 'notifications webhook email thresholds days certificates'),
  workspace('mail-server', 'Mail server', 'smtp e-mails send again resend'),
  workspace('repositories', 'Repositories', 'github source code templates organization private'),
  workspace('registries', 'Container registries', 'docker images private login token password pull'),
  workspace('container-deploys', 'Container deploys', 'server docker'),
  workspace('run-output', 'Retention', 'output of runs e-mails days keep remove logs'),
  workspace(
    'second-factor',
    'Second factor',
    'mfa 2fa totp passkey authenticator sign in security everybody',
  ),
  {
    id: 'audience',
    label: 'Who may sign in',
    group: 'Workspace',
    role: 'superadmin',
    words: 'users of a product operators access denied',
  },
  workspace('changes', 'Changes', 'history of the settings compare undo'),
];
