/** All scripts of the workspace. */
import { IconFileCode, IconPlus } from '@tabler/icons-react';
import { scripts } from '@quarterdeck/contract';
import { scriptColumns, type ScriptRow } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { useActorName } from '../../records/actor';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useListPage } from '../../ui/table/use-list-page';
import { ChangesBadge } from './ChangesBadge';
import { limitInWords } from './script-words';

const [name, changes, version, limit, changed] = scriptColumns;

export const ScriptListPage = () => {
  const navigate = useNavigate();
  const nameOf = useActorName();
  const { total, table } = useListPage(scripts.page, { defaultSort: 'name' });
  useShortcut('n', () => void navigate(paths.scriptAdd()));
  const columns = useMemo(
    (): Column<ScriptRow>[] => [
      { ...name, header: 'Name', priority: 1 },
      {
        ...changes,
        header: 'Effect',
        cell: ({ newest }) => <ChangesBadge changes={newest.changes} />,
        priority: 2,
      },
      { ...version, header: 'Version', align: 'right', width: '1%' },
      {
        ...limit,
        header: 'Time limit',
        cell: ({ newest }) => limitInWords(newest.timeoutSeconds),
        align: 'right',
        width: '1%',
      },
      { id: 'by', header: 'Changed by', value: (script) => nameOf(script.changedBy), sortable: false },
      {
        ...changed,
        header: 'Changed',
        cell: (script) => <RelativeTime at={script.changedAt} />,
        priority: 3,
      },
    ],
    [nameOf],
  );
  const add = (
    <Action icon={IconPlus} does={paths.scriptAdd()}>
      Add new
    </Action>
  );
  return (
    <>
      <PageHeader
        title="Scripts"
        count={total}
        description="Scripts that you run on servers. Every version is kept, and each run names its version."
        actions={add}
      />
      <DataTable
        label="Scripts"
        {...table}
        columns={columns}
        rowKey={(script) => script.id}
        href={(script) => paths.script(script.id)}
        onOpen={(script) => void navigate(paths.script(script.id))}
        actions={(script) => (
          <Link to={paths.fleet({ script: script.id })} aria-label={`Run ${script.name} on servers`}>
            Run on servers…
          </Link>
        )}
        searchable
        empty={
          <EmptyState title="No scripts yet" icon={IconFileCode} action={add}>
            Save a script to run it on any number of servers and compare the results.
          </EmptyState>
        }
      />
    </>
  );
};
