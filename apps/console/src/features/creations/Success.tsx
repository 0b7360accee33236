/** A finished creation, with links to what it made. */
import { Alert, Group } from '@mantine/core';
import { workspaces } from '@quarterdeck/contract';
import { product as productNoun } from '@quarterdeck/events';
import type { CreationView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths, plainPath } from '../../core/paths';
import { productIn } from './section-forms';

const chosenIn = (creation: CreationView, name: string): string | undefined =>
  creation.sections
    .map(({ values }) => (values?.[name] as { id?: string } | undefined)?.id)
    .find((id) => id !== undefined);

export const Success = ({ creation }: { creation: CreationView }) => {
  const settings = useAnswer(workspaces.detail);
  const made = creation.sections.flatMap((section) => section.made);
  const idOf = (kind: string): string | undefined => made.find((one) => one.kind === kind)?.id;
  const product = productIn(creation) ?? settings.data?.containerFlow.product?.id;
  const service = idOf('service');
  const domain = idOf('domain') ?? chosenIn(creation, 'domain');
  return (
    <Alert color="green" variant="light" mb={16} title="Success" role="status">
      <Group gap="md">
        {product && <Link to={plainPath(productNoun, product)}>Product</Link>}
        {product && service && (
          <Link to={plainPath(productNoun, product, `service/${service}/detail`)}>Service</Link>
        )}
        {domain && <Link to={paths.domain(domain)}>Domain</Link>}
      </Group>
    </Alert>
  );
};
