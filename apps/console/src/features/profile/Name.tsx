/** One's own name, changed where it stands. */
import { Button, Group, TextInput } from '@mantine/core';
import { people } from '@quarterdeck/contract';
import { personName } from '@quarterdeck/events/inputs';
import { useState, type FormEvent } from 'react';
import { useChange } from '../../core/calls';
import { useAppDispatch } from '../../core/hooks';
import { toApiError } from '../../core/http';
import { DisabledInPast } from '../../core/past/in-past';
import { profileName, useSession } from '../../core/session';
import { askSession } from '../../core/ask-session';

export function Name() {
  const { profile } = useSession();
  const [editing, setEditing] = useState(false);
  if (editing) return <EditName onDone={() => setEditing(false)} />;
  return (
    <Group gap="sm">
      {profileName(profile)}
      <DisabledInPast>
        <Button size="compact-sm" variant="default" onClick={() => setEditing(true)}>
          Change name
        </Button>
      </DisabledInPast>
    </Group>
  );
}

function EditName({ onDone }: { onDone: () => void }) {
  const { profile } = useSession();
  const dispatch = useAppDispatch();
  const [rename, { isLoading }] = useChange(people.rename);
  const [name, setName] = useState([profile.firstName, profile.lastName].filter(Boolean).join(' '));
  const [message, setMessage] = useState<string>();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const checked = personName.safeParse({ name: name.trim() });
    if (!checked.success) return setMessage(checked.error.issues[0]?.message);
    try {
      await rename(checked.data).unwrap();
      await askSession(dispatch);
      onDone();
    } catch (thrown) {
      const error = toApiError(thrown);
      setMessage(error.data?.name ?? error.msg);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} aria-label="Name" noValidate>
      <TextInput
        aria-label="Name"
        description="As the others in the workspace see it."
        autoComplete="name"
        autoFocus
        value={name}
        error={message}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setMessage(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone();
        }}
      />
      <Group gap="xs" mt="xs">
        <Button type="submit" size="compact-sm" loading={isLoading}>
          Save name
        </Button>
        <Button size="compact-sm" variant="default" onClick={onDone} disabled={isLoading}>
          Cancel
        </Button>
      </Group>
    </form>
  );
}
