/** Gives the second factor: a code, a passkey or a recovery code. */
import { Alert, Anchor, Button, Stack } from '@mantine/core';
import { secondFactors, type Answer } from '@quarterdeck/contract';
import { proofNames, type ProofKind } from '@quarterdeck/events';
import { recoveryGive, totpGive } from '@quarterdeck/events/inputs';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../core/calls';
import { isApiError } from '../../core/http';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { unfit, usePasskeyOfBrowser, wordsOfFailure } from './browser-passkeys';
import { Note } from '../../ui/Note';

type State = Answer<typeof secondFactors.state>;

interface GiveFactorProps {
  state: State;
  onGiven: () => void | Promise<void>;
}

export function GiveFactor({ state: { ways, passkeys }, onGiven }: GiveFactorProps) {
  const noPasskeys = unfit(passkeys);
  const usable = ways.filter((way) => way !== 'passkey' || noPasskeys === undefined);
  const [chosen, choose] = useState<ProofKind>();
  const way = chosen ?? usable.find((one) => one === 'passkey') ?? usable[0];
  if (way === undefined)
    return (
      <Alert color="red" role="alert" title="None of your second factors works here">
        {noPasskeys} Ask an administrator of the workspace to reset your second factor.
      </Alert>
    );
  return (
    <Stack gap="md">
      {way === 'passkey' ? <ByPasskey onGiven={onGiven} /> : <ByCode key={way} way={way} onGiven={onGiven} />}
      {usable
        .filter((other) => other !== way)
        .map((other) => (
          <Anchor
            key={other}
            component="button"
            type="button"
            size="sm"
            ta="left"
            onClick={() => choose(other)}
          >
            Use {other === 'totp' ? 'an' : 'a'} {proofNames[other]} instead
          </Anchor>
        ))}
      {ways.includes('passkey') && noPasskeys !== undefined && <Note m="0 0 12px">{noPasskeys}</Note>}
    </Stack>
  );
}

const codeField = { name: 'code', type: 'text', mono: true, autoFocus: true } as const;
const ofApp: readonly Field[] = [
  {
    ...codeField,
    label: 'Code',
    autoComplete: 'one-time-code',
    help: 'The 6 digits that your authenticator app shows now. Each code works once.',
  },
];
const ofRecovery: readonly Field[] = [
  { ...codeField, label: 'Recovery code', help: 'One of the codes that you kept. Each works once.' },
];
const initial = { code: '' };

interface ByCodeProps {
  way: 'totp' | 'recovery';
  onGiven: GiveFactorProps['onGiven'];
}

function ByCode({ way, onGiven }: ByCodeProps) {
  const [giveTotp] = useChange(secondFactors.giveTotp);
  const [giveRecovery] = useChange(secondFactors.giveRecovery);
  const give = way === 'totp' ? giveTotp : giveRecovery;
  return (
    <ResourceForm
      label="Second factor"
      schema={way === 'totp' ? totpGive : recoveryGive}
      fields={way === 'totp' ? ofApp : ofRecovery}
      initial={initial}
      submitLabel="Continue"
      dirtyGuard={false}
      afterRefusal={() => 'You have not given your second factor yet.'}
      onSubmit={async ({ code }) => {
        await give({ code }).unwrap();
        await onGiven();
      }}
    />
  );
}

function ByPasskey({ onGiven }: { onGiven: GiveFactorProps['onGiven'] }) {
  const [begin] = useChange(secondFactors.passkeyOptions);
  const [give] = useChange(secondFactors.givePasskey);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);

  const ask = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const { options } = await begin().unwrap();
      await give({ answer: await usePasskeyOfBrowser(options) }).unwrap();
      await onGiven();
    } catch (thrown) {
      setFailure(isApiError(thrown) ? thrown.msg : wordsOfFailure(thrown));
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      {failure !== undefined && (
        <Alert color="red" role="alert" title="The passkey was not accepted">
          {failure}
        </Alert>
      )}
      <Button
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={busy}
        onClick={() => void ask()}
      >
        Use a passkey
      </Button>
    </>
  );
}
