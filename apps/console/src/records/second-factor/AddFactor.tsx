/** Choosing what to add, adding it, and the recovery codes that come with the first one. */
import { Button, Group } from '@mantine/core';
import { secondFactors } from '@quarterdeck/contract';
import type { FactorKind } from '@quarterdeck/events';
import { IconDeviceMobile, IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useAnswer } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { AddApp } from './AddApp';
import { AddPasskey } from './AddPasskey';
import { unfit } from './browser-passkeys';
import { RecoveryCodes } from './RecoveryCodes';
import { Note } from '../../ui/Note';

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
