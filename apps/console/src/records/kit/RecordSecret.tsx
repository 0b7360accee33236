/** Shows a secret only on demand. The history records who saw it. */
import { Button, Group } from '@mantine/core';
import type { PlainNoun } from '@quarterdeck/events';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError } from '../../core/http';
import { DisabledInPast } from '../../core/as-of/in-past';
import { useSession } from '../../core/session';
import { CopyText } from '../../ui/CopyText';
import { toast } from '../../ui/toast';
import { anyCalls } from './any-calls';

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

export const RecordSecret = ({ noun, id, field }: { noun: PlainNoun; id: string; field: string }) => {
  const { value, isLoading, toggle } = useSecret(noun, id, field);
  const isAdmin = useSession().can('admin');
  return (
    <Group component="span" display="inline-flex" gap={8} ff="monospace">
      {value === undefined ? MASK : <CopyText value={value} />}
      {isAdmin && (
        <DisabledInPast>
          <Button variant="default" loading={isLoading} onClick={toggle}>
            {value === undefined ? 'Show' : 'Hide'}
          </Button>
        </DisabledInPast>
      )}
    </Group>
  );
};
