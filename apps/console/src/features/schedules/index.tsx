/** Schedules: what is started by itself at its times, when it is due next, and what came of it. */
import { schedules, type ScheduleState } from '@quarterdeck/contract';
import { schedule } from '@quarterdeck/events';
import { IconCalendarClock, IconPlayerPlay } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useAsOf } from '../../core/as-of/as-of-state';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { columnsOf, RecordArea, type View } from '../../records/kit';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import type { Column } from '../../ui/DataTable';
import { Dim, Note } from '../../ui/Note';
import { RelativeTime } from '../../ui/RelativeTime';
import { useAction } from '../../ui/use-action';
import { explainsDraft, NextTimes } from './NextTimes';
import { doesInWords, zoneOf, type ScheduleView } from './schedule-words';
import { ScheduleBadge } from './ScheduleBadge';
import { Outcome, ScheduleFirings } from './ScheduleFirings';

const scheduleIn = (view: object): ScheduleView => view as ScheduleView;

const useStates = () => {
  const inPast = useAsOf() !== undefined;
  const { data } = useAnswer(schedules.states, {}, { skip: inPast });
  return useMemo(() => new Map(data?.map((one) => [one.id, one])), [data]);
};

const none = { sortable: false as const, value: () => undefined };

const columnsWith = (states: ReadonlyMap<string, ScheduleState>): readonly Column<View>[] => [
  ...columnsOf(schedule).filter(({ id }) => id === 'name'),
  {
    id: 'state',
    header: 'State',
    ...none,
    priority: 2,
    cell: ({ id }) => {
      const state = states.get(id);
      return state && <ScheduleBadge is={state.is} />;
    },
  },
  { id: 'what', header: 'What it does', ...none, cell: (view) => doesInWords(scheduleIn(view)) },
  {
    id: 'times',
    header: 'Times',
    ...none,
    priority: 3,
    cell: (view) => (
      <>
        {states.get(view.id)?.words ?? scheduleIn(view).times} <Dim>{zoneOf(scheduleIn(view))}</Dim>
      </>
    ),
  },
  {
    id: 'next',
    header: 'Next',
    ...none,
    cell: ({ id }) => {
      const next = states.get(id)?.next;
      return next === undefined ? <Dim>none</Dim> : <RelativeTime at={next} />;
    },
  },
  {
    id: 'last',
    header: 'Last',
    ...none,
    cell: ({ id }) => {
      const last = states.get(id)?.last;
      if (!last) return <Dim>never</Dim>;
      return (
        <>
          <Outcome firing={last} /> <RelativeTime at={last.at} />
        </>
      );
    },
  },
];

/** Its failure is shown above the page, because the button is in the line of the title. */
const useRunNow = () => {
  const [start, { isLoading }] = useChange(schedules.start);
  const { act, failure, dismiss } = useAction();
  const navigate = useNavigate();
  const button = ({ id, name }: Pick<ScheduleView, 'id' | 'name'>) => (
    <DisabledInPast>
      <Action
        icon={IconPlayerPlay}
        loading={isLoading}
        does={() =>
          act({
            send: () => start({ id }).unwrap(),
            done: ({ runId }) => void navigate(paths.run(runId)),
            failed: `${name} was not started`,
          })
        }
      >
        Run now
      </Action>
    </DisabledInPast>
  );
  return { button, failed: <ActionFailure failure={failure} onClose={dismiss} /> };
};

const Reason = ({ state }: { state: ScheduleState | undefined }) =>
  state?.reason === undefined ? null : (
    <Note mb={16} role="status">
      {state.is === 'broken' ? 'It cannot run: ' : ''}
      {state.reason}.
    </Note>
  );

export default function Schedules() {
  const states = useStates();
  const { button, failed } = useRunNow();
  const columns = useMemo(() => columnsWith(states), [states]);
  const factsOf = (view: View) => {
    const next = states.get(view.id)?.next;
    return [
      { label: 'What it does', value: doesInWords(scheduleIn(view)) },
      { label: 'Next', value: next === undefined ? 'none' : <RelativeTime at={next} /> },
      { label: 'Last changed', value: <By id={view.changedBy} at={view.changedAt} /> },
    ];
  };
  return (
    <>
      {failed}
      <RecordArea
        noun={schedule}
        icon={IconCalendarClock}
        description="Scripts, commands and saved requests that are started at their times. Each time is a run. What was missed or left out is shown, and told as an alert."
        empty="Add one for what has to be done every night or every hour."
        consequences="It starts nothing any more. Its runs stay. You can undo this."
        columns={columns}
        badge={({ id }) => {
          const state = states.get(id);
          return state && <ScheduleBadge is={state.is} />;
        }}
        facts={factsOf}
        primary={(view) => button(scheduleIn(view))}
        checking={explainsDraft}
        arrange={(fields, view) => (
          <>
            <Reason state={states.get(view.id)} />
            {fields}
          </>
        )}
        summary={(view) => <NextTimes times={scheduleIn(view).times} zone={scheduleIn(view).zone} />}
        tabs={({ view }) => [
          {
            id: 'times',
            label: 'Past times',
            content: () => (
              <PresentOnly what="What came of its times">
                <ScheduleFirings id={view.id} />
              </PresentOnly>
            ),
          },
        ]}
        reading={
          <Action icon={IconPlayerPlay} variant="default" does={paths.runs()}>
            Runs
          </Action>
        }
      />
    </>
  );
}
