/** The default server for deploying a container. */
import { servers as serverCalls, workspaces } from '@quarterdeck/contract';
import { workspaceContainerFlow } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { z } from 'zod';
import { DataView } from '../../ui/DataView';
import type { Field } from '../../ui/ResourceForm';
import { useAnswer, useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';
import { paths } from '../../core/paths';
import { serverWithHostChoices } from '../../records/choices';

/** The form holds the server's id; the call takes `{ server: { id } }`. */
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
  const { server: chosen } = workspace.containerFlow;
  const [configure] = useChange(workspaces.containerFlow);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="containerFlow"
      title="Container deploys"
      name="container-flow"
      note="The default for deploying a container under a new subdomain."
      facts={[['Server', chosen ? <Chosen key="server" id={chosen.id} /> : 'Chosen for each deploy']]}
      schema={form}
      fields={fields}
      inForm={inForm}
      save={({ server }, revision) => configure({ ...(server && { server }), revision }).unwrap()}
      saved="The server for containers was saved."
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
