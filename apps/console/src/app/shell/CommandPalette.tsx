/** Pages, actions, servers and domains by name; what was chosen last comes first. */
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import { domains as domainCalls, servers as serverCalls } from '@quarterdeck/contract';
import {
  IconArrowRight,
  IconKeyboard,
  IconPlayerPlay,
  IconPlus,
  IconSearch,
  IconServer,
  IconWorld,
} from '@tabler/icons-react';
import type { Role } from '@quarterdeck/events';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { rankActions, recall, remember } from './palette-ranking';
import { usePlainActions } from './plain-actions';
import { tabsFor } from './tabs';

interface CommandPaletteProps {
  opened: boolean;
  onClose: () => void;
  onHelp: () => void;
}

const SHOWN = 12;

/** Beside those that have a tab. */
const furtherPages: readonly { label: string; to: string; role: Role }[] = [
  { label: 'Members', to: paths.members(), role: 'admin' },
  { label: 'Profile', to: paths.profile(), role: 'member' },
  { label: 'Settings', to: paths.settings(), role: 'member' },
  { label: 'Superadmin', to: paths.superadmin(), role: 'superadmin' },
];

export default function CommandPalette({ opened, onClose, onHelp }: CommandPaletteProps) {
  const { can } = useSession();
  const navigate = useNavigate();
  const { data: servers = [] } = useAnswer(serverCalls.list, {}, { skip: !can('admin') });
  const { data: domains = [] } = useAnswer(domainCalls.list, {}, { skip: !can('admin') });
  const [query, setQuery] = useState('');
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened]);

  const go =
    (id: string, to: string): (() => void) =>
    () => {
      remember(id);
      void navigate(to);
    };
  const plain = usePlainActions(opened, go);
  const pages: SpotlightActionData[] = [
    ...tabsFor(can).map(({ label, to, keys }) => ({
      id: to,
      label,
      description: `Page, ${keys}`,
      onClick: go(to, to),
    })),
    ...furtherPages
      .filter(({ role }) => can(role))
      .map(({ label, to }) => ({ id: to, label, description: 'Page', onClick: go(to, to) })),
    {
      id: paths.logout(),
      label: 'Logout',
      description: 'Action',
      onClick: go(paths.logout(), paths.logout()),
    },
  ].map((page) => ({ ...page, leftSection: <IconArrowRight size={16} /> }));
  const actions: SpotlightActionData[] = [
    ...(can('admin')
      ? [
          {
            id: 'add-server',
            label: 'Add server',
            description: 'Action',
            leftSection: <IconPlus size={16} />,
            onClick: go('add-server', paths.serverAdd()),
          },
          {
            id: 'add-domain',
            label: 'Add domain',
            description: 'Action',
            leftSection: <IconPlus size={16} />,
            onClick: go('add-domain', paths.domainAdd()),
          },
          {
            id: 'add-script',
            label: 'Add script',
            description: 'Action',
            leftSection: <IconPlus size={16} />,
            onClick: go('add-script', paths.scriptAdd()),
          },
          ...plain.actions,
          {
            id: 'run-on-many',
            label: 'Run on many servers',
            description: 'Action',
            leftSection: <IconPlayerPlay size={16} />,
            onClick: go('run-on-many', paths.fleet()),
          },
        ]
      : []),
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      description: 'Action',
      leftSection: <IconKeyboard size={16} />,
      onClick: onHelp,
    },
  ];
  const named: SpotlightActionData[] = [
    ...servers.map((server) => ({
      id: server.id,
      label: server.alias,
      description: `Server, ${server.username}@${server.host}`,
      leftSection: <IconServer size={16} />,
      onClick: go(server.id, paths.server(server.id)),
    })),
    ...domains.map(({ id, serverName, server }) => ({
      id,
      label: serverName,
      description: server.alias ? `Domain on ${server.alias}` : 'Domain',
      leftSection: <IconWorld size={16} />,
      onClick: go(id, paths.domain(id)),
    })),
    ...plain.named,
  ];

  return (
    <Spotlight
      actions={rankActions([...actions, ...pages, ...named], query, recall()).slice(0, SHOWN)}
      // Already ranked: a second filter would drop what was found by its initials.
      filter={(_query, ranked) => ranked}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={() => {
        setQuery('');
        onClose();
      }}
      shortcut={null}
      scrollable
      maxHeight={420}
      nothingFound="Nothing found"
      searchProps={{
        leftSection: <IconSearch size={16} aria-hidden />,
        placeholder: 'Search pages, actions, servers and domains',
        'aria-label': 'Search pages, actions, servers and domains',
      }}
    />
  );
}
