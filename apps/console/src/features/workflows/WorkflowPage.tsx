/** The page of a workflow: what it is, its tables, the editor, its versions and its history. */
import { callsOf } from '@quarterdeck/contract';
import { workflow } from '@quarterdeck/events';
import type { ViewOf } from '@quarterdeck/projections';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import { useNavigate, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { By } from '../../records/actor';
import { HistoryOf } from '../../records/history';
import { useRemoval, type View } from '../../records/kit';
import { PageView } from '../../records/PageView';
import { ActionFailure } from '../../records/runs';
import { DetailPage } from '../../ui/DetailPage';
import { StateBadge } from '../../ui/StateBadge';
import { Editor } from './Editor';
import { Overview } from './Overview';
import { TriggersTab } from './TriggersTab';
import { useUnpublished } from './use-unpublished';
import { VersionsTab } from './VersionsTab';

export type WorkflowView = ViewOf<typeof workflow>;

export default function WorkflowPage() {
  const { id = '' } = useParams();
  const query = useAnswer(callsOf(workflow).detail, { id });
  return (
    <PageView query={query} what="Workflow" subject={{ category: 'workflow', id }}>
      {(view) => <Detail key={view.id} view={view as unknown as WorkflowView} />}
    </PageView>
  );
}

const Detail = ({ view }: { view: WorkflowView }) => {
  const navigate = useNavigate();
  const { id, name } = view;
  const { remove, failure, dismiss } = useRemoval({
    noun: workflow,
    base: paths.workflows(),
    view: view as unknown as View,
    consequences: 'Its nodes and transitions go with it; its instances stay. You can undo this.',
  });
  return (
    <DetailPage
      back={{ to: paths.workflows(), label: 'Workflows' }}
      name={name}
      badge={<PublishedBadge id={id} />}
      facts={[
        { label: 'Added', value: <By id={view.addedBy} at={view.addedAt} /> },
        { label: 'Last changed', value: <By id={view.changedBy} at={view.changedAt} /> },
      ]}
      actions={[
        {
          label: 'Edit',
          icon: <IconPencil size={16} />,
          onClick: () => void navigate(`${paths.workflow(id)}?mode=edit`),
        },
        {
          label: 'Delete workflow',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => void remove(),
        },
      ]}
      tabs={[
        { id: 'overview', label: 'Overview', content: () => <Overview view={view} /> },
        { id: 'editor', label: 'Editor', content: () => <Editor workflow={id} name={name} /> },
        { id: 'triggers', label: 'Triggers', content: () => <TriggersTab workflow={id} /> },
        { id: 'versions', label: 'Versions', content: () => <VersionsTab workflow={id} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="workflow" id={id} name={name} />,
        },
      ]}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
    </DetailPage>
  );
};

/** Whether the draft differs from what runs: said here, and nowhere else. */
const PublishedBadge = ({ id }: { id: string }) => {
  const { newest, isKnown, changes } = useUnpublished(id);
  if (!isKnown || changes === undefined) return null;
  if (newest === undefined)
    return <StateBadge state="never published" tone="quiet" icon={IconCircleDashed} />;
  return changes.length === 0 ? (
    <StateBadge state={`version ${newest} published`} tone="good" icon={IconCircleCheck} />
  ) : (
    <StateBadge
      state={`${changes.length} ${changes.length === 1 ? 'change' : 'changes'} since version ${newest} not published`}
      tone="warn"
      icon={IconAlertTriangle}
    />
  );
};
