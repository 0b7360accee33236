/** Pages, actions and servers by name; what was chosen last comes first. */
import { Spotlight, spotlight, type SpotlightActionData } from '@mantine/spotlight';
import '@mantine/spotlight/styles.css';
import {
  IconArrowRight,
  IconKeyboard,
  IconPlayerPlay,
  IconPlus,
  IconSearch,
  IconServer,
} from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { api, tagsOf } from '../api';
import { paths } from '../paths';
import { useSession } from '../session';
import { rankActions, recall, remember } from './palette-ranking';
import { tabsFor } from './tabs';

const paletteApi = api.injectEndpoints({
  endpoints: (build) => ({
    serversByName: build.query<ServerView[], void>({
      query: () => ({ url: '/server/list', body: {} }),
      providesTags: tagsOf('servers'),
    }),
  }),
});

interface CommandPaletteProps {
  opened: boolean;
  onClose: () => void;
  onHelp: () => void;
}

const SHOWN = 12;

export default function CommandPalette({ opened, onClose, onHelp }: CommandPaletteProps) {
  const { can } = useSession();
  const navigate = useNavigate();
  const { data: servers = [] } = paletteApi.useServersByNameQuery(undefined, { skip: !can('admin') });
  const [query, setQuery] = useState('');
  useEffect(() => (opened ? spotlight.open() : spotlight.close()), [opened]);

  const go =
    (id: string, to: string): (() => void) =>
    () => {
      remember(id);
      void navigate(to);
    };
  const pages: SpotlightActionData[] = [
    ...tabsFor(can).map(({ label, to, keys }) => ({
      id: to,
      label,
      description: `Page, ${keys}`,
      onClick: go(to, to),
    })),
    ...(can('admin')
      ? [
          {
            id: paths.runs(),
            label: 'Runs',
            description: 'Page',
            onClick: go(paths.runs(), paths.runs()),
          },
        ]
      : []),
    {
      id: paths.profile(),
      label: 'Profile',
      description: 'Page',
      onClick: go(paths.profile(), paths.profile()),
    },
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
            id: 'add-script',
            label: 'Add script',
            description: 'Action',
            leftSection: <IconPlus size={16} />,
            onClick: go('add-script', paths.scriptAdd()),
          },
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
  const named: SpotlightActionData[] = servers.map((server) => ({
    id: server.id,
    label: server.alias,
    description: `Server, ${server.username}@${server.host}`,
    leftSection: <IconServer size={16} />,
    onClick: go(server.id, paths.server(server.id)),
  }));

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
        placeholder: 'Search pages, actions and servers',
        'aria-label': 'Search pages, actions and servers',
      }}
    />
  );
}
