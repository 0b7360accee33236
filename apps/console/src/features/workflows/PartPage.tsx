/** The page below a workflow: of a node of its draft, or of one of its instances. The id says which. */
import { workflowInstances } from '@quarterdeck/contract';
import { useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { PageView } from '../../records/PageView';
import { InstancePage } from './InstancePage';
import { NodePage } from './NodePage';
import { useDraft, type Draft } from './use-draft';

export default function PartPage() {
  const { id = '', part = '' } = useParams();
  return (
    <PageView query={useDraft(id)} what="Workflow" subject={{ category: 'workflow', id }}>
      {(draft) => <Part key={part} workflow={id} part={part} draft={draft} />}
    </PageView>
  );
}

const Part = ({ workflow, part, draft }: { workflow: string; part: string; draft: Draft }) => {
  const node = draft.nodes.find(({ id }) => id === part);
  return node ? (
    <NodePage workflow={workflow} draft={draft} node={node} />
  ) : (
    <Instance workflow={workflow} id={part} />
  );
};

const Instance = ({ workflow, id }: { workflow: string; id: string }) => {
  const query = useAnswer(workflowInstances.detail, { id });
  return (
    <PageView query={query} what="Instance or node" subject={{ category: 'workflowNode', id }}>
      {(instance) => <InstancePage workflow={workflow} instance={instance} />}
    </PageView>
  );
};
