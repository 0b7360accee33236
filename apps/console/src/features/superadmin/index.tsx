/** The only page of the console that shows all workspaces. */
import { PageHeader } from '../../ui/PageHeader';
import { AddressTabs, type Tab } from '../../ui/DetailPage';
import { BackupsTab } from './BackupsTab';
import { PeopleTab } from './PeopleTab';
import { OverviewTab } from './OverviewTab';
import { ReadModelsTab } from './ReadModelsTab';
import { RestoredNotice } from './RestoredNotice';
import { RunsTab } from './RunsTab';
import { WorkspacesTab } from './WorkspacesTab';

const tabs: readonly Tab[] = [
  { id: 'overview', label: 'Overview', content: () => <OverviewTab /> },
  { id: 'workspaces', label: 'Workspaces', content: () => <WorkspacesTab /> },
  { id: 'people', label: 'People', content: () => <PeopleTab /> },
  { id: 'runs', label: 'Runs', content: () => <RunsTab /> },
  { id: 'read-models', label: 'Read models', content: () => <ReadModelsTab /> },
  { id: 'backups', label: 'Backups', content: () => <BackupsTab /> },
];

export default function Superadmin() {
  return (
    <>
      <PageHeader
        title="Superadmin"
        description="The whole installation: all workspaces, their people and the event log. All other pages show only your own workspace."
      />
      <RestoredNotice />
      <AddressTabs tabs={tabs} />
    </>
  );
}
