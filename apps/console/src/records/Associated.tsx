/** Lists the attributes that reference an entity or use an option set. */
import { attributes, type AttributeWithEntity } from '@quarterdeck/contract';
import { IconLink } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useAnswer, useAsk } from '../core/calls';
import { below } from '../core/paths';
import { DataTable, type Column } from '../ui/DataTable';
import { EmptyState } from '../ui/EmptyState';

const columns: readonly Column<AttributeWithEntity>[] = [
  { id: 'attribute', header: 'Attribute', value: (one) => one.name, priority: 1 },
  { id: 'entity', header: 'Entity', value: (one) => one.entity.name, filter: 'category', priority: 2 },
];

/** The page of an attribute, below the list of entities. */
export const attributePath = (entities: string, entity: string, id: string): string =>
  `${entities}/${entity}/detail/${below.attribute}/${id}/detail`;

interface AssociatedProps {
  id: string;
  /** Path of the product's list of entities. */
  entities: string;
}

export const Associated = ({ id, entities }: AssociatedProps) => {
  const navigate = useNavigate();
  const query = useAnswer(attributes.listAssociated, { id });
  const to = (one: AttributeWithEntity): string => attributePath(entities, one.entity.id, one.id);
  return (
    <DataTable
      label="Associated attributes"
      query={query}
      columns={columns}
      rowKey={(one) => one.id}
      href={to}
      onOpen={(one) => void navigate(to(one))}
      empty={
        <EmptyState title="Not used" icon={IconLink}>
          No attribute of another entity refers to it.
        </EmptyState>
      }
    />
  );
};

/** Names of the attributes that would lose their target if it were deleted: `Order.customer`. */
export const useUses = (): (({ id }: { id: string }) => Promise<readonly string[]>) => {
  const [ask] = useAsk(attributes.listAssociated);
  return async ({ id }) => (await ask({ id }).unwrap()).map(({ entity, name }) => `${entity.name}.${name}`);
};
