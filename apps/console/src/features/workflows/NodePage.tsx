/** A node of the draft on a page of its own, with its form and the transitions that leave it. */
import { IconSitemap } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { HistoryOf } from '../../records/history';
import { Action } from '../../ui/Action';
import { DetailPage } from '../../ui/DetailPage';
import { StateBadge } from '../../ui/StateBadge';
import { NodePanel } from './NodePanel';
import { noFindings, useFindings, type Draft, type NodeView } from './use-draft';

export const NodePage = ({ workflow, draft, node }: { workflow: string; draft: Draft; node: NodeView }) => {
  const navigate = useNavigate();
  const findings = useFindings(workflow) ?? noFindings;
  const { id, name, isStart, addedAt, addedBy, changedAt, changedBy } = node;
  return (
    <DetailPage
      back={{ to: paths.workflow(workflow), label: 'Workflow' }}
      name={name}
      badge={isStart && <StateBadge state="start" tone="info" />}
      facts={[
        { label: 'Added', value: <By id={addedBy} at={addedAt} /> },
        { label: 'Last changed', value: <By id={changedBy} at={changedAt} /> },
      ]}
      reading={
        <Action icon={IconSitemap} variant="default" does={paths.workflow(workflow, 'editor', id)}>
          Show in the graph
        </Action>
      }
      tabs={[
        {
          id: 'node',
          label: 'Node',
          content: () => (
            <NodePanel
              workflow={workflow}
              draft={draft}
              findings={findings}
              node={node}
              show={(part) => void navigate(paths.workflow(workflow, 'editor', part))}
            />
          ),
        },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="workflowNode" id={id} name={name} />,
        },
      ]}
    />
  );
};
