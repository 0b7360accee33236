/** Connects the account: by signing in at the provider, or with a personal token. */
import { Box } from '@mantine/core';
import { cloud, type Answer } from '@quarterdeck/contract';
import { cloudToken } from '@quarterdeck/events/inputs';
import { IconCloud } from '@tabler/icons-react';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { ActionFailure } from '../../records/runs';
import { Action } from '../../ui/Action';
import { Card } from '../../ui/Card';
import { Note } from '../../ui/Note';
import { ResourceForm, type Field } from '../../ui/ResourceForm';
import { toast } from '../../ui/toast';
import { useAction } from '../../ui/use-action';

const fields: readonly Field[] = [
  {
    name: 'token',
    label: 'Personal token',
    type: 'secret',
    autoComplete: 'off',
    help: 'Stored encrypted and never shown again. It needs read and write access.',
  },
];

interface ConnectProps {
  state: Answer<typeof cloud.exists>;
  /** The account was connected before. */
  again?: boolean;
}

export const Connect = ({ state: { canSignIn, tokenPage }, again = false }: ConnectProps) => {
  const [connect] = useChange(cloud.connect);
  return (
    <Card title={again ? undefined : 'Log in to DigitalOcean'} mt={again ? 12 : 0}>
      {!again && (
        <Note mb={16}>
          No account is connected yet. Its databases, droplets and domains will appear here, for all
          administrators of this workspace.
        </Note>
      )}
      {canSignIn && <SignIn />}
      <Box maw={520}>
        <Note mb={8}>
          {canSignIn ? 'Or enter a personal token, which ' : 'Enter a personal token, which '}
          <a href={tokenPage} target="_blank" rel="noreferrer">
            DigitalOcean creates for you
          </a>
          .
        </Note>
        <ResourceForm
          label="Personal token"
          schema={cloudToken}
          fields={fields}
          submitLabel="Use this token"
          dirtyGuard={false}
          onSubmit={async (values) => {
            await connect(values).unwrap();
            toast.success('DigitalOcean is connected.');
          }}
        />
      </Box>
    </Card>
  );
};

const SignIn = () => {
  const [askUrl] = useChange(cloud.url);
  const { act, busy, failure, dismiss } = useAction();
  const go = () =>
    act({
      send: () => askUrl({}).unwrap(),
      done: ({ url }) => window.location.assign(url),
      failed: 'DigitalOcean could not be opened',
    });
  return (
    <Box mb={24}>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DisabledInPast>
        <Action icon={IconCloud} loading={busy} does={go}>
          Login with DigitalOcean
        </Action>
      </DisabledInPast>
    </Box>
  );
};
