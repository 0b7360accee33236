import { Button, Group, Loader } from '@mantine/core';
import { cloud } from '@quarterdeck/contract';
import type { DropletView } from '@quarterdeck/projections';
import { IconCloud, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import type { ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { ActionFailure, newRunId } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { DataTable, type Column } from '../../ui/DataTable';
import { ActionMenu } from '../../ui/DetailPage';
import { EmptyState } from '../../ui/EmptyState';
import { Dim } from '../../ui/Note';
import { StateBadge } from '../../ui/StateBadge';
import type { Tone } from '../../ui/tone';
import { useAction } from '../../ui/use-action';
import { AddDroplet } from './AddDroplet';
import { dropletActions, type DropletForm } from './droplet-actions';
import { DropletDialog } from './DropletDialog';
import { Started, useStarted } from './Started';

const ipOf = ({ networks: { v4 } }: DropletView): string | undefined => v4.at(-1)?.ip_address;

const tones: Readonly<Record<DropletView['status'], Tone>> = {
  new: 'busy',
  active: 'good',
  off: 'quiet',
  archive: 'quiet',
};

const columns: readonly Column<DropletView>[] = [
  { id: 'name', header: 'Name', value: ({ name }) => name, priority: 1 },
  {
    id: 'status',
    header: 'Status',
    value: ({ status }) => status,
    cell: ({ status }) => <StateBadge state={status} tone={tones[status]} />,
    filter: 'select',
    priority: 2,
  },
  {
    id: 'ip',
    header: 'IP',
    value: (row) => ipOf(row) ?? 'IP not ready yet',
    cell: (row) => ipOf(row) ?? <Dim>IP not ready yet</Dim>,
    mono: true,
    copy: true,
    priority: 3,
  },
  { id: 'size', header: 'Size', value: ({ size }) => size, mono: true, filter: 'select' },
  { id: 'region', header: 'Region', value: ({ region }) => region, mono: true, filter: 'select' },
  {
    id: 'price',
    header: 'USD a month',
    value: ({ priceMonthly }) => priceMonthly,
    align: 'right',
    unsearched: true,
  },
];

export const Droplets = () => {
  const query = useAnswer(cloud.dropletList);
  const navigate = useNavigate();
  const [adding, add] = useState(false);
  const [asked, ask] = useState<{ droplet: DropletView; form: DropletForm }>();
  const [associating, setAssociating] = useState<string>();
  const { ids, follow } = useStarted();
  const { act, busyWith, failure, dismiss } = useAction();
  const [deleteOne] = useChange(cloud.dropletDelete);
  const [perform] = useChange(cloud.dropletAct);
  const [associate] = useChange(cloud.dropletAssociate);

  const toServer = ({ id }: { id: string }): void => {
    // Its page may take a moment to load. A person who goes back then sees the list, not the dialog.
    ask(undefined);
    void navigate(paths.server(id));
  };
  const associateNow = async (droplet: DropletView): Promise<void> => {
    const { id, name, hostKey, run } = droplet;
    const withKey = (): void => ask({ droplet, form: 'associate' });
    // The console may have the key of a droplet that it created, also if this row does not say so yet.
    if (!hostKey && run === undefined) return withKey();
    setAssociating(id);
    await act({
      send: () =>
        associate({ id })
          .unwrap()
          .catch((error: ApiError) => {
            if (error.data?.['privateKey'] === undefined) throw error;
            withKey();
          }),
      done: (server) => void (server && toServer(server)),
      failed: `${name} could not be associated`,
    });
    setAssociating(undefined);
  };
  const remove = ({ id, name, server }: DropletView) =>
    act({
      ask: {
        title: `Delete ${name}?`,
        body: `The droplet and everything on it is deleted at DigitalOcean. ${server ? `The server ${server.alias} stays listed here.` : ''}`,
        confirmLabel: 'Delete droplet',
        danger: true,
        typeToConfirm: name,
      },
      send: (typed) => deleteOne({ id, name: typed, runId: newRunId() }).unwrap(),
      done: follow,
      failed: `${name} could not be deleted`,
      row: id,
    });
  const actionsOf = (droplet: DropletView) =>
    dropletActions(droplet, {
      ask: (form) => ask({ droplet, form }),
      perform: ({ type, label, question }) =>
        void act({
          ...(question !== undefined && {
            ask: { title: `${label} ${droplet.name}?`, body: question, confirmLabel: label, danger: true },
          }),
          send: () => perform({ id: droplet.id, type, runId: newRunId() }).unwrap(),
          done: follow,
          failed: `${label} of ${droplet.name} was not started`,
          row: droplet.id,
        }),
      open: (to) => void navigate(to),
    });

  return (
    <Card
      title="Droplets"
      actions={
        <DisabledInPast>
          <Action icon={IconPlus} variant="default" does={() => add(true)}>
            Add a new droplet
          </Action>
        </DisabledInPast>
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      <Started ids={ids} />
      {adding && (
        <AddDroplet
          onStarted={(run) => {
            follow(run);
            add(false);
          }}
          onCancel={() => add(false)}
        />
      )}
      {asked && (
        <DropletDialog {...asked} onStarted={follow} onAssociated={toServer} onClose={() => ask(undefined)} />
      )}
      <DataTable
        label="Cloud droplets"
        urlKey="droplets"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        searchable
        actions={(droplet) => (
          <Group gap={8} component="span" display="inline-flex" justify="flex-end">
            <Association
              droplet={droplet}
              associating={associating === droplet.id}
              onAssociate={() => void associateNow(droplet)}
            />
            <DisabledInPast>
              <Button
                size="compact-sm"
                variant="light"
                color="red"
                aria-label={`Delete ${droplet.name}`}
                loading={busyWith.includes(droplet.id)}
                onClick={() => void remove(droplet)}
              >
                Delete
              </Button>
            </DisabledInPast>
            <ActionMenu
              label={`Actions of ${droplet.name}`}
              actions={actionsOf(droplet)}
              busy={busyWith.includes(droplet.id)}
            />
          </Group>
        )}
        empty={
          <EmptyState title="No droplets yet" icon={IconCloud}>
            The droplets of the account will appear here, whoever created them.
          </EmptyState>
        }
      />
    </Card>
  );
};

const INITIALIZING = 'Server still initializing';

const notYet: Readonly<Record<Exclude<DropletView['status'], 'active'>, string>> = {
  new: INITIALIZING,
  off: 'Power it on to associate it',
  archive: 'Archived',
};

interface AssociationProps {
  droplet: DropletView;
  associating: boolean;
  onAssociate: () => void;
}

const Association = ({ droplet, associating, onAssociate }: AssociationProps) => {
  const { name, server, status, networks } = droplet;
  if (server) return <Link to={paths.server(server.id)}>already associated</Link>;
  if (associating) return <Loader size="xs" role="status" aria-label="Associating" />;
  if (status !== 'active') return <Dim>{notYet[status]}</Dim>;
  // A server is reached at its public address.
  if (!networks.v4.some(({ type }) => type === 'public')) return <Dim>{INITIALIZING}</Dim>;
  return (
    <DisabledInPast>
      <Button size="compact-sm" aria-label={`Associate ${name}`} onClick={onAssociate}>
        Associate
      </Button>
    </DisabledInPast>
  );
};
