/** The transitions that leave a node, in the order in which their conditions are asked. */
import { ActionIcon, Group, Text } from '@mantine/core';
import { callsOf } from '@quarterdeck/contract';
import { workflowTransition } from '@quarterdeck/events';
import { IconArrowUp, IconRoute } from '@tabler/icons-react';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useChange } from '../../core/calls';
import { ActionFailure } from '../../records/runs';
import { Section } from '../../ui/Card';
import { Lines } from '../../ui/List';
import { Dim, Mono, Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { idOf, nameOfNode, transitionData } from './draft-values';
import type { PanelProps } from './Editor';
import type { NodeView, TransitionView } from './use-draft';
import { endsInWords } from './workflow-words';
import look from '../../ui/look.module.css';
import styles from './workflows.module.css';

export const Leaving = ({ draft, node, show }: PanelProps & { node: NodeView }) => {
  const leaving = draft.transitions.filter((one) => idOf(one.from) === node.id);
  const [update] = useChange(callsOf(workflowTransition).update);
  const { act, busy, failure, dismiss } = useAction();
  const set = (one: TransitionView, order: number) =>
    update({ id: one.id, revision: one.revision, data: { ...transitionData(one), order } } as never).unwrap();
  /** Numbers all anew, since two may have the same order. */
  const raise = (at: number) =>
    act({
      send: () => {
        const order = leaving.toSpliced(at, 1).toSpliced(at - 1, 0, leaving[at] as TransitionView);
        return Promise.all(
          order.flatMap((one, index) => (one.order === index + 1 ? [] : [set(one, index + 1)])),
        );
      },
      failed: 'The order was not changed',
    });
  return (
    <Section title="Transitions" aria-label={`Transitions from ${node.name}`}>
      <ActionFailure failure={failure} onClose={dismiss} />
      {leaving.length === 0 ? (
        <Note>None: an instance is completed here.</Note>
      ) : (
        <Lines component="ol">
          {leaving.map((one, at) => (
            <li key={one.id}>
              <Group gap={0} wrap="nowrap">
                <button type="button" className={styles.node} onClick={() => show(one.id)}>
                  <IconRoute size={16} aria-hidden />
                  <Text component="span" size="sm" className={look.wrap}>
                    {nameOfNode(draft, idOf(one.to))} <Dim>{endsInWords[one.on]}</Dim>{' '}
                    {one.when !== '' && <Mono>{one.when}</Mono>}
                  </Text>
                </button>
                {at > 0 && (
                  <DisabledInPast>
                    <ActionIcon
                      variant="subtle"
                      mr={8}
                      disabled={busy}
                      aria-label={`Ask ${one.name} before ${leaving[at - 1]?.name}`}
                      onClick={() => void raise(at)}
                    >
                      <IconArrowUp size={16} aria-hidden />
                    </ActionIcon>
                  </DisabledInPast>
                )}
              </Group>
            </li>
          ))}
        </Lines>
      )}
    </Section>
  );
};
