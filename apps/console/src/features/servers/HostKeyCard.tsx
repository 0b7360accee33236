/**
 * The server's host key. The first contact pins it. A different key later is refused until an administrator has
 * compared both and accepts it.
 */
import { Alert, Box, Button } from '@mantine/core';
import { servers } from '@quarterdeck/contract';
import { IconShieldX } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/as-of/in-past';
import { toApiError } from '../../core/http';
import { useSession } from '../../core/session';
import { confirmAction } from '../../ui/confirm';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { toast } from '../../ui/toast';
import { Failure } from './Failure';
import { Card } from '../../ui/Card';
import { Fact, Facts } from '../../ui/Facts';
import { Note } from '../../ui/Note';
import look from '../../ui/look.module.css';
import { Tiles } from '../../ui/Columns';

const wasJustAdded = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'justAdded' in state;

export const HostKeyCard = ({ server }: { server: ServerView }) => {
  const { id, alias, hostKey, refusedHostKey } = server;
  const [contact, { data: reached, error, isLoading, fulfilledTimeStamp }] = useChange(servers.contact);
  const { state } = useLocation();
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current || hostKey || !wasJustAdded(state)) return;
    asked.current = true;
    void contact({ id });
  }, [contact, id, hostKey, state]);
  const failure = error === undefined ? undefined : toApiError(error);
  // The comparison of the two keys already reports this failure.
  const failed = refusedHostKey && failure?.code === 'hostKeyChanged' ? undefined : failure;

  return (
    <Card
      title="Host key"
      aria-busy={isLoading}
      actions={
        !failed && (
          <DisabledInPast>
            <Button variant="default" loading={isLoading} onClick={() => void contact({ id })}>
              {hostKey ? 'Test connection' : 'Contact now'}
            </Button>
          </DisabledInPast>
        )
      }
    >
      {refusedHostKey && <ChangedKey server={server} />}
      {failed && (
        <Failure
          what={`${alias} could not be reached`}
          error={failed}
          server={id}
          retrying={isLoading}
          onRetry={() => void contact({ id })}
        />
      )}
      {hostKey ? (
        <Facts>
          <Fact label="Fingerprint">
            <CopyText value={hostKey.fingerprint} />
          </Fact>
          <Fact label="Algorithm">{hostKey.algorithm}</Fact>
          <Fact label="Pinned">
            <RelativeTime at={hostKey.since} />
          </Fact>
        </Facts>
      ) : (
        !failed && (
          <Note below>
            {isLoading
              ? `Contacting ${alias} for the first time …`
              : 'The first contact pins the server’s key. From then on the server has to show the same key.'}
          </Note>
        )
      )}
      <div role="status">
        {reached && !failed && (
          <Note below>
            {reached.pinned ? 'First contact made. This key is now pinned.' : 'The server has this key.'} It
            runs {reached.software}, checked{' '}
            <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />.
          </Note>
        )}
      </div>
      {hostKey && (
        <Note below>
          Compare with what <code>ssh-keygen -l -f /etc/ssh/ssh_host_*_key.pub</code> prints on the server.
        </Note>
      )}
    </Card>
  );
};

const ChangedKey = ({ server }: { server: ServerView }) => {
  const { id, alias, hostKey, refusedHostKey } = server;
  const { can } = useSession();
  const [accept, { error, isLoading }] = useChange(servers.acceptHostKey);
  if (!refusedHostKey) return null;
  const { fingerprint } = refusedHostKey;

  const onAccept = async () => {
    const sure = await confirmAction({
      title: `Trust the new host key of ${alias}?`,
      body: `From now on ${alias} has to show ${fingerprint}. Accept it only if you know why the key changed.`,
      confirmLabel: 'Accept new key',
      danger: true,
    });
    if (!sure) return;
    const answer = await accept({ id, fingerprint });
    if (!answer.error) toast.success(`The new host key of ${alias} is pinned.`);
  };

  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconShieldX size={18} aria-hidden />}
      title="The server's host key has changed. Nothing was run."
      mb="md"
    >
      <Tiles min={220} gap={12} className={look.wrap}>
        <div>
          <Box c="dimmed">Expected</Box>
          <CopyText value={hostKey?.fingerprint ?? 'none'} />
          <div>{hostKey?.algorithm}</div>
        </div>
        <div>
          <Box c="dimmed">
            Got <RelativeTime at={refusedHostKey.at} />
          </Box>
          <CopyText value={fingerprint} />
          <div>{refusedHostKey.algorithm}</div>
        </div>
      </Tiles>
      <p>
        The server was reinstalled, or somebody intercepts the connection. Nothing runs on {alias} until you
        decide. Compare the new fingerprint on the server itself before you accept it. If only the address or
        route was wrong, fix it and test the connection again.
      </p>
      {error !== undefined && (
        <Failure what="The key was not accepted" error={toApiError(error)} server={id} />
      )}
      <DisabledInPast>
        <Button
          color="red"
          loading={isLoading}
          disabled={!can('admin')}
          title={can('admin') ? undefined : 'Only an administrator can accept a changed host key'}
          onClick={() => void onAccept()}
        >
          Accept new key
        </Button>
      </DisabledInPast>
    </Alert>
  );
};
