/** Adds a key with its English text. The other languages are entered on its page. */
import { texts } from '@quarterdeck/contract';
import { textAdd } from '@quarterdeck/events/inputs';
import { Link, useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import type { Field } from '../../ui/form/fields';
import { PageHeader } from '../../ui/PageHeader';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { textPath, wordsOf, type TextsOf } from './text-words';

const fieldsOf = (isCms: boolean): readonly Field[] => [
  {
    name: 'key',
    label: 'Key',
    type: 'text',
    mono: true,
    autoFocus: true,
    help: `The product finds the text by it, such as ${isCms ? 'terms' : 'checkout.title'}. Dots make groups.`,
  },
  {
    name: 'texts.en',
    label: 'English text',
    type: 'textarea',
    rows: isCms ? 12 : 3,
    optional: true,
    help: isCms
      ? 'Markdown. The other languages follow on the next page.'
      : 'Arguments as in ICU messages: {name}. The other languages follow on the next page.',
  },
];

export const AddPage = ({ base, product, isCms }: TextsOf) => {
  const navigate = useNavigate();
  const [insert] = useChange(texts.insert);
  const words = wordsOf(isCms);
  return (
    <>
      <PageHeader title={words.add} description={<Link to={base}>Back to the {words.many}</Link>} />
      <ResourceForm
        label={words.add}
        schema={textAdd}
        fields={isCms ? contentFields : textFields}
        submitLabel={`Save ${words.one}`}
        onCancel={() => void navigate(base)}
        onSubmit={async (data) => {
          const { id } = await insert({ data: { ...data, product: { id: product.id }, isCms } }).unwrap();
          toast.success(`${data.key} was saved.`);
          await navigate(textPath(base, id));
        }}
      />
    </>
  );
};

const [textFields, contentFields] = [fieldsOf(false), fieldsOf(true)];
