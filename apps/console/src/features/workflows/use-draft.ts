/** The draft of a workflow: its nodes and transitions, which are records of their own. */
import { callsOf, workflows } from '@quarterdeck/contract';
import {
  workflowNode,
  workflowTransition,
  type WorkflowFinding,
  type WorkflowGraph,
} from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import type { Drawn } from '../../ui/graph';
import { doesInWords, transitionInWords } from './workflow-words';

export type NodeView = ViewOf<typeof workflowNode>;
export type TransitionView = ViewOf<typeof workflowTransition>;

export interface Draft {
  nodes: readonly NodeView[];
  transitions: readonly TransitionView[];
}

export const useDraft = (workflow: string) => {
  const nodes = useAnswer(callsOf(workflowNode).list, { workflow: { id: workflow } });
  const transitions = useAnswer(callsOf(workflowTransition).list, { workflow: { id: workflow } });
  const data = useMemo(
    (): Draft | undefined =>
      nodes.data &&
      transitions.data && {
        nodes: nodes.data as unknown as NodeView[],
        transitions: (transitions.data as unknown as TransitionView[]).toSorted(
          (one, other) => one.order - other.order,
        ),
      },
    [nodes.data, transitions.data],
  );
  const refetch = (): void => {
    void nodes.refetch();
    void transitions.refetch();
  };
  return { data, error: nodes.error ?? transitions.error, refetch };
};

export const noFindings: readonly WorkflowFinding[] = [];

/** What keeps the draft from being published, and what is told about it. Undefined until the draft was checked. */
export const useFindings = (workflow: string): readonly WorkflowFinding[] | undefined =>
  useAnswer(workflows.check, { id: workflow }).data?.findings;

const BOX = 190;

/** A graph as it is drawn. */
export const drawnOf = ({ nodes, transitions }: WorkflowGraph, marked: boolean): Drawn => {
  const known = new Set(nodes.map(({ id }) => id));
  return {
    boxWidth: BOX,
    marked,
    boxes: nodes.map(({ id, name, does, place }) => ({
      id,
      name,
      lines: [{ id: 'does', name: doesInWords(does) }],
      at: place ?? undefined,
    })),
    arrows: transitions
      .filter(({ from, to }) => known.has(from) && known.has(to))
      .map(({ id, name, from, to, on, when }) => ({
        id,
        name,
        source: from,
        target: to,
        label: transitionInWords({ on, when }) || undefined,
      })),
  };
};
