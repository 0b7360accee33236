/** Provider accounts with which the user signs in. A second account helps when the first provider is down. */
import { Box, Button, Group } from '@mantine/core';
import { accounts as accountCalls, auth } from '@quarterdeck/contract';
import { providerNames, type AccountView, type SignInProvider } from '@quarterdeck/events';
import { useState } from 'react';
import { DataView } from '../../ui/DataView';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { useAction, type Act } from '../../ui/use-action';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { useSession } from '../../core/session';
import type { ProviderView } from '../../records/sign-in/provider';
import { rememberWay } from '../../records/sign-in/on-the-way';
import { providerIcons } from '../../records/sign-in/provider-icons';
import styles from './Sessions.module.css';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { Title } from '../../ui/heading';
import { Lines } from '../../ui/List';

export function Accounts() {
  const { data: providers = [] } = useAnswer(auth.providers);
  // Without sign-in providers there is nothing to connect.
  if (providers.length === 0) return null;
  return (
    <Box component="section" maw={760} mt={32} aria-labelledby="accounts">
      <Group component="header" justify="space-between" gap="8px 16px">
        <Title id="accounts" fz={16}>
          Sign-in accounts
        </Title>
      </Group>
      <PresentOnly what="Your sign-in accounts">
        <AccountList providers={providers} />
      </PresentOnly>
    </Box>
  );
}

function AccountList({ providers }: { providers: readonly ProviderView[] }) {
  const query = useAnswer(accountCalls.list, {}, { refetchOnMountOrArgChange: true });
  const { act, failure, dismiss } = useAction();
  return (
    <>
      <Note m="4px 0 12px">Sign in with any connected account. You cannot disconnect the last one.</Note>
      <ActionFailure failure={failure} onClose={dismiss} />
      <DataView query={query} what="Sign-in accounts">
        {(accounts) => (
          <>
            {accounts.length > 0 && (
              <Lines>
                {accounts.map((account) => (
                  <Account key={account.provider} account={account} last={accounts.length === 1} act={act} />
                ))}
              </Lines>
            )}
            <Group gap="xs" mt="sm">
              {providers
                .filter(({ name }) => !accounts.some(({ provider }) => provider === name))
                .map(({ name }) => (
                  <Connect key={name} provider={name} act={act} />
                ))}
            </Group>
          </>
        )}
      </DataView>
    </>
  );
}

function Connect({ provider, act }: { provider: SignInProvider; act: Act }) {
  const { instance } = useSession();
  const [connect] = useChange(accountCalls.connect);
  const [leaving, setLeaving] = useState(false);
  const Shape = providerIcons[provider];

  const leave = async (): Promise<void> => {
    setLeaving(true);
    const leaves = await act({
      send: () => connect({ provider }).unwrap(),
      done: ({ url }) => {
        rememberWay({ instance: instance.name, intent: 'connect' });
        window.location.assign(url);
      },
      failed: 'No account was connected',
    });
    setLeaving(leaves);
  };

  return (
    <DisabledInPast>
      <Button
        variant="default"
        leftSection={<Shape size={16} aria-hidden />}
        loading={leaving}
        onClick={() => void leave()}
      >
        Connect {providerNames[provider]}
      </Button>
    </DisabledInPast>
  );
}

function Account({
  account: { provider, connectedAt },
  last,
  act,
}: {
  account: AccountView;
  last: boolean;
  act: Act;
}) {
  const [disconnect, { isLoading }] = useChange(accountCalls.disconnect);
  const Shape = providerIcons[provider];
  const name = providerNames[provider];

  const end = () =>
    act({
      ask: {
        title: `Disconnect ${name}?`,
        body: `You cannot sign in with your ${name} account until you connect it again. Open sessions stay open.`,
        confirmLabel: 'Disconnect',
        danger: true,
      },
      send: () => disconnect({ provider }).unwrap(),
      done: `Your ${name} account was disconnected.`,
      failed: `${name} was not disconnected`,
    });

  return (
    <li className={styles.session}>
      <Shape size={20} stroke={1.5} aria-hidden />
      <Box className={look.wrap} flex="1 1 200px" miw={0}>
        <strong>{name}</strong>
        <Note mt={2}>
          Connected <RelativeTime at={connectedAt} />
        </Note>
      </Box>
      {!last && (
        <DisabledInPast>
          <Button
            variant="default"
            loading={isLoading}
            aria-label={`Disconnect ${name}`}
            onClick={() => void end()}
          >
            Disconnect…
          </Button>
        </DisabledInPast>
      )}
    </li>
  );
}
