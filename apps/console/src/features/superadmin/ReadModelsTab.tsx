import { Flex, Group } from '@mantine/core';
import { superadmin } from '@quarterdeck/contract';
import { IconAlertCircle, IconChecks, IconRefresh } from '@tabler/icons-react';
import type {
  MaintenanceKind,
  ParkedStream,
  ProjectionStatus,
  ReadModelsView,
} from '@quarterdeck/projections';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { ActionMenu } from '../../ui/DetailPage';
import { ActionFailure } from '../../records/runs';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { MaintenancePanel } from './MaintenancePanel';
import { ParkedStreams } from './ParkedStreams';
import { lagInWords, readModelsInWords, standOf } from './superadmin-words';
import { Stacked } from '../../ui/Columns';
import { Note } from '../../ui/Note';
import type { ApiError } from '../../core/http';
import { useAction } from '../../ui/use-action';

const LOOK_MS = 3_000;
/** While maintenance is in progress. */
const WATCH_MS = 500;

const columns: readonly Column<ProjectionStatus>[] = [
  { id: 'name', header: 'Read model', value: ({ name }) => name, priority: 1 },
  {
    id: 'state',
    header: 'State',
    value: (status) => standOf(status).label,
    cell: (status) => {
      const { tone, label } = standOf(status);
      return (
        <StateBadge
          state={label}
          tone={tone}
          label={label}
          icon={tone === 'good' ? IconChecks : IconAlertCircle}
        />
      );
    },
    filter: 'category',
    priority: 2,
  },
  {
    id: 'version',
    header: 'Version',
    value: ({ version }) => version,
    cell: ({ version, storedVersion }) =>
      version === storedVersion ? version : `${storedVersion}, this program has ${version}`,
    align: 'right',
  },
  { id: 'position', header: 'Position', value: ({ position }) => Number(position), align: 'right' },
  {
    id: 'parked',
    header: 'Parked',
    value: ({ parked }) => parked,
    filter: 'number',
    align: 'right',
    priority: 3,
  },
  {
    id: 'updatedAt',
    header: 'Last event',
    value: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
];

export const ReadModelsTab = () => {
  const [interval, setInterval] = useState(LOOK_MS);
  const query = useAnswer(superadmin.projections, {}, { pollingInterval: interval });
  const busy = query.data?.current !== undefined || query.data?.progress !== undefined;
  const wanted = busy ? WATCH_MS : LOOK_MS;
  if (wanted !== interval) setInterval(wanted);
  return (
    <DataView query={query} what="Read models">
      {(view) => <ReadModels view={view} busy={busy} lookAgain={() => void query.refetch()} />}
    </DataView>
  );
};

interface ReadModelsProps {
  view: ReadModelsView;
  busy: boolean;
  lookAgain: () => void;
}

const ReadModels = ({ view, busy, lookAgain }: ReadModelsProps) => {
  const { start, cancel, retry, failure, dismiss } = useMaintenance(lookAgain);
  const reason = busy ? 'Other maintenance is in progress' : undefined;
  return (
    <Stacked gap={28}>
      <div>
        <Group justify="space-between" align="flex-start" gap="8px 24px" mb={12}>
          <Note maw="80ch" mb={12}>
            What pages show, computed from the event log: {lagInWords(view.lag)}, at position{' '}
            {Number(view.position).toLocaleString('en')}.
          </Note>
          <Flex gap={8} wrap="wrap">
            <Action
              icon={IconChecks}
              variant="default"
              disabled={busy}
              title={reason}
              does={() => start('verify', 'all')}
            >
              Verify all
            </Action>
            <Action icon={IconRefresh} disabled={busy} title={reason} does={() => start('rebuild', 'all')}>
              Rebuild all
            </Action>
          </Flex>
        </Group>
        <ActionFailure failure={failure} onClose={dismiss} />
        <MaintenancePanel view={view} onCancel={(maintenance) => void cancel(maintenance)} />
      </div>
      <DataTable
        label="Read models"
        rows={view.projections}
        columns={columns}
        rowKey={({ name }) => name}
        actions={({ name }) => (
          <ActionMenu
            label={`Actions of ${name}`}
            actions={[
              {
                label: 'Rebuild',
                icon: <IconRefresh size={15} />,
                onClick: () => void start('rebuild', name),
                disabledReason: reason,
              },
              {
                label: 'Verify',
                icon: <IconChecks size={15} />,
                onClick: () => void start('verify', name),
                disabledReason: reason,
              },
            ]}
          />
        )}
      />
      <ParkedStreams streams={view.parked} onRetry={retry} />
    </Stacked>
  );
};

/** Rebuild, verify, cancel and retry; a refusal of any of them is shown on the page. */
const useMaintenance = (lookAgain: () => void) => {
  const [rebuild] = useChange(superadmin.rebuild);
  const [verify] = useChange(superadmin.verify);
  const [sendCancel] = useChange(superadmin.cancel);
  const [sendRetry] = useChange(superadmin.retry);
  const { act, failure, dismiss } = useAction();

  const start = (kind: MaintenanceKind, readModel: string) => {
    const which = readModelsInWords(readModel);
    const rebuilds = kind === 'rebuild';
    return act({
      ask: {
        title: `${rebuilds ? 'Rebuild' : 'Verify'} ${which}?`,
        body: rebuilds
          ? 'They are rebuilt from the whole log beside the current ones, which stay in use until then. This needs as much disk space again, and can be cancelled.'
          : 'They are rebuilt from the whole log in separate tables and compared row by row with the current ones. Nothing changes, and it can be cancelled.',
        confirmLabel: rebuilds ? 'Rebuild' : 'Verify',
      },
      send: () => (rebuilds ? rebuild : verify)({ readModel }).unwrap().finally(lookAgain),
      failed: `${rebuilds ? 'The rebuild' : 'The verification'} of ${which} was refused`,
    });
  };

  const cancel = (maintenance: string) =>
    act({
      send: () => sendCancel({ maintenance }).unwrap().finally(lookAgain),
      failed: 'It could not be cancelled',
    });

  const sendAgain = async ({ projection, stream }: ParkedStream): Promise<void> => {
    const answer = await sendRetry({ readModel: projection, stream }).unwrap().finally(lookAgain);
    if (!answer.ok) throw { status: 409, msg: answer.error } satisfies Pick<ApiError, 'status' | 'msg'>;
  };
  const retry = (parked: ParkedStream) =>
    act({
      send: () => sendAgain(parked),
      done: `${parked.projection} contains ${parked.stream} again.`,
      failed: `${parked.stream} could not be folded into ${parked.projection}`,
    });

  return { start, cancel, retry, failure, dismiss };
};
