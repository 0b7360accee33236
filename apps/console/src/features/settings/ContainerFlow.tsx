/** The server that the container flow begins with. */
import { servers as serverCalls, workspaces } from '@quarterdeck/contract';
import { workspaceContainerFlow } from '@quarterdeck/events/inputs';
import type { ServerView, WorkspaceView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { z } from 'zod';
import { DataView } from '../../ui/DataView';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { conflictInForm } from '../../ui/form/conflict';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAnswer, useChange } from '../../core/calls';
import { paths } from '../../core/paths';

/** A form holds the server's id, a call the server. */
const inForm = ({ server }: WorkspaceView['containerFlow']) => ({ server: server?.id ?? '' });
const form = z.preprocess((values) => {
  const { server } = values as { server?: string };
  return server === undefined ? {} : { server: { id: server } };
}, workspaceContainerFlow);

const fieldsOf = (servers: readonly ServerView[]): readonly Field[] => [
  {
    name: 'server',
    label: 'Server',
    type: 'select',
    numeric: false,
    optional: true,
    options: servers
      .map(({ id, alias, host }) => ({ value: id, label: `${alias} (${host})` }))
      .sort((a, b) => a.label.localeCompare(b.label)),
    help: 'Containers are deployed there unless somebody chooses another. None: the server is asked for.',
  },
];

export const ContainerFlow = ({ workspace }: { workspace: WorkspaceView }) => {
  const servers = useAnswer(serverCalls.list);
  const { server } = workspace.containerFlow;
  return (
    <EditInPlace
      title="Container deploys"
      name="container-flow"
      note="What the deploy of a container under a new subdomain begins with."
      view={
        <DataView query={servers} what="Servers">
          {(all) => <p>{server ? <Chosen id={server.id} servers={all} /> : 'The server is asked for.'}</p>}
        </DataView>
      }
      form={(done) => (
        <DataView query={servers} what="Servers">
          {(all) => <ContainerFlowForm workspace={workspace} servers={all} onDone={done} />}
        </DataView>
      )}
    />
  );
};

const Chosen = ({ id, servers }: { id: string; servers: readonly ServerView[] }) => {
  const server = servers.find((one) => one.id === id);
  if (!server) return <>The server that was chosen has been removed: choose another.</>;
  return (
    <>
      Containers are deployed to <Link to={paths.server(id)}>{server.alias}</Link>.
    </>
  );
};

const same = ({ containerFlow: a }: WorkspaceView, { containerFlow: b }: WorkspaceView): boolean =>
  a.server?.id === b.server?.id;

interface FormProps {
  workspace: WorkspaceView;
  servers: readonly ServerView[];
  onDone: () => void;
}

const ContainerFlowForm = ({ workspace, servers, onDone }: FormProps) => {
  const [configure] = useChange(workspaces.containerFlow);
  const { opened, revision, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Container deploys"
      schema={form}
      fields={fieldsOf(servers)}
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
