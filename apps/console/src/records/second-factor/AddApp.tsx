/** Sets up an authenticator app: a QR code, the same secret as text, and a code that confirms it. */
import { Box, Button } from '@mantine/core';
import { secondFactors, type Answer } from '@quarterdeck/contract';
import { totpForm } from '@quarterdeck/events/inputs';
import { useEffect, useState } from 'react';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { CopyText } from '../../ui/CopyText';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import { part } from '../../ui/part';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { withProof } from './fresh-proof';
import look from '../../ui/look.module.css';
import { Bullets } from '../../ui/List';

const QrCode = part(() => import('./QrCode'), 'Drawing the QR code');

type Added = Answer<typeof secondFactors.totpConfirm>;

interface AddAppProps {
  onAdded: (added: Added) => void;
  onCancel: () => void;
}

const fields: readonly Field[] = [
  {
    name: 'code',
    label: 'Code',
    type: 'text',
    mono: true,
    autoComplete: 'one-time-code',
    help: 'The 6 digits that the app shows now.',
  },
  { name: 'name', label: 'Name', type: 'text', help: 'So that you know it among others, such as “Phone”.' },
];
const initial = { name: 'Authenticator app', code: '' };

export function AddApp({ onAdded, onCancel }: AddAppProps) {
  const [begin] = useChange(secondFactors.totpBegin);
  const [confirm] = useChange(secondFactors.totpConfirm);
  const [begun, setBegun] = useState<Answer<typeof secondFactors.totpBegin>>();
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    let gone = false;
    withProof(() => begin().unwrap()).then(
      (answer) => {
        if (!gone) setBegun(answer);
      },
      (thrown: unknown) => {
        if (!gone) setError(toApiError(thrown));
      },
    );
    return () => {
      gone = true;
    };
  }, [begin, attempt]);

  if (error)
    return (
      <>
        <ErrorState
          error={error}
          what="The authenticator app"
          onRetry={() => {
            setError(undefined);
            setAttempt(attempt + 1);
          }}
        />
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
      </>
    );
  if (!begun) return <Loading label="Making a secret" />;
  const { id, secret, address } = begun;
  return (
    <>
      <Bullets component="ol" mb={16}>
        <li>
          Open an authenticator app on your phone, and scan this code with it.
          <QrCode text={address} label="QR code with the secret of the authenticator app" />
        </li>
        <li>
          If you cannot scan it, type this secret:{' '}
          <Box component="span" className={look.wrap} ff="monospace">
            <CopyText value={secret} />
          </Box>
        </li>
        <li>Type the code that the app shows.</li>
      </Bullets>
      <ResourceForm
        label="Authenticator app"
        schema={totpForm}
        fields={fields}
        initial={initial}
        submitLabel="Add authenticator app"
        dirtyGuard={false}
        onCancel={onCancel}
        onSubmit={async (values) => onAdded(await confirm({ id, ...values }).unwrap())}
      />
    </>
  );
}
