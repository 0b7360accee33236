/** Whose workspace it is: that of operators, or of the users of a product, who have no console. */
import { callsOf, workspaces } from '@quarterdeck/contract';
import { product as products } from '@quarterdeck/events';
import { workspaceAudience } from '@quarterdeck/events/inputs';
import type { WorkspaceView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { z } from 'zod';
import { useAnswer, useChange } from '../../core/calls';
import { plainPath } from '../../core/paths';
import { productChoices } from '../../records/choices';
import { DataView } from '../../ui/DataView';
import { EditInPlace, useEditBase } from '../../ui/EditInPlace';
import { Facts } from '../../ui/Facts';
import { conflictInForm } from '../../ui/form/conflict';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';

/** A form holds the product's id, a call the product. */
const inForm = ({ product }: WorkspaceView['audience']) => ({ product: product?.id ?? '' });
const form = z.preprocess((values) => {
  const { product } = values as { product?: string };
  return product === undefined ? {} : { product: { id: product } };
}, workspaceAudience);

const fields: readonly Field[] = [
  {
    ...{ name: 'product', label: 'Product', type: 'reference', optional: true, from: productChoices },
    help: 'Its users have accounts here. Only superadmins can sign in to the console then. If empty, operators can.',
  },
];

export const Audience = ({ workspace }: { workspace: WorkspaceView }) => {
  const { product } = workspace.audience;
  return (
    <EditInPlace
      title="Who may sign in"
      name="audience"
      note="A workspace belongs to operators, or to the users of a product."
      view={
        <Facts
          label="Who may sign in"
          facts={[
            ['Workspace of', product ? <UsersOf key="product" id={product.id} /> : 'Operators'],
            ['Sign-in', product ? 'Superadmins only' : 'All members'],
          ]}
        />
      }
      form={(done) => <AudienceForm workspace={workspace} onDone={done} />}
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

const same = ({ audience: a }: WorkspaceView, { audience: b }: WorkspaceView): boolean =>
  a.product?.id === b.product?.id;

const AudienceForm = ({ workspace, onDone }: { workspace: WorkspaceView; onDone: () => void }) => {
  const [configure] = useChange(workspaces.audience);
  const { opened, revision, touch } = useEditBase(workspace, same);
  return (
    <ResourceForm
      label="Who may sign in"
      schema={form}
      fields={fields}
      initial={inForm(opened.audience)}
      submitLabel="Save"
      onCancel={onDone}
      onTouched={touch}
      onSubmit={async ({ product }, { current }) => {
        try {
          await configure({ ...(product && { product }), revision: revision(current) }).unwrap();
        } catch (refused) {
          throw conflictInForm(refused, inForm);
        }
        toast.success('Who may sign in was saved.');
        onDone();
      }}
    />
  );
};
