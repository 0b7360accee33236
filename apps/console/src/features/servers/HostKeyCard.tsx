/**
 * The server's host key. The first contact pins it. A different key later is refused until an administrator has
 * compared both and accepts it.
 */
import { Alert, Button } from '@mantine/core';
import { servers } from '@quarterdeck/contract';
import { IconShieldX } from '@tabler/icons-react';
import type { ServerView } from '@quarterdeck/projections';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { useChange } from '../../core/calls';
import { DisabledInPast } from '../../core/past/in-past';
import { toApiError } from '../../core/http';
import { useSession } from '../../core/session';
import { confirmAction } from '../../ui/confirm';
import { CopyText } from '../../ui/CopyText';
import { RelativeTime } from '../../ui/RelativeTime';
import { toast } from '../../ui/toast';
import { Failure } from './Failure';
import classes from './servers.module.css';

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
    <section className={classes.card} aria-label="Host key" aria-busy={isLoading}>
      <div className={classes.cardHead}>
        <h2>Host key</h2>
        {!failed && (
          <DisabledInPast>
            <Button variant="default" loading={isLoading} onClick={() => void contact({ id })}>
              {hostKey ? 'Test connection' : 'Contact now'}
            </Button>
          </DisabledInPast>
        )}
      </div>
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
        <dl className={classes.facts}>
          <dt>Fingerprint</dt>
          <dd>
            <CopyText value={hostKey.fingerprint} />
          </dd>
          <dt>Algorithm</dt>
          <dd>{hostKey.algorithm}</dd>
          <dt>Pinned</dt>
          <dd>
            <RelativeTime at={hostKey.since} />
          </dd>
        </dl>
      ) : (
        !failed && (
          <p className={classes.hint}>
            {isLoading
              ? `Contacting ${alias} for the first time …`
              : 'The first contact pins the server’s key. From then on the server has to show the same key.'}
          </p>
        )
      )}
      <div role="status">
        {reached && !failed && (
          <p className={classes.hint}>
            {reached.pinned ? 'First contact made. This key is now pinned.' : 'The server has this key.'} It
            runs {reached.software}, checked{' '}
            <RelativeTime at={new Date(fulfilledTimeStamp ?? 0).toISOString()} />.
          </p>
        )}
      </div>
      {hostKey && (
        <p className={classes.hint}>
          Compare with what <code>ssh-keygen -l -f /etc/ssh/ssh_host_*_key.pub</code> prints on the server.
        </p>
      )}
    </section>
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
      <div className={classes.compared}>
        <div>
          <div className={classes.label}>Expected</div>
          <CopyText value={hostKey?.fingerprint ?? 'none'} />
          <div>{hostKey?.algorithm}</div>
        </div>
        <div>
          <div className={classes.label}>
            Got <RelativeTime at={refusedHostKey.at} />
          </div>
          <CopyText value={fingerprint} />
          <div>{refusedHostKey.algorithm}</div>
        </div>
      </div>
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
