/** The user's own name, editable in place. */
import { Button, Group } from '@mantine/core';
import { people } from '@quarterdeck/contract';
import { personName } from '@quarterdeck/events/inputs';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { DisabledInPast } from '../../core/as-of/in-past';
import { profileName, useSession } from '../../core/session';
import { askSession } from '../../core/ask-session';
import { nameField } from '../../records/sign-in/name-field';
import { ResourceForm } from '../../ui/ResourceForm';

export function Name() {
  const { profile } = useSession();
  const [editing, setEditing] = useState(false);
  if (editing) return <EditName onDone={() => setEditing(false)} />;
  return (
    <Group gap="sm">
      {profileName(profile)}
      <DisabledInPast>
        <Button variant="default" onClick={() => setEditing(true)}>
          Change name
        </Button>
      </DisabledInPast>
    </Group>
  );
}

const fields = [{ ...nameField, autoFocus: true, help: 'Shown to the others in the workspace.' }];

function EditName({ onDone }: { onDone: () => void }) {
  const { profile } = useSession();
  const dispatch = useAppDispatch();
  const [rename] = useChange(people.rename);
  const [initial] = useState({ name: [profile.firstName, profile.lastName].filter(Boolean).join(' ') });
  return (
    <ResourceForm
      label="Name"
      schema={personName}
      fields={fields}
      initial={initial}
      submitLabel="Save name"
      onCancel={onDone}
      onSubmit={async (values) => {
        await rename(values).unwrap();
        await askSession(dispatch);
        onDone();
      }}
    />
  );
}
