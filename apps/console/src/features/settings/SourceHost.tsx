/** The organization and the templates for new repositories. */
import { repositories, workspaces } from '@quarterdeck/contract';
import { sourceHostSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useAnswer, useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';
import { toApiError } from '../../core/http';
import type { Field } from '../../ui/ResourceForm';
import { RelativeTime } from '../../ui/RelativeTime';

const template = { type: 'text', optional: true, placeholder: 'organization/repository' } as const;
const fields: readonly Field[] = [
  {
    name: 'organization',
    label: 'Organization',
    type: 'text',
    optional: true,
    help: 'Filled in when a service is created.',
  },
  {
    ...template,
    name: 'serverTemplate',
    label: 'Template for servers',
    help: 'A repository that is marked as a template at the source-code host.',
  },
  { ...template, name: 'clientTemplate', label: 'Template for clients' },
  { name: 'isPrivate', label: 'New repositories are private', type: 'checkbox' },
];

export const SourceHost = ({ workspace }: { workspace: WorkspaceView }) => {
  const { organization, serverTemplate, clientTemplate, isPrivate } = workspace.sourceHost;
  const [configure] = useChange(workspaces.sourceHost);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="sourceHost"
      title="Repositories"
      name="repositories"
      note="New repositories of services are created from these templates, with the token of whoever creates the service."
      facts={[
        ['Organization', organization ?? 'Entered for each service'],
        ['Template for servers', serverTemplate ?? 'None'],
        ['Template for clients', clientTemplate ?? 'None'],
        ['New repositories', isPrivate ? 'Private' : 'Public'],
        ['API limit', <CallsLeft key="calls" />],
      ]}
      schema={sourceHostSettings}
      fields={fields}
      save={(settings, revision) => configure({ ...settings, revision }).unwrap()}
      saved="The settings of repositories were saved."
    />
  );
};

/** Calls left for the person's own token. Beyond the limit the source host refuses calls until the next reset. */
const CallsLeft = () => {
  const { data, error } = useAnswer(repositories.limit, {});
  if (error?.code === 'noToken') return <>unknown until you store a token</>;
  if (error) return <>unknown: {toApiError(error).msg}</>;
  if (!data) return <>Loading...</>;
  const { limit, remaining, resetAt } = data;
  return (
    <>
      {inNumber.format(remaining)} of {inNumber.format(limit)} with your token; they reset{' '}
      <RelativeTime at={resetAt} />
    </>
  );
};

const inNumber = new Intl.NumberFormat('en');
