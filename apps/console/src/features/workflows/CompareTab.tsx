/** Two instances beside each other, step by step, with the differences of their data. */
import { Button, Group, NativeSelect } from '@mantine/core';
import { workflowInstances, type WorkflowInstanceDetail } from '@quarterdeck/contract';
import type { WorkflowState } from '@quarterdeck/projections';
import { IconCircleCheck, IconGitCompare, IconEqualNot } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../core/calls';
import { Section } from '../../ui/Card';
import { Stacked } from '../../ui/Columns';
import { DataView } from '../../ui/DataView';
import { EmptyState } from '../../ui/EmptyState';
import { LineDiff } from '../../ui/line-diff';
import { Dim, Note } from '../../ui/Note';
import { PlainTable } from '../../ui/PlainTable';
import { StateBadge } from '../../ui/StateBadge';
import { useInstancesInfiniteQuery } from './instance.endpoints';
import type { InstanceProps } from './InstancePage';
import { stepByStep, type Pair } from './moments';
import { jsonText, markOf, MarkBadge, markOfEnd } from './workflow-words';

export const CompareTab = ({ workflow, instance }: InstanceProps) => {
  const list = useInstancesInfiniteQuery({ id: workflow });
  const all = list.data?.pages.flatMap(({ instances }) => instances);
  const others = (all ?? []).filter(({ id }) => id !== instance.id);
  const source = instance.forkedFrom?.instance;
  const [chosen, choose] = useState(source ?? '');
  const query = useAnswer(workflowInstances.detail, { id: chosen }, { skip: chosen === '' });
  // It began before those that are loaded.
  const isFurtherBack = all !== undefined && chosen !== '' && !others.some(({ id }) => id === chosen);
  if (all && others.length === 0 && !list.hasNextPage)
    return (
      <EmptyState title="No other instance" icon={IconGitCompare}>
        Another instance of this workflow can be compared here, for example a fork of this one.
      </EmptyState>
    );
  return (
    <Stacked gap={16}>
      <Group gap={8} align="end">
        <NativeSelect
          label="Compare with the instance of"
          maw={420}
          value={chosen}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          data={[
            { value: '', label: 'Choose an instance' },
            ...(isFurtherBack ? [{ value: chosen, label: 'The one that it was forked from' }] : []),
            ...others.map(({ id, logDateAdded, is, dry }) => ({
              value: id,
              label: `${new Date(logDateAdded).toLocaleString()}: ${markOf(is).word}${dry ? ', dry' : ''}${id === source ? ' (forked from)' : ''}`,
            })),
          ]}
        />
        {list.hasNextPage && (
          <Button
            variant="default"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Load older instances
          </Button>
        )}
      </Group>
      {chosen !== '' && (
        <DataView query={query} what="Instance">
          {(other) => <Compared key={other.id} one={other} other={instance} />}
        </DataView>
      )}
    </Stacked>
  );
};

const textOf = (state: WorkflowState | undefined): string =>
  state === undefined
    ? ''
    : `${[
        `node: ${state.node.name}`,
        `end: ${state.end ?? 'present'}`,
        ...(state.choice === undefined ? [] : [`choice: ${state.choice}`]),
        `data: ${jsonText(state.data)}`,
        `result: ${jsonText(state.result)}`,
      ].join('\n')}\n`;

const Compared = ({ one, other }: Record<'one' | 'other', WorkflowInstanceDetail>) => {
  const pairs = stepByStep(one, other);
  const way = pairs.findIndex(({ isSameWay }) => !isSameWay);
  const first = way >= 0 ? way : pairs.findIndex(({ isSame }) => !isSame);
  const [chosen, choose] = useState<number>();
  const shown = chosen ?? first;
  const pair = pairs[shown];
  return (
    <Stacked gap={16}>
      <Note>{verdictOf(pairs)}</Note>
      <PlainTable label="Steps of both instances">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Other instance</th>
            <th scope="col">This instance</th>
            <th scope="col">Comparison</th>
            <th scope="col">Details</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((row, at) => (
            <tr key={`${row.one?.id} ${row.other?.id}`}>
              <th scope="row">{at + 1}</th>
              <td>
                <Step state={row.one} />
              </td>
              <td>
                <Step state={row.other} />
              </td>
              <td>
                <Sameness pair={row} />
              </td>
              <td>
                <Button
                  variant="subtle"
                  size="compact-xs"
                  aria-pressed={at === shown}
                  aria-label={`Compare step ${at + 1}`}
                  onClick={() => choose(at)}
                >
                  Show
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      {pair && (
        <Section title={`Step ${shown + 1}`}>
          <LineDiff
            before={textOf(pair.one)}
            after={textOf(pair.other)}
            label={`Difference at step ${shown + 1}`}
            same="This step is the same in both."
            sides={{ before: 'Other instance', after: 'This instance' }}
          />
        </Section>
      )}
    </Stacked>
  );
};

const Step = ({ state }: { state: WorkflowState | undefined }) =>
  state === undefined ? (
    <Dim>none</Dim>
  ) : (
    <>
      {state.node.name} {state.end !== undefined && <MarkBadge mark={markOfEnd(state.end)} />}{' '}
      {state.choice !== undefined && <Dim>{state.choice}</Dim>}
    </>
  );

const Sameness = ({ pair: { one, other, isSame, isSameWay } }: { pair: Pair }) => {
  if (isSame) return <StateBadge state="same" tone="quiet" icon={IconCircleCheck} />;
  if (isSameWay) return <StateBadge state="different data" tone="info" icon={IconEqualNot} />;
  const differs =
    !one || !other ? 'only in one' : one.node.id === other.node.id ? 'different outcome' : 'different node';
  return <StateBadge state={differs} tone="warn" icon={IconEqualNot} />;
};

const verdictOf = (pairs: readonly Pair[]): string => {
  const other = pairs.findIndex(({ isSameWay }) => !isSameWay);
  if (other === 0) return 'The first steps differ already.';
  if (other > 0) return `Both took the same path up to step ${other}. Step ${other + 1} differs.`;
  const data = pairs.filter(({ isSame }) => !isSame).length;
  return data === 0
    ? `All ${pairs.length} steps are the same.`
    : `Both took the same path. The data differ at ${data} of ${pairs.length} steps.`;
};
