/** The draft as a graph: boxes are dragged, arrows are drawn, and both are chosen. */
import { callsOf } from '@quarterdeck/contract';
import {
  graphOf,
  workflowNode,
  workflowTransition,
  type DraftNode,
  type DraftTransition,
  type WorkflowFinding,
} from '@quarterdeck/events';
import { IconAlertTriangle, IconPlayerPlay, IconPlus, IconSitemap } from '@tabler/icons-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useChange } from '../../core/calls';
import { useAsOf } from '../../core/as-of/as-of-state';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { EmptyState } from '../../ui/EmptyState';
import { Graph, type Hands, type Mark, type Point } from '../../ui/graph';
import { Note } from '../../ui/Note';
import { useAction } from '../../ui/use-action';
import { drawnOf, type Draft } from './use-draft';
import { nodeData, transitionBetween } from './draft-values';

interface EditorGraphProps {
  workflow: string;
  name: string;
  draft: Draft;
  findings: readonly WorkflowFinding[];
  part: string | undefined;
  show: (part: string | undefined) => void;
}

const noPlaces: ReadonlyMap<string, Point> = new Map();
/** A place is saved when a box has not been moved for this long. */
const SETTLED_MS = 400;

/** Places that are not saved yet, and their saving. */
const usePlaces = (draft: Draft) => {
  const [places, setPlaces] = useState(noPlaces);
  const [update] = useChange(callsOf(workflowNode).update);
  const { act, failure, dismiss } = useAction();
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  useEffect(() => {
    if (places.size === 0) return undefined;
    const timer = setTimeout(() => {
      void Promise.all(
        [...places].flatMap(([id, place]) => {
          const node = latest.current.nodes.find((one) => one.id === id);
          if (!node) return [];
          const { revision } = node;
          const moved = { id, revision, data: { ...nodeData(node), place } } as never;
          return [act({ send: () => update(moved).unwrap(), failed: `${node.name} was not moved` })];
        }),
      ).then(() => setPlaces((now) => (now === places ? noPlaces : now)));
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [places, update, act]);
  const move = useCallback(
    (id: string, to: Point): void => setPlaces((before) => new Map(before).set(id, to)),
    [],
  );
  return { places, move, failure, dismiss };
};

export const EditorGraph = ({ workflow, name, draft, findings, part, show }: EditorGraphProps) => {
  const inPast = useAsOf() !== undefined;
  const { places, move, failure, dismiss } = usePlaces(draft);
  const [connect] = useChange(callsOf(workflowTransition).insert);
  const connecting = useAction();
  const { act } = connecting;
  const drawn = useMemo(() => {
    const graph = graphOf(draft as unknown as { nodes: DraftNode[]; transitions: DraftTransition[] });
    const nodes = graph.nodes.map((node) => ({ ...node, place: places.get(node.id) ?? node.place }));
    return drawnOf({ ...graph, nodes }, true);
  }, [draft, places]);
  const hands = useMemo((): Hands => {
    if (inPast) return { onSelect: show };
    return {
      onSelect: show,
      onMove: move,
      onConnect: (source, target) =>
        void act({
          send: () =>
            connect({
              workflow: { id: workflow },
              data: transitionBetween(draft, source, target),
            } as never).unwrap(),
          done: ({ id }) => show(id),
          failed: 'The transition was not added',
        }),
    };
  }, [inPast, show, move, act, connect, workflow, draft]);
  const marks = useMemo(() => {
    const all = new Map<string, Mark>();
    for (const { id, isStart } of draft.nodes)
      if (isStart) all.set(id, { tone: 'info', icon: IconPlayerPlay, word: 'start' });
    for (const { node, severity } of findings)
      if (node !== undefined && severity === 'problem')
        all.set(node, { tone: 'bad', icon: IconAlertTriangle, word: 'problem' });
    return all;
  }, [draft, findings]);
  if (draft.nodes.length === 0)
    return (
      <Card>
        <EmptyState
          title="No nodes yet"
          icon={IconSitemap}
          action={
            <Action icon={IconPlus} does={() => show('add')}>
              Add first node
            </Action>
          }
        >
          Nodes will appear here as boxes, and transitions as arrows.
        </EmptyState>
      </Card>
    );
  return (
    <div>
      <ActionFailure
        failure={failure ?? connecting.failure}
        onClose={failure ? dismiss : connecting.dismiss}
      />
      <Graph
        label="Graph of the draft"
        what="a node"
        fileName={name}
        drawn={drawn}
        marks={marks}
        hands={hands}
        selected={part?.replace(/^(after|from)-/, '')}
      />
      <Note below fz={12}>
        Drag a box to move it, or from the dot below a box to another box to connect them. With the keyboard:
        arrow keys choose, Alt with an arrow key moves; the form beside it adds and connects.
      </Note>
    </div>
  );
};
