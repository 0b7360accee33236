import type { RecordTabs } from '../../records/kit';
import { CreationTab } from './CreationTab';
import { PublishedTab } from './PublishedTab';
import { WorkflowsTab } from './WorkflowsTab';

/** Tabs with data from the source-code host. Members may not call it, so they get none. */
export const sourceTabs: RecordTabs = ({ view, isAdmin }) => {
  const { id, name, organization, repo, packageType, packageSubfolder = '' } = view;
  if (!isAdmin) return [];
  return [
    {
      id: 'published',
      label: 'Published',
      content: () => (
        <PublishedTab
          organization={String(organization)}
          repo={String(repo)}
          packageType={String(packageType)}
          packageSubfolder={String(packageSubfolder)}
        />
      ),
    },
    { id: 'workflows', label: 'Workflows', content: () => <WorkflowsTab id={id} /> },
    { id: 'creation', label: 'Creation', content: () => <CreationTab id={id} name={String(name)} /> },
  ];
};
