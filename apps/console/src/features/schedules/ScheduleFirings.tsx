/** What came of the times of a schedule. */
import { schedules, type ScheduleFiring } from '@quarterdeck/contract';
import { IconCalendarClock } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { DataTable, type Column } from '../../ui/DataTable';
import { EmptyState } from '../../ui/EmptyState';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { firingInWords } from './schedule-words';

const tones = { skipped: 'warn', missed: 'warn', refused: 'bad', waiting: 'info' } as const;

export const Outcome = ({ firing }: { firing: ScheduleFiring }) => {
  const { id, is, run = 'requested' } = firing;
  if (is !== 'started') return <StateBadge state={is} tone={tones[is]} label={firingInWords(firing)} />;
  return (
    <Link to={paths.run(id)}>
      <StateBadge state={run} label={firingInWords(firing)} />
    </Link>
  );
};

export const ScheduleFirings = ({ id }: { id: string }) => {
  const query = useAnswer(schedules.firings, { id });
  const columns = useMemo(
    (): Column<ScheduleFiring>[] => [
      {
        id: 'at',
        header: 'Date',
        value: ({ at }) => at,
        cell: ({ at }) => <RelativeTime at={at} />,
        priority: 2,
      },
      {
        id: 'outcome',
        header: 'Outcome',
        value: (firing) => firingInWords(firing),
        cell: (firing) => <Outcome firing={firing} />,
        priority: 1,
      },
      {
        id: 'due',
        header: 'Was due',
        value: ({ occurrence }) => occurrence ?? '',
        cell: ({ occurrence }) => (occurrence === undefined ? 'started by hand' : absoluteTime(occurrence)),
        priority: 3,
      },
      { id: 'reason', header: 'Reason', value: ({ reason }) => reason ?? '' },
    ],
    [],
  );
  return (
    <DataTable
      label="Times of the schedule"
      query={query}
      columns={columns}
      urlKey="fired"
      rowKey={({ id: firing }) => firing}
      empty={
        <EmptyState title="Not due yet" icon={IconCalendarClock}>
          What it starts, leaves out and misses will appear here.
        </EmptyState>
      }
    />
  );
};
