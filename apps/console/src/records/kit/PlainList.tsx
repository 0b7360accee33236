/** The things of a plain noun in the generic table, one column for each field. */
import { Button } from '@mantine/core';
import { IconPlus, type Icon } from '@tabler/icons-react';
import type { PlainNoun } from '@quarterdeck/events';
import { useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useAnswer } from '../../core/calls';
import { toApiError } from '../../core/http';
import { useSession } from '../../core/session';
import { useShortcut } from '../../core/shortcuts';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import { useActorName } from '../actor';
import { columnsOf, type View } from './plain-fields';
import { anyCalls, wordsOf } from './use-plain';

interface PlainListProps {
  noun: PlainNoun;
  /** Its own address, below which `add` and the details are. */
  base: string;
  icon: Icon;
  /** What will appear here. */
  empty: string;
  description?: string | undefined;
  parent?: string | undefined;
}

export const PlainList = ({ noun, base, icon, empty, description, parent }: PlainListProps) => {
  const navigate = useNavigate();
  const { can } = useSession();
  const nameOf = useActorName();
  const input = noun.within === undefined ? {} : { [noun.within]: { id: parent } };
  const { data: rows, error, refetch } = useAnswer(anyCalls(noun).list, input);
  const { many, Many } = wordsOf(noun);
  useShortcut('n', can('admin') ? () => void navigate(`${base}/add`) : undefined);
  const columns = useMemo(
    (): Column<View>[] => [
      ...columnsOf(noun),
      { id: 'by', header: 'Changed by', value: (view) => nameOf(view.changedBy), filter: 'category' },
      {
        id: 'changed',
        header: 'Changed',
        value: (view) => view.changedAt,
        cell: (view) => <RelativeTime at={view.changedAt} />,
        priority: 3,
      },
    ],
    [noun, nameOf],
  );
  const add = can('admin') ? (
    <Button component={Link} to={`${base}/add`} leftSection={<IconPlus size={16} aria-hidden />}>
      Add new
    </Button>
  ) : undefined;
  const detail = ({ id }: View): string => `${base}/${id}/detail`;
  return (
    <>
      <PageHeader title={Many} count={rows?.length} description={description} actions={add} />
      <DataTable
        label={Many}
        rows={rows as View[] | undefined}
        columns={columns}
        rowKey={({ id }) => id}
        href={detail}
        onOpen={(view) => void navigate(detail(view))}
        error={error === undefined ? undefined : toApiError(error)}
        onRetry={() => void refetch()}
        defaultSort={noun.named}
        searchable
        empty={
          <EmptyState title={`No ${many} yet`} icon={icon} action={add}>
            {empty}
          </EmptyState>
        }
      />
    </>
  );
};
