/** The forms of what is done with a droplet. */
import { cloud, type Answer } from '@quarterdeck/contract';
import { dropletAct, dropletAssociate } from '@quarterdeck/events/inputs';
import type { DropletView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { z } from 'zod';
import { useAnswer, useChange } from '../../core/calls';
import { productChoices } from '../../records/choices';
import { newRunId } from '../../records/runs';
import { keyFields } from '../../ui/form/key-fields';
import type { Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import type { DropletForm } from './droplet-actions';
import { FormDialog } from './FormDialog';
import { imageChoices, sizeChoices } from '../../records/cloud-sizes';

interface DropletDialogProps {
  droplet: DropletView;
  form: DropletForm;
  onStarted: (run: { runId: string }) => void;
  onAssociated: (server: { id: string }) => void;
  onClose: () => void;
}

export const DropletDialog = ({ form, ...props }: DropletDialogProps) => {
  if (form === 'associate' || form === 'product')
    return <AssociateDialog isNew={form === 'associate'} {...props} />;
  return <ActDialog form={form} {...props} />;
};

const productField: Field = {
  name: 'product.id',
  label: 'Product',
  type: 'reference',
  optional: true,
  from: productChoices,
  help: 'Whose costs it counts for.',
};
const associateFields: readonly Field[] = [
  ...keyFields(),
  { name: 'username', label: 'Username', type: 'text', mono: true, optional: true, placeholder: 'root' },
  productField,
];
const productFields: readonly Field[] = [{ ...productField, optional: false }];

const AssociateDialog = ({
  droplet: { id, name, product },
  isNew,
  onAssociated,
  onClose,
}: Omit<DropletDialogProps, 'form'> & { isNew: boolean }) => {
  const [associate] = useChange(cloud.dropletAssociate);
  const schema = useMemo(
    () => z.preprocess((values) => ({ ...(values as object), id }), dropletAssociate),
    [id],
  );
  const initial = useMemo(() => ({ product: { id: product ?? '' } }), [product]);
  return (
    <FormDialog
      title={isNew ? `Associate ${name}` : `Product of ${name}`}
      schema={schema}
      fields={isNew ? associateFields : productFields}
      initial={initial}
      submitLabel={isNew ? 'Associate' : 'Save'}
      onClose={onClose}
      onSubmit={async (values) => {
        const server = await associate(values).unwrap();
        if (isNew) return onAssociated(server);
        toast.success(`${name} now counts for the chosen product.`);
        onClose();
      }}
    >
      {isNew && 'This console has no key for it, and so needs one that opens it.'}
    </FormDialog>
  );
};

type Acting = Exclude<DropletForm, 'associate' | 'product'>;

const forms: Readonly<
  Record<
    Acting,
    {
      title: (name: string) => string;
      submit: string;
      says: string;
      fields: (options: Answer<typeof cloud.dropletOptions> | undefined) => readonly Field[];
    }
  >
> = {
  resize: {
    title: (name) => `Resize ${name}`,
    submit: 'Resize',
    says: 'The droplet has to be off. Its disk stays as it is, so it can be made smaller again.',
    fields: (options) => [
      { name: 'size', label: 'New size', type: 'select', options: options ? sizeChoices(options) : [] },
    ],
  },
  rename: {
    title: (name) => `Rename ${name}`,
    submit: 'Rename',
    says: 'This changes its name at DigitalOcean, and not its host name.',
    fields: () => [{ name: 'newName', label: 'New name', type: 'text', mono: true }],
  },
  snapshot: {
    title: (name) => `Take a snapshot of ${name}`,
    submit: 'Take the snapshot',
    says: 'DigitalOcean charges for snapshots by their size.',
    fields: () => [
      { name: 'newName', label: 'Name of the snapshot', type: 'text', mono: true, optional: true },
    ],
  },
  rebuild: {
    title: (name) => `Rebuild ${name}`,
    submit: 'Rebuild',
    says: 'Everything on the droplet is deleted, and it begins again with the image.',
    fields: (options) => [
      { name: 'image', label: 'Image', type: 'select', options: options ? imageChoices(options) : [] },
      {
        name: 'name',
        label: 'Type the name of the droplet to confirm',
        type: 'text',
        mono: true,
        autoComplete: 'off',
      },
    ],
  },
};

const ActDialog = ({
  droplet: { id, name, size, image },
  form,
  onStarted,
  onClose,
}: Omit<DropletDialogProps, 'form'> & { form: Acting }) => {
  const { title, submit, says, fields: fieldsOf } = forms[form];
  const isChoice = form === 'resize' || form === 'rebuild';
  const query = useAnswer(cloud.dropletOptions, {}, { skip: !isChoice });
  const options = query.data;
  const [perform] = useChange(cloud.dropletAct);
  const [runId] = useState(newRunId);
  const fields = useMemo(() => fieldsOf(options), [fieldsOf, options]);
  const schema = useMemo(
    () => z.preprocess((values) => ({ ...(values as object), id, type: form, runId }), dropletAct),
    [id, form, runId],
  );
  const initial = useMemo(
    () => ({ size, image, newName: form === 'rename' ? name : '', name: '' }),
    [size, image, form, name],
  );
  return (
    <FormDialog
      title={title(name)}
      schema={schema}
      fields={fields}
      initial={initial}
      submitLabel={submit}
      awaits={isChoice ? { query, what: 'Sizes and images' } : undefined}
      onClose={onClose}
      onSubmit={async (values) => {
        onStarted(await perform(values).unwrap());
        onClose();
      }}
    >
      {says}
    </FormDialog>
  );
};
