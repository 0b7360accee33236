/** The fixed entries of the palette: pages, settings and actions. */
import {
  IconArrowRight,
  IconHistory,
  IconKeyboard,
  IconPalette,
  IconPlayerPlay,
  IconPlus,
  IconSettings,
  type Icon,
} from '@tabler/icons-react';
import type { Role } from '@quarterdeck/events';
import { agoes, before } from '../../../core/as-of/agoes';
import { paths } from '../../../core/paths';
import { settingsSections } from '../../settings-sections';
import { tabsFor } from '../tabs';
import type { Ranked } from './ranking';

export interface Entry extends Ranked {
  icon: Icon;
  /** Address to navigate to. */
  to?: string;
  /** Router state that makes the page act at once. It is not in the address, since a link must not start anything. */
  state?: object;
  /** Action to run instead of navigating. */
  run?: () => void;
}

type Offered = Omit<Entry, 'id' | 'icon' | 'kind'> & {
  /** Who finds it. */
  role: Role;
  /** The page says how somebody gets this role. Default: `role`. */
  needs?: Role;
};

const pages: readonly Offered[] = [
  {
    label: 'Cloud hosting',
    to: paths.cloud(),
    role: 'admin',
    words: 'digitalocean droplets databases domains orphans costs',
  },
  { label: 'Expiry calendar', to: paths.expiryCalendar(), role: 'admin', words: 'certificates months' },
  { label: 'Running services', to: paths.running(), role: 'admin', words: 'services deploys running' },
  { label: 'Members', to: paths.members(), role: 'admin', words: 'people users roles' },
  { label: 'Invitations', to: paths.members('invitations'), role: 'admin', words: 'people users' },
  { label: 'Profile', to: paths.profile(), role: 'member', words: 'name email sessions accounts' },
  { label: 'Waits for me', to: paths.waiting(), role: 'member', words: 'workflows approvals questions' },
  { label: 'Settings', to: paths.settings(), role: 'member', words: 'preferences configuration' },
  { label: 'Superadmin', to: paths.superadmin(), role: 'superadmin', words: 'installation' },
  {
    label: 'Backups',
    to: paths.superadmin('backups'),
    role: 'admin',
    needs: 'superadmin',
    words: 'archive restore bucket s3 drill save data',
  },
];

const actions: readonly (Offered & { icon: Icon })[] = [
  { label: 'Add server', to: paths.serverAdd(), role: 'admin', icon: IconPlus, words: 'new register' },
  { label: 'Add domain', to: paths.domainAdd(), role: 'admin', icon: IconPlus, words: 'new site' },
  {
    label: 'Create a product with the wizard',
    to: paths.create(),
    role: 'admin',
    icon: IconPlus,
    words: 'new guided repository database service domain deploy',
  },
  {
    label: 'Deploy a container',
    to: paths.createDocker(),
    role: 'admin',
    icon: IconPlus,
    words: 'new docker subdomain image',
  },
  { label: 'Add script', to: paths.scriptAdd(), role: 'admin', icon: IconPlus, words: 'new' },
  {
    label: 'Invite somebody',
    to: paths.invite(),
    role: 'admin',
    icon: IconPlus,
    words: 'member person user',
  },
  {
    label: 'Fleet runs',
    to: paths.fleet(),
    role: 'admin',
    icon: IconPlayerPlay,
    words: 'run command script all many servers',
  },
  { label: 'Logout', to: paths.logout(), role: 'member', icon: IconArrowRight, words: 'sign out' },
];

interface Own {
  onHelp: () => void;
  /** Absent where the past cannot be shown. */
  travel: ((at: string) => void) | undefined;
  setScheme: (scheme: 'light' | 'dark' | 'auto') => void;
}

export const fixedEntries = (can: (role: Role) => boolean, { onHelp, travel, setScheme }: Own): Entry[] => [
  ...tabsFor(can).map(({ label, to, keys, words = '' }) => ({
    id: to,
    label,
    to,
    kind: 'Page',
    icon: IconArrowRight,
    description: keys,
    words,
  })),
  ...pages
    .filter(({ role }) => can(role))
    .map(({ needs, ...page }) => ({
      ...page,
      id: page.to ?? page.label,
      kind: 'Page',
      icon: IconArrowRight,
      ...(needs && !can(needs) && { description: `for ${needs}s only` }),
    })),
  ...settingsSections
    .filter(({ role }) => can(role))
    .map(({ id, label, words }) => ({
      id: `settings ${id}`,
      label,
      words,
      kind: 'Setting',
      icon: IconSettings,
      to: paths.settings(id),
    })),
  ...actions
    .filter(({ role }) => can(role))
    .map((action) => ({ ...action, id: action.to ?? action.label, kind: 'Action' })),
  {
    id: 'shortcuts',
    label: 'Keyboard shortcuts',
    kind: 'Action',
    icon: IconKeyboard,
    words: 'help keys',
    run: onHelp,
  },
  ...(travel
    ? agoes.map(({ words, ms }) => ({
        id: `ago ${words}`,
        label: `The console ${words} ago`,
        kind: 'Instant',
        icon: IconHistory,
        words: 'past time travel before compare then as of',
        run: () => travel(before(ms)),
      }))
    : []),
  ...(['light', 'dark', 'auto'] as const).map((scheme) => ({
    id: `scheme-${scheme}`,
    label: scheme === 'auto' ? 'System colours' : scheme === 'dark' ? 'Dark colours' : 'Light colours',
    kind: 'Action',
    icon: IconPalette,
    words: 'theme mode scheme appearance color',
    run: () => setScheme(scheme),
  })),
];
