/** Shows a secret only on demand. The history records who saw it. */
import { Box, Button, Group } from '@mantine/core';
import { labelOf, type PlainNoun } from '@quarterdeck/events';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useSession } from '../../core/session';
import { confirmAction } from '../../ui/confirm';
import { CopyText } from '../../ui/CopyText';
import { toast } from '../../ui/toast';
import { anyCalls } from './any-calls';
import { valuesOf, type View } from './record-fields';
import look from '../../ui/look.module.css';

export const MASK = '*******';

/** @returns the secret after `toggle` revealed it; it is kept only while the component is mounted */
export const useSecret = (noun: PlainNoun, id: string, field: string) => {
  const [reveal, { isLoading }] = useChange(anyCalls(noun).reveal);
  const [value, setValue] = useState<string>();
  const show = async (): Promise<void> => {
    try {
      setValue((await reveal({ id, field }).unwrap()).value);
    } catch (thrown) {
      toast.failure(`It could not be shown: ${toApiError(thrown).msg}`);
    }
  };
  return { value, isLoading, toggle: () => (value === undefined ? void show() : setValue(undefined)) };
};

/** Takes an optional secret away. */
const useRemovedSecret = (noun: PlainNoun, view: View, field: string) => {
  const [update, { isLoading }] = useChange(anyCalls(noun).update);
  const what = labelOf(noun.fields, field);
  const remove = async (): Promise<void> => {
    const title = `Remove the ${what.toLowerCase()}?`;
    const body = 'It is destroyed, and this cannot be undone.';
    if (!(await confirmAction({ title, body, confirmLabel: 'Remove', danger: true }))) return;
    try {
      await update({
        id: view.id,
        data: { ...valuesOf(noun, view), [field]: '' },
        revision: view.revision,
      }).unwrap();
      toast.success(`${what} removed.`);
    } catch (thrown) {
      toast.failure(`It could not be removed: ${toApiError(thrown).msg}`);
    }
  };
  return { remove, isLoading };
};

interface SecretProps {
  noun: PlainNoun;
  view: View;
  field: string;
}

export const RecordSecret = (props: SecretProps) =>
  props.noun.fields[props.field]?.sealed ? (
    <Group component="span" display="inline-flex" gap={8} ff="monospace">
      {MASK}
      <RemoveSecret {...props} />
    </Group>
  ) : (
    <ShownSecret {...props} />
  );

const RemoveSecret = ({ noun, view, field }: SecretProps) => {
  const removed = useRemovedSecret(noun, view, field);
  const { can } = useSession();
  if (!noun.fields[field]?.optional || !can(noun.changedBy)) return null;
  return (
    <DisabledInPast>
      <Button variant="default" loading={removed.isLoading} onClick={() => void removed.remove()}>
        Remove
      </Button>
    </DisabledInPast>
  );
};

const ShownSecret = ({ noun, view, field }: SecretProps) => {
  const { value, isLoading, toggle } = useSecret(noun, view.id, field);
  const { can } = useSession();
  const { lines } = noun.fields[field] ?? {};
  return (
    <Group
      component="span"
      display="inline-flex"
      gap={8}
      ff="monospace"
      {...(lines && { className: look.text })}
    >
      {value === undefined ? MASK : !lines && <CopyText value={value} />}
      {can('admin') && (
        <DisabledInPast>
          <Button variant="default" loading={isLoading} onClick={toggle}>
            {value === undefined ? 'Show' : 'Hide'}
          </Button>
        </DisabledInPast>
      )}
      <RemoveSecret noun={noun} view={view} field={field} />
      {value !== undefined && lines && (
        <Box component="span" w="100%">
          <CopyText value={value} />
        </Box>
      )}
    </Group>
  );
};
