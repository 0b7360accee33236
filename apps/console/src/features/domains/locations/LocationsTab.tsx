/** The locations of a domain. */
import { apiInstances, callsOf, locations, packagePulls, type ApiAddress } from '@quarterdeck/contract';
import { product, service } from '@quarterdeck/events';
import { IconEye, IconFileText, IconPencil, IconPlus, IconRoute, IconTrash } from '@tabler/icons-react';
import type { DomainView, LocationView, PackagePullView, ViewOf } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useAnswer, useChange } from '../../../core/calls';
import { DisabledInPast } from '../../../core/as-of/in-past';
import { useShortcut } from '../../../core/shortcuts';
import { Action } from '../../../ui/Action';
import { DataTable, type Column } from '../../../ui/DataTable';
import { ActionMenu } from '../../../ui/DetailPage';
import { EmptyState } from '../../../ui/EmptyState';
import type { DomainRuns } from '../use-domain-runs';
import { deedOf, deedWords, envWords, matchMark } from './location-fields';
import { NEW_LOCATION, useLocationInAddress } from './location-in-address';
import { Link, useNavigate } from 'react-router';
import { below, paths, plainPath } from '../../../core/paths';
import { confirmAction } from '../../../ui/confirm';
import { undoOf } from '../../../records/history';
import { toast } from '../../../ui/toast';

const targetOf = (location: LocationView): string => {
  const { url = '', redirectCode = 301, volumes } = location;
  const deed = deedOf(location);
  if (deed === 'redirect') return `${redirectCode} ${url}`;
  if (deed === 'files') return volumes ?? 'folder of the domain';
  return deed === 'proxy' ? url : '';
};

const extrasOf = (location: LocationView): string => {
  const { isCorsEnabled, corsOrigins, websocket, timeout, singlePage, maxBody } = location;
  return [
    isCorsEnabled && (corsOrigins === undefined ? 'CORS' : 'CORS with cookies'),
    websocket && 'WebSockets',
    timeout !== undefined && `${timeout} s`,
    singlePage && 'single page',
    maxBody !== undefined && `${maxBody} MB`,
  ]
    .filter(Boolean)
    .join(', ');
};

const columnsWith = (
  packages: readonly PackagePullView[],
  apis: readonly ApiAddress[],
  services: readonly ViewOf<typeof service>[],
): Column<LocationView>[] => [
  {
    id: 'location',
    header: 'Location',
    value: ({ match, location }) => matchMark[match] + location,
    mono: true,
    priority: 1,
  },
  {
    id: 'deed',
    header: 'Action',
    value: (location) => deedWords[deedOf(location, apis)],
    filter: 'category',
    priority: 2,
  },
  { id: 'target', header: 'Target', value: targetOf, mono: true, priority: 3 },
  {
    id: 'service',
    header: 'Service',
    value: (location) => services.find(({ id }) => id === location.service?.id)?.name,
    cell: (location) => {
      const found = services.find(({ id }) => id === location.service?.id);
      if (!found) return location.service && 'deleted';
      const to = plainPath(product, found.product, `${below.service}/${found.id}/detail`);
      return <Link to={to}>{found.name}</Link>;
    },
    filter: 'category',
  },
  {
    id: 'env',
    header: 'Environment',
    value: ({ env }) => env !== undefined && (envWords[env] ?? env),
    cell: ({ env }) => env !== undefined && (envWords[env] ?? env),
    filter: 'category',
  },
  {
    id: 'package',
    header: 'Package',
    value: ({ deployLog }) => packages.find(({ id }) => id === deployLog?.id)?.slug ?? deployLog?.id,
  },
  { id: 'extras', header: 'Options', value: extrasOf },
];

const none: PackagePullView[] = [];
const noServices: ViewOf<typeof service>[] = [];
const noApis: ApiAddress[] = [];

export const LocationsTab = ({ domain, runs }: { domain: DomainView; runs: DomainRuns }) => {
  const { wanted, go } = useLocationInAddress();
  const { data: packages = none } = useAnswer(packagePulls.list, {
    filters: { server: { id: domain.server.id } },
  });
  const { data: apis = noApis } = useAnswer(apiInstances.addresses, {});
  const { data: services = noServices } = useAnswer(callsOf(service).list, {});
  const columns = useMemo(() => columnsWith(packages, apis, services), [packages, apis, services]);
  const actions = useLocationActions(domain, runs);
  const addNew = (): void => go(NEW_LOCATION);
  useShortcut('n', wanted === null ? addNew : undefined);
  const add = (
    <DisabledInPast>
      <Action icon={IconPlus} does={addNew}>
        Add location
      </Action>
    </DisabledInPast>
  );
  return (
    <DataTable
      label={`Locations of ${domain.serverName}`}
      rows={domain.locations}
      columns={columns}
      rowKey={({ id }) => id}
      onOpen={({ id }) => go(id)}
      urlKey="locations"
      searchable={domain.locations.length > 5}
      tools={add}
      actions={(location) => (
        <ActionMenu
          label={`Actions of ${location.location}`}
          actions={[
            { label: 'Edit', icon: <IconPencil size={16} />, onClick: () => go(location.id) },
            {
              label: 'Read its logs',
              icon: <IconFileText size={16} />,
              onClick: () => void actions.readLogs(location),
            },
            {
              label: 'Inspect',
              icon: <IconEye size={16} />,
              onClick: () => void actions.inspect(location),
            },
            {
              label: 'Delete location',
              icon: <IconTrash size={16} />,
              danger: true,
              onClick: () => void actions.remove(location),
            },
          ]}
        />
      )}
      empty={
        <EmptyState title="No locations yet" icon={IconRoute} action={add}>
          Without locations, the domain answers 404. Add one to proxy requests to a service, redirect them or
          serve static files.
        </EmptyState>
      }
    />
  );
};

/* The actions in the menu of a location. */

/** How long the logs are followed. */
const FOLLOWED_SECONDS = 60;

const useLocationActions = (domain: DomainView, runs: DomainRuns) => {
  const navigate = useNavigate();
  const [read] = useChange(locations.logs);
  const [look] = useChange(locations.inspect);
  const [removeLocation] = useChange(locations.delete);

  /** Starts a run and opens its page, because the output is what the operator wants. */
  const watch = async (what: string, send: (runId: string) => Promise<{ runId: string }>): Promise<void> => {
    let started = '';
    const sent = await runs.start(what, async (asked) => {
      const { runId } = await send(asked);
      started = runId;
      return { runId };
    });
    if (sent) await navigate(paths.run(started));
  };

  const readLogs = ({ id, location }: LocationView) =>
    watch(`The logs of ${location} could not be read`, (runId) =>
      read({ id, seconds: FOLLOWED_SECONDS, runId }).unwrap(),
    );
  const inspect = ({ id, location }: LocationView) =>
    watch(`${location} could not be inspected`, (runId) => look({ id, runId }).unwrap());

  const remove = async ({ id, location }: LocationView): Promise<void> => {
    const sure = await confirmAction({
      title: `Delete ${location} of ${domain.serverName}?`,
      body: 'The server does not change until you apply the configuration again.',
      confirmLabel: 'Delete location',
      danger: true,
    });
    if (!sure) return;
    const gone = await runs.start(`${location} could not be deleted`, async () => {
      await removeLocation({ id }).unwrap();
      return {};
    });
    if (gone)
      toast.success(`${location} was deleted.`, undoOf({ category: 'domain', id: domain.id, location: id }));
  };

  return { readLogs, inspect, remove };
};
