/** Choosing what to add, adding it, and the recovery codes that come with the first one. */
import { Button, Group } from '@mantine/core';
import { type Answer, secondFactors } from '@quarterdeck/contract';
import type { FactorKind } from '@quarterdeck/events';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { AddApp } from './AddApp';
import { makePasskey, unfit, wordsOfFailure } from './browser-passkeys';
import { RecoveryCodes } from './RecoveryCodes';
import { Note } from '../../ui/Note';
import { passkeyForm } from '@quarterdeck/events/inputs';
import { isApiError } from '../../core/http';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { withProof } from './fresh-proof';

interface AddFactorProps {
  /** Called once the person has kept the recovery codes, if there were any. */
  onAdded: () => void;
}

export function AddFactor({ onAdded }: AddFactorProps) {
  const { data } = useAnswer(secondFactors.state);
  const [adding, setAdding] = useState<FactorKind>();
  const [codes, setCodes] = useState<readonly string[]>();
  const cancel = (): void => setAdding(undefined);
  const added = ({ recoveryCodes }: { recoveryCodes?: string[] | undefined }): void => {
    cancel();
    if (recoveryCodes) setCodes(recoveryCodes);
    else onAdded();
  };

  if (codes)
    return (
      <RecoveryCodes
        codes={codes}
        onKept={() => {
          setCodes(undefined);
          onAdded();
        }}
      />
    );
  if (adding === 'totp') return <AddApp onAdded={added} onCancel={cancel} />;
  if (adding === 'passkey') return <AddPasskey onAdded={added} onCancel={cancel} />;
  const noPasskeys = data && unfit(data.passkeys);
  return (
    <>
      <Group gap="xs">
        <DisabledInPast>
          <Button
            variant="default"
            leftSection={<IconDeviceMobile size={16} aria-hidden />}
            onClick={() => setAdding('totp')}
          >
            Add authenticator app
          </Button>
        </DisabledInPast>
        {data && noPasskeys === undefined && (
          <DisabledInPast>
            <Button
              variant="default"
              leftSection={<IconFingerprint size={16} aria-hidden />}
              onClick={() => setAdding('passkey')}
            >
              Add passkey
            </Button>
          </DisabledInPast>
        )}
      </Group>
      {noPasskeys !== undefined && <Note m="12px 0">{noPasskeys}</Note>}
    </>
  );
}

/** Makes a passkey in this browser, or on a security key or phone that the browser asks. */
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

function AddPasskey({ onAdded, onCancel }: AddPasskeyProps) {
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
