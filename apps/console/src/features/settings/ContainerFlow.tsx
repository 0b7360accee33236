/** The server that the container flow begins with. */
import { servers as serverCalls, workspaces } from '@quarterdeck/contract';
import { workspaceContainerFlow } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { z } from 'zod';
import { DataView } from '../../ui/DataView';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { conflictInForm } from '../../ui/form/conflict';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { serverWithHostChoices } from '../../records/choices';

/** A form holds the server's id, a call the server. */
const inForm = ({ server }: WorkspaceView['containerFlow']) => ({ server: server?.id ?? '' });
const form = z.preprocess((values) => {
  const { server } = values as { server?: string };
  return server === undefined ? {} : { server: { id: server } };
}, workspaceContainerFlow);

const fields: readonly Field[] = [
  {
    name: 'server',
    label: 'Server',
    type: 'reference',
    optional: true,
    from: serverWithHostChoices,
    help: 'The default server for containers. If empty, you choose a server each time.',
  },
];

export const ContainerFlow = ({ workspace }: { workspace: WorkspaceView }) => {
  const { server } = workspace.containerFlow;
  return (
    <EditInPlace
      title="Container deploys"
      name="container-flow"
      note="The default for deploying a container under a new subdomain."
      view={
        <Facts
          label="Container deploys"
          facts={[['Server', server ? <Chosen key="server" id={server.id} /> : 'Chosen for each deploy']]}
        />
      }
      form={(done) => <ContainerFlowForm workspace={workspace} onDone={done} />}
    />
  );
};

const Chosen = ({ id }: { id: string }) => {
  const query = useAnswer(serverCalls.detail, { id });
  if (query.error?.status === 404) return <>The chosen server was removed. Choose another.</>;
  return (
    <DataView query={query} what="The server">
      {({ alias }) => <Link to={paths.server(id)}>{alias}</Link>}
    </DataView>
  );
};

const same = ({ containerFlow: a }: WorkspaceView, { containerFlow: b }: WorkspaceView): boolean =>
  a.server?.id === b.server?.id;

interface FormProps {
  workspace: WorkspaceView;
  onDone: () => void;
}

const ContainerFlowForm = ({ workspace, onDone }: FormProps) => {
  const [configure] = useChange(workspaces.containerFlow);
  const { opened, revision, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Container deploys"
      schema={form}
      fields={fields}
      initial={inForm(opened.containerFlow)}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async ({ server }, { current }) => {
        try {
          await configure({ ...(server && { server }), revision: revision(current) }).unwrap();
        } catch (refused) {
          throw conflictInForm(refused, inForm);
        }
        toast.success('The server of containers was saved.');
        onDone();
      }}
    />
  );
};
