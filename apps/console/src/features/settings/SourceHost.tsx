/** Where new repositories are created, and from what. */
import { repositories, workspaces } from '@quarterdeck/contract';
import { sourceHostSettings } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { useAnswer, useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { sameValue } from '../../ui/form/values';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { RelativeTime } from '../../ui/RelativeTime';
import { toast } from '../../ui/toast';

const template = { type: 'text', optional: true, placeholder: 'organization/repository' } as const;
const fields: readonly Field[] = [
  {
    ...{ name: 'organization', label: 'Organization', type: 'text', optional: true },
    help: 'Filled in when a service is created.',
  },
  {
    ...{ ...template, name: 'serverTemplate', label: 'Template for servers' },
    help: 'A repository that is marked as a template at the source-code host.',
  },
  { ...template, name: 'clientTemplate', label: 'Template for clients' },
  { name: 'isPrivate', label: 'New repositories are private', type: 'checkbox' },
];

export const SourceHost = ({ workspace }: { workspace: WorkspaceView }) => {
  const { organization, serverTemplate, clientTemplate, isPrivate } = workspace.sourceHost;
  return (
    <EditInPlace
      title="Repositories"
      name="repositories"
      note="New repositories of services are created from these templates, with the token of whoever creates the service."
      view={
        <Facts
          label="Repositories"
          facts={[
            ['Organization', organization ?? 'Entered for each service'],
            ['Template for servers', serverTemplate ?? 'None'],
            ['Template for clients', clientTemplate ?? 'None'],
            ['New repositories', isPrivate ? 'Private' : 'Public'],
            ['Calls left', <CallsLeft key="calls" />],
          ]}
        />
      }
      form={(done) => <SourceHostForm workspace={workspace} onDone={done} />}
    />
  );
};

/** Of the person's own token. The source host refuses calls beyond its limit until it is reset. */
const CallsLeft = () => {
  const { data, error } = useAnswer(repositories.limit, {});
  if (error) return <>Unknown: {toApiError(error).msg}</>;
  if (!data) return <>Loading...</>;
  const { limit, remaining, resetAt } = data;
  return (
    <>
      {inNumber.format(remaining)} of {inNumber.format(limit)} with your token, all of them again{' '}
      <RelativeTime at={resetAt} />
    </>
  );
};

const inNumber = new Intl.NumberFormat('en');

const same = ({ sourceHost: a }: WorkspaceView, { sourceHost: b }: WorkspaceView): boolean => sameValue(a, b);

const SourceHostForm = ({ workspace, onDone }: { workspace: WorkspaceView; onDone: () => void }) => {
  const [configure] = useChange(workspaces.sourceHost);
  const { opened, revision, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Repositories"
      schema={sourceHostSettings}
      fields={fields}
      initial={opened.sourceHost}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async (settings, { current }) => {
        await configure({ ...settings, revision: revision(current) }).unwrap();
        toast.success('The settings of repositories were saved.');
        onDone();
      }}
    />
  );
};
