/** The default server and product for deploying a container. */
import { callsOf, servers as serverCalls, workspaces } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import { workspaceContainerFlow } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { z } from 'zod';
import { DataView } from '../../ui/DataView';
import type { Field } from '../../ui/ResourceForm';
import { useAnswer, useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';
import { paths, plainPath } from '../../core/paths';
import { productChoices, serverWithHostChoices } from '../../records/choices';

/** The form holds ids; the call takes `{ server: { id } }`. */
const inForm = ({ server, product }: WorkspaceView['containerFlow']) => ({
  server: server?.id ?? '',
  product: product?.id ?? '',
});
const form = z.preprocess((values) => {
  const { server, product } = values as { server?: string; product?: string };
  return { ...(server && { server: { id: server } }), ...(product && { product: { id: product } }) };
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
  {
    name: 'product',
    label: 'Product',
    type: 'reference',
    optional: true,
    from: productChoices,
    help: 'The default product for containers. If empty, you choose a product each time.',
  },
];

export const ContainerFlow = ({ workspace }: { workspace: WorkspaceView }) => {
  const { server: chosen, product } = workspace.containerFlow;
  const [configure] = useChange(workspaces.containerFlow);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="containerFlow"
      title="Container deploys"
      name="container-flow"
      note="The default for deploying a container under a new subdomain."
      facts={[
        ['Server', chosen ? <Chosen key="server" id={chosen.id} /> : 'Chosen for each deploy'],
        ['Product', product ? <ChosenProduct key="product" id={product.id} /> : 'Chosen each time'],
      ]}
      schema={form}
      fields={fields}
      inForm={inForm}
      save={({ server, product }, revision) =>
        configure({ ...(server && { server }), ...(product && { product }), revision }).unwrap()
      }
      saved="The defaults for containers were saved."
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

const ChosenProduct = ({ id }: { id: string }) => {
  const query = useAnswer(callsOf(productNoun).detail, { id });
  if (query.error?.status === 404) return <>The chosen product was removed. Choose another.</>;
  return (
    <DataView query={query} what="The product">
      {({ name }) => <Link to={plainPath(productNoun, id)}>{String(name)}</Link>}
    </DataView>
  );
};
