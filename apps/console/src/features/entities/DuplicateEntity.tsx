/** Asks for the name of a copy of an entity, and opens the copy. */
import { Modal } from '@mantine/core';
import { entities } from '@quarterdeck/contract';
import { entity } from '@quarterdeck/events';
import { fieldsInput } from '@quarterdeck/events/kit';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { below } from '../../core/paths';
import type { View } from '../../records/kit';
import { ResourceForm } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useOpenedOnceThere } from '../../ui/use-opened-once-there';

const schema = fieldsInput({ fields: { name: entity.fields.name } });
const fields = [{ name: 'name', label: 'Name', type: 'text' }] as const;

interface DuplicateEntityProps {
  of: View | undefined;
  /** Path of the list. */
  base: string;
  onClose: () => void;
}

export const DuplicateEntity = ({ of, base, onClose }: DuplicateEntityProps) => {
  const [duplicate] = useChange(entities.duplicate);
  const navigate = useNavigate();
  const name = String(of?.['name']);
  return (
    <Modal
      opened={useOpenedOnceThere(of !== undefined)}
      onClose={onClose}
      title={of && `Duplicate ${name}`}
      size="lg"
    >
      {of && (
        <ResourceForm
          label="Duplicate entity"
          schema={schema}
          fields={fields}
          initial={{ name: `${name} copy` }}
          submitLabel="Duplicate entity"
          onCancel={onClose}
          afterRefusal={() => 'Nothing was added.'}
          onSubmit={async (data) => {
            const { id } = await duplicate({ id: of.id, data: data as { name: string } }).unwrap();
            toast.success(`${(data as { name: string }).name} was added.`);
            onClose();
            await navigate(`${base}/${id}/detail/${below.attribute}`);
          }}
        />
      )}
    </Modal>
  );
};
