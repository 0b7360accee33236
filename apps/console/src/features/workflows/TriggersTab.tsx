/** What starts instances by itself: schedules, webhooks and events of the log. */
import { callsOf, workflowTriggers } from '@quarterdeck/contract';
import { workflowTrigger } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { IconBolt, IconCircleCheck, IconCircleDashed, IconPlus } from '@tabler/icons-react';
import { useMemo } from 'react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useAnswer } from '../../core/calls';
import { useAsOf } from '../../core/as-of/as-of-state';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { DataTable, type Column } from '../../ui/DataTable';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { TriggerPage, AddTrigger } from './TriggerForms';
import { startsInWords } from './trigger-form';
import { usePart } from './use-part';

export type TriggerView = ViewOf<typeof workflowTrigger>;

export const TriggersTab = ({ workflow }: { workflow: string }) => {
  const { part, show } = usePart();
  const query = useAnswer(callsOf(workflowTrigger).list, { workflow: { id: workflow } });
  if (part === 'add') return <AddTrigger workflow={workflow} show={show} />;
  if (part === undefined) return <List workflow={workflow} query={query} show={show} />;
  return (
    <DataView query={query} what="Triggers">
      {(all) => {
        const trigger = (all as unknown as TriggerView[]).find(({ id }) => id === part);
        return trigger ? (
          <TriggerPage key={part} trigger={trigger} show={show} />
        ) : (
          <EmptyState
            title="This trigger does not exist"
            icon={IconBolt}
            action={
              <Action icon={IconBolt} variant="default" does={() => show(undefined)}>
                All triggers
              </Action>
            }
          >
            It was deleted. The history of the workflow has it.
          </EmptyState>
        );
      }}
    </DataView>
  );
};

interface ListProps {
  workflow: string;
  query: { data?: unknown; error?: unknown; refetch: () => unknown };
  show: (part: string | undefined) => void;
}

const List = ({ workflow, query, show }: ListProps) => {
  const inPast = useAsOf() !== undefined;
  const { data: states } = useAnswer(workflowTriggers.states, { id: workflow }, { skip: inPast });
  const columns = useMemo((): Column<TriggerView>[] => {
    const stateOf = ({ id }: TriggerView) => states?.find((one) => one.id === id);
    return [
      { id: 'name', header: 'Name', value: ({ name }) => name, priority: 1 },
      { id: 'starts', header: 'Started by', value: (trigger) => startsInWords(trigger), priority: 2 },
      {
        id: 'on',
        header: 'State',
        value: ({ isOn }) => (isOn ? 'on' : 'off'),
        cell: ({ isOn }) =>
          isOn ? (
            <StateBadge state="on" tone="good" icon={IconCircleCheck} />
          ) : (
            <StateBadge state="off" tone="quiet" icon={IconCircleDashed} />
          ),
        priority: 3,
      },
      {
        id: 'next',
        header: 'Next',
        value: (trigger) => stateOf(trigger)?.next ?? '',
        cell: (trigger) => {
          const next = stateOf(trigger)?.next;
          return next === undefined ? null : <RelativeTime at={next} />;
        },
      },
      {
        id: 'last',
        header: 'Last',
        value: (trigger) => stateOf(trigger)?.last?.at ?? '',
        cell: (trigger) => {
          const last = stateOf(trigger)?.last;
          return last === undefined ? (
            'never'
          ) : (
            <>
              {last.is} <RelativeTime at={last.at} />
            </>
          );
        },
      },
    ];
  }, [states]);
  const add = (
    <DisabledInPast>
      <Action icon={IconPlus} does={() => show('add')}>
        Add trigger
      </Action>
    </DisabledInPast>
  );
  return (
    <Stacked gap={16}>
      <Section title="Triggers" aria-label="Triggers of the workflow" actions={add}>
        <DataTable
          label="Triggers"
          query={query as { data?: TriggerView[] }}
          columns={columns}
          rowKey={({ id }) => id}
          onOpen={({ id }) => show(id)}
          actions={({ id, name }) => (
            <Action icon={IconBolt} variant="subtle" aria-label={`Open ${name}`} does={() => show(id)}>
              Open
            </Action>
          )}
          empty={
            <EmptyState title="No triggers yet" icon={IconBolt}>
              A schedule, a webhook or an event of the log can start instances of the newest version.
            </EmptyState>
          }
        />
      </Section>
    </Stacked>
  );
};
