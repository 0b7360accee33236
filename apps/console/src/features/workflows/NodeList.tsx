/** The nodes of the draft in words, for those who do not use the graph. */
import { Group, Text } from '@mantine/core';
import type { WorkflowDoes } from '@quarterdeck/events';
import { IconAlertTriangle, IconLayoutGrid, IconPlus } from '@tabler/icons-react';
import { callsOf } from '@quarterdeck/contract';
import { workflowNode } from '@quarterdeck/events';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { useShortcut } from '../../core/shortcuts';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Section } from '../../ui/Card';
import { Lines } from '../../ui/List';
import { Dim } from '../../ui/Note';
import { StateBadge } from '../../ui/StateBadge';
import { useAction } from '../../ui/use-action';
import { nodeData } from './draft-values';
import type { PanelProps } from './Editor';
import { doesInWords, kinds } from './workflow-words';
import styles from './workflows.module.css';

export const NodeList = ({ draft, findings, show }: PanelProps) => {
  const [update] = useChange(callsOf(workflowNode).update);
  const { act, busy, failure, dismiss } = useAction();
  useShortcut('n', () => show('add'));
  const placed = draft.nodes.filter(({ place }) => place !== null);
  const arrange = () =>
    act({
      send: () =>
        Promise.all(
          placed.map((node) =>
            update({
              id: node.id,
              revision: node.revision,
              data: { ...nodeData(node), place: null },
            } as never).unwrap(),
          ),
        ),
      done: 'The nodes are arranged automatically.',
      failed: 'The nodes were not arranged',
    });
  return (
    <Section
      title="Nodes"
      aria-label="Nodes"
      actions={
        <DisabledInPast>
          <Group gap={8}>
            {placed.length > 0 && (
              <Action icon={IconLayoutGrid} variant="default" loading={busy} does={arrange}>
                Arrange
              </Action>
            )}
            <Action icon={IconPlus} variant="default" does={() => show('add')}>
              Add node
            </Action>
          </Group>
        </DisabledInPast>
      }
    >
      <ActionFailure failure={failure} onClose={dismiss} />
      {draft.nodes.length > 0 && (
        <Lines>
          {draft.nodes.map(({ id, name, does, isStart }) => {
            const { icon: Icon } = kinds[(does as WorkflowDoes).is];
            const isWrong = findings.some((one) => one.node === id && one.severity === 'problem');
            return (
              <li key={id}>
                <button type="button" className={styles.node} onClick={() => show(id)}>
                  <Icon size={16} aria-hidden />
                  <Text component="span" size="sm" truncate>
                    {name} <Dim>{doesInWords(does as WorkflowDoes)}</Dim>
                  </Text>
                  {isStart && <StateBadge state="start" tone="info" />}
                  {isWrong && <StateBadge state="problem" tone="bad" icon={IconAlertTriangle} />}
                </button>
              </li>
            );
          })}
        </Lines>
      )}
    </Section>
  );
};
