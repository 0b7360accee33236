/** Option sets of a product, built from the resource kit. Each has ordered values with a number and a text. */
import { optionSet, optionSetValue } from '@quarterdeck/events';
import { IconListNumbers } from '@tabler/icons-react';
import { below } from '../../core/paths';
import { Associated, useUses } from '../../records/Associated';
import { RecordArea, type ProductAreaProps } from '../../records/kit';

interface OptionSetsProps extends ProductAreaProps {
  /** The address of the product's entities. */
  entities: string;
}

export const OptionSets = ({ base, product, entities }: OptionSetsProps) => {
  const uses = useUses();
  return (
    <RecordArea
      noun={optionSet}
      base={base}
      opensAt={below.optionSetValue}
      parents={{ product }}
      icon={IconListNumbers}
      empty="An option set has the values that an attribute of type Int may take, such as 1 open, 2 paid."
      consequences="Its values go with it. You can undo this."
      uses={uses}
      tabs={({ view: { id } }) => [
        {
          id: below.optionSetValue,
          label: 'Values',
          area: true,
          content: () => (
            <Values base={`${base}/${id}/detail/${below.optionSetValue}`} product={product} set={id} />
          ),
        },
        { id: 'used-by', label: 'Used by', content: () => <Associated id={id} entities={entities} /> },
      ]}
    />
  );
};

const Values = ({ base, product, set }: ProductAreaProps & { set: string }) => (
  <RecordArea
    noun={optionSetValue}
    base={base}
    parents={{ product, optionSet: set }}
    icon={IconListNumbers}
    question="Are you sure you would like to delete this item?"
    empty="Values with a number and a text will appear here, in an order that you choose."
    consequences="Rows in databases that have its number keep it. You can undo this."
  />
);
