/** Makes a passkey in this browser, or on a security key or phone that the browser asks. */
import { secondFactors, type Answer } from '@quarterdeck/contract';
import { passkeyForm } from '@quarterdeck/events/inputs';
import { useChange } from '../../core/calls';
import { isApiError } from '../../core/http';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { makePasskey, wordsOfFailure } from './browser-passkeys';
import { withProof } from './fresh-proof';

interface AddPasskeyProps {
  onAdded: (added: Answer<typeof secondFactors.passkeyConfirm>) => void;
  onCancel: () => void;
}

const fields: readonly Field[] = [
  {
    name: 'name',
    label: 'Name',
    type: 'text',
    autoFocus: true,
    help: 'So that you know it among others, such as “Laptop” or “Security key”.',
  },
];
const initial = { name: 'Passkey' };

export function AddPasskey({ onAdded, onCancel }: AddPasskeyProps) {
  const [begin] = useChange(secondFactors.passkeyBegin);
  const [confirm] = useChange(secondFactors.passkeyConfirm);
  return (
    <ResourceForm
      label="Passkey"
      schema={passkeyForm}
      fields={fields}
      initial={initial}
      submitLabel="Add passkey"
      dirtyGuard={false}
      onCancel={onCancel}
      onSubmit={async ({ name }) => {
        const { options } = await withProof(() => begin().unwrap());
        const answer = await makePasskey(options).catch((error: unknown) => {
          throw isApiError(error) ? error : { status: 'unreadable' as const, msg: wordsOfFailure(error) };
        });
        onAdded(await confirm({ name, answer }).unwrap());
      }}
    />
  );
}
