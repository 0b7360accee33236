/** Who the workspace belongs to: operators, or the users of a product, who cannot use the console. */
import { callsOf, workspaces } from '@quarterdeck/contract';
import { product as products } from '@quarterdeck/events';
import { workspaceAudience } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { z } from 'zod';
import { useAnswer, useChange } from '../../core/calls';
import { WorkspaceSetting } from '../../records/WorkspaceSetting';
import { plainPath } from '../../core/paths';
import { productChoices } from '../../records/choices';
import { DataView } from '../../ui/DataView';
import type { Field } from '../../ui/ResourceForm';

/** The form holds the product's id; the call takes `{ product: { id } }`. */
const inForm = ({ product }: WorkspaceView['audience']) => ({ product: product?.id ?? '' });
const form = z.preprocess((values) => {
  const { product } = values as { product?: string };
  return product === undefined ? {} : { product: { id: product } };
}, workspaceAudience);

const fields: readonly Field[] = [
  {
    name: 'product',
    label: 'Product',
    type: 'reference',
    optional: true,
    from: productChoices,
    help: 'Its users have accounts here. Only superadmins can sign in to the console then. If empty, operators can.',
  },
];

export const Audience = ({ workspace }: { workspace: WorkspaceView }) => {
  const { product: owner } = workspace.audience;
  const [configure] = useChange(workspaces.audience);
  return (
    <WorkspaceSetting
      workspace={workspace}
      part="audience"
      title="Who may sign in"
      name="audience"
      note="A workspace belongs to operators, or to the users of a product."
      facts={[
        ['Workspace of', owner ? <UsersOf key="product" id={owner.id} /> : 'Operators'],
        ['Sign-in', owner ? 'Superadmins only' : 'All members'],
      ]}
      schema={form}
      fields={fields}
      inForm={inForm}
      save={({ product }, revision) => configure({ ...(product && { product }), revision }).unwrap()}
      saved="The sign-in settings were saved."
    />
  );
};

const UsersOf = ({ id }: { id: string }) => (
  <DataView query={useAnswer(callsOf(products).detail, { id })} what="The product">
    {({ name }) => (
      <>
        Users of <Link to={plainPath(products, id)}>{name}</Link>
      </>
    )}
  </DataView>
);
