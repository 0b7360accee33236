/** All scripts of the workspace. */
import { Button } from '@mantine/core';
import { IconFileCode, IconPlus } from '@tabler/icons-react';
import { scripts } from '@quarterdeck/contract';
import type { ScriptView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { useActorName } from '../../records/actor';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { ChangesBadge, changesWords } from './ChangesBadge';
import { limitInWords, newestOf } from './script-words';

export const ScriptListPage = () => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const { data: rows, error, refetch } = useAnswer(scripts.list);
  useShortcut('n', () => void navigate(paths.scriptAdd()));
  const columns = useMemo(
    (): Column<ScriptView>[] => [
      { id: 'name', header: 'Name', value: (script) => script.name, filter: 'text', priority: 1 },
      {
        id: 'changes',
        header: 'What it does',
        value: (script) => changesWords(newestOf(script).changes),
        cell: (script) => <ChangesBadge changes={newestOf(script).changes} />,
        filter: 'category',
        priority: 2,
      },
      {
        id: 'version',
        header: 'Version',
        value: (script) => newestOf(script).version,
        align: 'right',
        width: '1%',
      },
      {
        id: 'limit',
        header: 'Time limit',
        value: (script) => newestOf(script).timeoutSeconds,
        cell: (script) => limitInWords(newestOf(script).timeoutSeconds),
        align: 'right',
        width: '1%',
      },
      {
        id: 'by',
        header: 'Changed by',
        value: (script) => nameOf(script.changedBy),
        filter: 'category',
      },
      {
        id: 'changed',
        header: 'Changed',
        value: (script) => script.changedAt,
        cell: (script) => <RelativeTime at={script.changedAt} />,
        priority: 3,
      },
    ],
    [nameOf],
  );
  const add = (
    <Button component={Link} to={paths.scriptAdd()} leftSection={<IconPlus size={16} aria-hidden />}>
      Add new
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Scripts"
        count={rows?.length}
        description="What you run on servers again and again, kept with every version that it has had. Each run names the version that it ran."
        actions={add}
      />
      <DataTable
        label="Scripts"
        rows={rows}
        columns={columns}
        rowKey={(script) => script.id}
        href={(script) => paths.script(script.id)}
        onOpen={(script) => void navigate(paths.script(script.id))}
        actions={(script) => (
          <Link to={paths.fleet({ script: script.id })} aria-label={`Run ${script.name} on servers`}>
            Run on servers…
          </Link>
        )}
        error={error === undefined ? undefined : toApiError(error)}
        onRetry={() => void refetch()}
        defaultSort="name"
        searchable
        empty={
          <EmptyState title="No scripts yet" icon={IconFileCode} action={add}>
            Save one, and it can be run on any number of servers at once, with the answers side by side.
          </EmptyState>
        }
      />
    </>
  );
};
