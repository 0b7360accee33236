import type { PlainTabs } from '../../records/kit';
import { CreationTab } from './CreationTab';
import { PublishedTab } from './PublishedTab';
import { WorkflowsTab } from './WorkflowsTab';

/** What the source-code host knows of a service. Members cannot call it. */
export const sourceTabs: PlainTabs = ({ view, isAdmin }) => {
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
