/** The records of a plain noun in a table with a column for each field. */
import { IconPlus, IconTableOptions, type Icon } from '@tabler/icons-react';
import type { PlainNoun } from '@quarterdeck/events';
import { useMemo, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useSession } from '../../core/session';
import { useShortcut } from '../../core/shortcuts';
import { Action } from '../../ui/Action';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { PageHeader } from '../../ui/PageHeader';
import { RelativeTime } from '../../ui/RelativeTime';
import type { QueryLike } from '../../ui/query';
import { useListPage } from '../../ui/table/use-list-page';
import { useActorName } from '../actor';
import { columnsOf, detailPath, type Cells, type OnCard, type Parents, type View } from './record-fields';
import { useOrderedQuery, usePlace } from './use-ordered';
import { useOrdering } from './use-ordering';
import { anyCalls, wordsOf } from './use-record';

/** Path below the list: all records as a table that is edited. */
export const SHEET = 'rows';

interface RecordListProps {
  noun: PlainNoun;
  /** Path of the list; `add` and the detail pages are below it. */
  base: string;
  icon: Icon;
  /** Text of the empty list: what will appear in it. */
  empty: string;
  description?: string | undefined;
  /** Where a record opens, below its detail page. */
  opensAt?: string | undefined;
  parents?: Parents | undefined;
  cells?: Cells | undefined;
  onCard?: OnCard | undefined;
  /** Replaces the columns of the fields. */
  columns?: readonly Column<View>[] | undefined;
  /** Actions of a row that change nothing. */
  rowActions?: ((view: View) => ReactNode) | undefined;
  reading?: ReactNode;
}

export const RecordList = (props: RecordListProps) => {
  const { noun, base, icon, empty, description, parents, cells, onCard, rowActions, reading, opensAt } =
    props;
  const navigate = useNavigate();
  const { can } = useSession();
  const nameOf = useActorName();
  const isOrdered = noun.inOrder !== undefined;
  const place = usePlace(noun, parents);
  const whole = useOrderedQuery(noun, parents);
  const page = useListPage(anyCalls(noun).page, { defaultSort: noun.named, within: place, skip: isOrdered });
  const rows = whole.data as View[] | undefined;
  const handle = useOrdering(noun, parents, rows ?? []);
  const table = isOrdered ? { query: whole } : page.table;
  const { many, Many } = wordsOf(noun);
  useShortcut('n', can(noun.changedBy) ? () => void navigate(`${base}/add`) : undefined);
  const columns = useMemo(
    (): Column<View>[] => [
      ...(props.columns ?? columnsOf(noun, cells, onCard)),
      { id: 'by', header: 'Changed by', value: (view) => nameOf(view.changedBy), sortable: false },
      {
        id: 'changed',
        header: 'Changed',
        value: (view) => view.changedAt,
        cell: (view) => <RelativeTime at={view.changedAt} />,
        priority: 3,
      },
    ],
    [noun, nameOf, cells, onCard, props.columns],
  );
  const add = can(noun.changedBy) ? (
    <Action icon={IconPlus} does={`${base}/add`}>
      Add new
    </Action>
  ) : undefined;
  const detail = ({ id }: View): string => detailPath(base, id, opensAt);
  return (
    <>
      <PageHeader
        title={Many}
        count={isOrdered ? rows?.length : page.total}
        description={description}
        actions={add}
        reading={
          isOrdered && can(noun.changedBy) ? (
            <>
              {reading}
              <DisabledInPast>
                <Action variant="default" icon={IconTableOptions} does={`${base}/${SHEET}`}>
                  Edit as table
                </Action>
              </DisabledInPast>
            </>
          ) : (
            reading
          )
        }
      />
      <DataTable
        label={Many}
        {...(table as { query: QueryLike<View[]> })}
        columns={columns}
        rowKey={({ id }) => id}
        href={detail}
        onOpen={(view) => void navigate(detail(view))}
        actions={handle ?? rowActions}
        {...(columns.some(({ onDemand }) => onDemand) && { chooser: noun.rows })}
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
