/** The editor of the draft: the graph, and beside it the list of nodes or the form of what is chosen. */
import { useEffect, useRef } from 'react';
import { Columns, Stacked } from '../../ui/Columns';
import { DataView } from '../../ui/DataView';
import { Note } from '../../ui/Note';
import { EditorGraph } from './EditorGraph';
import { AddNode, NodePanel } from './NodePanel';
import { NodeList } from './NodeList';
import { PublishBar } from './PublishBar';
import { AddTransition, TransitionPanel } from './TransitionPanel';
import type { WorkflowFinding } from '@quarterdeck/events';
import { noFindings, useDraft, useFindings, type Draft } from './use-draft';
import { usePart } from './use-part';
import styles from './workflows.module.css';

export const Editor = ({ workflow, name }: { workflow: string; name: string }) => (
  <DataView query={useDraft(workflow)} what="Draft">
    {(draft) => <Parts workflow={workflow} name={name} draft={draft} />}
  </DataView>
);

interface PartsProps {
  workflow: string;
  name: string;
  draft: Draft;
}

const Parts = ({ workflow, name, draft }: PartsProps) => {
  const { part, show } = usePart();
  const found = useFindings(workflow);
  const findings = found ?? noFindings;
  return (
    <Stacked gap={16}>
      <PublishBar workflow={workflow} draft={draft} findings={found} show={show} />
      <Columns widths="minmax(0, 8fr) minmax(320px, 5fr)">
        <EditorGraph
          workflow={workflow}
          name={name}
          draft={draft}
          findings={findings}
          part={part}
          show={show}
        />
        <Panel workflow={workflow} draft={draft} findings={findings} part={part} show={show} />
      </Columns>
    </Stacked>
  );
};

export interface PanelProps {
  workflow: string;
  draft: Draft;
  findings: readonly WorkflowFinding[];
  show: (part: string | undefined) => void;
}

/** What replaces the form that had the focus gets it, so that the keyboard goes on there. */
const Panel = (props: PanelProps & { part: string | undefined }) => {
  const { part } = props;
  const area = useRef<HTMLDivElement>(null);
  const shown = useRef(part);
  useEffect(() => {
    if (shown.current === part) return;
    shown.current = part;
    if (document.activeElement === document.body) area.current?.focus();
  }, [part]);
  return (
    <div ref={area} tabIndex={-1} className={styles.panel}>
      <Chosen {...props} />
    </div>
  );
};

/** `part`: `add`, `after-<node>`, `from-<node>`, or the id of a node or transition. */
const Chosen = ({ part, ...props }: PanelProps & { part: string | undefined }) => {
  const { nodes, transitions } = props.draft;
  const nodeOf = (prefix: string) =>
    part?.startsWith(prefix) ? nodes.find(({ id }) => id === part.slice(prefix.length)) : undefined;
  const node = nodes.find(({ id }) => id === part);
  const transition = transitions.find(({ id }) => id === part);
  const after = nodeOf('after-');
  const from = nodeOf('from-');
  if (part === 'add' || after) return <AddNode key={part} {...props} after={after} />;
  if (from) return <AddTransition key={part} {...props} from={from} />;
  if (node) return <NodePanel key={part} {...props} node={node} />;
  if (transition) return <TransitionPanel key={part} {...props} transition={transition} />;
  const isGone = part !== undefined;
  return (
    <>
      {isGone && (
        <Note mb={12} role="status">
          This node or transition is not in the draft (any more).
        </Note>
      )}
      <NodeList {...props} />
    </>
  );
};
