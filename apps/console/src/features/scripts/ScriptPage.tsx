/** One script: its text, its versions, its runs and its history. */
import { IconFileCode, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { scripts } from '@quarterdeck/contract';
import { script as noun } from '@quarterdeck/events';
import type { ScriptView } from '@quarterdeck/projections';
import { useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { useShortcut } from '../../core/shortcuts';
import { By } from '../../records/actor';
import { Action } from '../../ui/Action';
import { DetailPage } from '../../ui/DetailPage';
import { EmptyState } from '../../ui/EmptyState';
import { HistoryOf } from '../../records/history';
import { useRemoval } from '../../records/kit';
import { PageView } from '../../records/PageView';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure, RunTable } from '../../records/runs';
import { ChangesBadge } from './ChangesBadge';
import { Overview } from './Overview';
import { limitInWords, newestOf } from './script-words';
import { VersionsTab } from './VersionsTab';

export const ScriptPage = () => {
  const { id = '' } = useParams();
  const query = useAnswer(scripts.detail, { id });
  return (
    <PageView query={query} what="Script" subject={{ category: 'script', id }}>
      {(script) => <Script key={script.id} script={script} />}
    </PageView>
  );
};

const Script = ({ script }: { script: ScriptView }) => {
  const navigate = useNavigate();
  const { remove, failure, dismiss } = useRemoval({
    noun,
    base: paths.scripts(),
    view: script,
    question: 'It can no longer be run.',
    consequences: 'Its runs and history stay, with the text of every version. Running work continues.',
  });
  const { id, name } = script;
  const newest = newestOf(script);
  const edit = () => void navigate(paths.scriptEdit(id));
  useShortcut('e', edit);
  return (
    <DetailPage
      back={{ to: paths.scripts(), label: 'Scripts' }}
      name={name}
      badge={<ChangesBadge changes={newest.changes} />}
      facts={[
        {
          label: 'Version',
          value: (
            <>
              {newest.version}, <RelativeTime at={newest.at} />
            </>
          ),
        },
        { label: 'Time limit', value: limitInWords(newest.timeoutSeconds) },
        {
          label: 'Last changed',
          value: <By id={script.changedBy} at={script.changedAt} />,
        },
      ]}
      primary={
        <Action icon={IconPlayerPlay} does={paths.fleet({ script: id })}>
          Run on servers…
        </Action>
      }
      actions={[
        { label: 'Edit', icon: <IconPencil size={16} />, onClick: edit },
        {
          label: 'Delete script',
          icon: <IconTrash size={16} />,
          danger: true,
          onClick: () => void remove(),
        },
      ]}
      tabs={[
        { id: 'overview', label: 'Overview', content: () => <Overview script={script} /> },
        {
          id: 'versions',
          label: `Versions (${script.versions.length})`,
          content: () => <VersionsTab script={script} />,
        },
        { id: 'runs', label: 'Runs', content: () => <Runs script={script} /> },
        {
          id: 'history',
          label: 'History',
          content: () => <HistoryOf category="script" id={id} name={name} />,
        },
      ]}
    >
      <ActionFailure failure={failure} onClose={dismiss} />
    </DetailPage>
  );
};

const Runs = ({ script: { id, name } }: { script: ScriptView }) => {
  const filter = useMemo(() => ({ script: id }), [id]);
  return (
    <RunTable
      key={id}
      filter={filter}
      label={`Runs of ${name}`}
      urlKey="runs"
      empty={
        <EmptyState title="No runs yet" icon={IconFileCode}>
          Where {name} runs will appear here with the results of all servers.
        </EmptyState>
      }
    />
  );
};
