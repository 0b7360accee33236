/** The form of a new instance. */
import { apiInstances } from '@quarterdeck/contract';
import { environments } from '@quarterdeck/events';
import { apiInit } from '@quarterdeck/events/inputs';
import { Link, useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';

const fields: readonly Field[] = [
  {
    name: 'instance',
    label: 'Instance',
    type: 'text',
    half: true,
    help: 'A short name, unique in this product.',
  },
  { name: 'title', label: 'Title', type: 'text', half: true },
  {
    name: 'env',
    label: 'Environment',
    type: 'select',
    half: true,
    options: environments.map((label, at) => ({ value: at + 1, label })),
  },
  {
    name: 'github',
    label: 'GitHub',
    type: 'text',
    half: true,
    help: 'Name of the account that the API belongs to.',
  },
  { name: 'firstName', label: 'First name', type: 'text', half: true },
  { name: 'lastName', label: 'Last name', type: 'text', half: true },
  {
    name: 'email',
    label: 'E-mail',
    type: 'text',
    half: true,
    help: 'Of the person who is responsible for the API.',
  },
  { name: 'description', label: 'Description', type: 'textarea', optional: true, rows: 4 },
  {
    name: 'multiTenant',
    label: 'Multi-tenant',
    type: 'checkbox',
    help: 'Each user sees the rows of their own tenant only. Entities need an attribute named tenant.',
  },
];
const schema = apiInit.omit({ productId: true });
const initial = { env: 1, multiTenant: false };

export const InitPage = ({ base, product }: { base: string; product: string }) => {
  const [init] = useChange(apiInstances.init);
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="Add instance" description={<Link to={base}>Back to the list</Link>} />
      <ResourceForm
        label="Add instance"
        schema={schema}
        fields={fields}
        initial={initial}
        submitLabel="Save instance"
        onCancel={() => void navigate(base)}
        onSubmit={async (values) => {
          const { uuid } = await init({ ...values, productId: product }).unwrap();
          toast.success(`${values.title} was saved.`);
          await navigate(`${base}/${uuid}/detail/endpoints`);
        }}
      />
    </>
  );
};
