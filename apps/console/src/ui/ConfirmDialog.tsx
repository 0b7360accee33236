import { Button, Group, Modal, TextInput } from '@mantine/core';
import { isTyped } from '@quarterdeck/events';
import { useRef, useState, type FormEvent } from 'react';
import type { Question } from './confirm';
import { useOpenedOnceThere } from './use-opened-once-there';

export default function ConfirmDialog({ question }: { question: Question | undefined }) {
  // The dialog keeps its text while it fades out.
  const last = useRef(question);
  if (question) last.current = question;
  const shown = question ?? last.current;
  return (
    <Modal
      opened={useOpenedOnceThere(question !== undefined)}
      onClose={() => question?.settle({ confirmed: false, typed: '' })}
      title={shown?.title}
      size="md"
      centered
      zIndex={450}
    >
      {shown && <Ask key={shown.id} {...shown} />}
    </Modal>
  );
}

function Ask({
  body,
  confirmLabel,
  held = false,
  dismissLabel = held ? 'OK' : 'Cancel',
  danger = false,
  eager = false,
  typeToConfirm: asked,
  settle,
}: Question) {
  const [typed, setTyped] = useState('');
  const typeToConfirm = held ? undefined : asked;
  const matches = typeToConfirm === undefined || isTyped(typeToConfirm, typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (matches && !held) settle({ confirmed: true, typed });
  };
  return (
    <form onSubmit={submit}>
      <div>{body}</div>
      {typeToConfirm !== undefined && (
        <TextInput
          mt="md"
          label={
            <>
              Type <strong>{typeToConfirm}</strong> to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button
          variant="default"
          onClick={() => settle({ confirmed: false, typed })}
          data-autofocus={(typeToConfirm === undefined && !eager) || undefined}
        >
          {dismissLabel}
        </Button>
        {!held && (
          <Button
            type="submit"
            data-autofocus={eager || undefined}
            {...(danger && { color: 'red' })}
            disabled={!matches}
            title={matches ? undefined : `Type ${typeToConfirm} first`}
          >
            {confirmLabel}
          </Button>
        )}
      </Group>
    </form>
  );
}
