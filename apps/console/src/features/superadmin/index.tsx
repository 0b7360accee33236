/** The only page of the console that shows all workspaces. */
import { backups } from '@quarterdeck/contract';
import { useAnswer } from '../../core/calls';
import { Loading } from '../../ui/Loading';
import { PageHeader } from '../../ui/PageHeader';
import { part } from '../../ui/part';
import { AddressTabs, type Tab } from '../../ui/DetailPage';
import { PeopleTab } from './PeopleTab';
import { OverviewTab } from './OverviewTab';
import { ReadModelsTab } from './ReadModelsTab';
import { RestoredNotice } from './RestoredNotice';
import { RunsTab } from './RunsTab';
import { WorkspacesTab } from './WorkspacesTab';

// The form of the plan is loaded only when needed.
const BackupsTab = part(
  () => import('./BackupsTab').then((tab) => ({ default: tab.BackupsTab })),
  'Loading backups',
);

const tabs: readonly Tab[] = [
  { id: 'overview', label: 'Overview', content: () => <OverviewTab /> },
  { id: 'workspaces', label: 'Workspaces', content: () => <WorkspacesTab /> },
  { id: 'people', label: 'People', content: () => <PeopleTab /> },
  { id: 'runs', label: 'Runs', content: () => <RunsTab /> },
  { id: 'read-models', label: 'Read models', content: () => <ReadModelsTab /> },
  { id: 'backups', label: 'Backups', content: () => <BackupsTab /> },
];

export default function Superadmin() {
  const { isLoading } = useAnswer(backups.overview);
  return (
    <>
      <PageHeader
        title="Superadmin"
        description="The whole installation: all workspaces, their people and the event log. All other pages show only your own workspace."
      />
      {/* Both at once: the notice would push the tabs down. */}
      {isLoading ? (
        <Loading label="Loading installation" />
      ) : (
        <>
          <RestoredNotice />
          <AddressTabs tabs={tabs} />
        </>
      )}
    </>
  );
}
