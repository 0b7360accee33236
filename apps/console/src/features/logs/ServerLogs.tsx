/** Logs of what runs on a server: containers, systemd units, nginx and sites, several in one time line. */
import { Group, MultiSelect } from '@mantine/core';
import { logs, type Answer } from '@quarterdeck/contract';
import { logKey, MAX_LOGS_AT_ONCE } from '@quarterdeck/events/inputs';
import { IconFileText, IconRefresh } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { Action } from '../../ui/Action';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import { Note } from '../../ui/Note';
import { LogViewer } from './LogViewer';

type ListedLog = Answer<typeof logs.sources>['sources'][number];

const groups = {
  service: 'Services',
  container: 'Containers',
  unit: 'systemd units',
  nginx: 'nginx',
  site: 'Sites',
} as const;

const LOG = 'log';

export const ServerLogs = ({ server }: { server: { id: string; alias: string } }) => {
  const query = useAnswer(logs.sources, { id: server.id });
  const [params, setParams] = useSearchParams();
  const keys = params.getAll(LOG);
  const listed = query.data?.sources;
  const data = useMemo(() => (listed ? grouped(listed) : []), [listed]);
  if (query.error) return <ErrorState what="Logs" error={query.error} onRetry={() => void query.refetch()} />;
  if (!listed) return <Loading label="Asking the server for its logs" />;
  const chosen = keys.flatMap((key) => listed.find(({ source }) => logKey(source) === key) ?? []);
  const choose = (wanted: readonly string[]): void =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(LOG);
        for (const key of wanted) next.append(LOG, key);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <Group gap={8} mb={12} align="flex-end">
        <MultiSelect
          style={{ flex: '1 1 280px' }}
          label="Logs"
          description={`Up to ${MAX_LOGS_AT_ONCE} in one time line.`}
          placeholder={keys.length === 0 ? 'Choose containers, units, sites' : ''}
          data={data}
          value={chosen.map(({ source }) => logKey(source))}
          onChange={choose}
          maxValues={MAX_LOGS_AT_ONCE}
          searchable
          clearable
          limit={200}
          nothingFoundMessage="No such log"
          comboboxProps={{ withinPortal: true }}
        />
        <Action icon={IconRefresh} variant="default" does={() => query.refetch()} loading={query.isFetching}>
          Refresh
        </Action>
      </Group>
      {query.data?.problems.map((problem) => (
        <Note key={problem} mb={8} fz="sm">
          {problem}
        </Note>
      ))}
      {chosen.length === 0 ? (
        <EmptyState title={listed.length === 0 ? 'No logs found' : 'Choose a log'} icon={IconFileText}>
          {listed.length === 0
            ? 'This server names no containers, systemd units or sites.'
            : 'Its lines will appear here while they are written. Nothing of them is stored unless you save a piece.'}
        </EmptyState>
      ) : (
        <LogViewer server={server.id} filename={`${server.alias}.log`} chosen={chosen} />
      )}
    </>
  );
};

const grouped = (listed: readonly ListedLog[]) =>
  Object.entries(groups).flatMap(([kind, group]) => {
    const items = listed
      .filter(({ source }) => source.kind === kind)
      .map(({ source, name, state }) => ({
        value: logKey(source),
        label: state === undefined ? name : `${name} · ${state}`,
      }));
    return items.length === 0 ? [] : [{ group, items }];
  });
