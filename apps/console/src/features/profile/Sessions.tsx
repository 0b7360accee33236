/** The user's own sessions. Ending a session also ends its open windows. */
import { Badge, Button } from '@mantine/core';
import { sessions as sessionCalls } from '@quarterdeck/contract';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { providerNames, type SessionView } from '@quarterdeck/events';
import { useState } from 'react';
import { confirmAction } from '../../ui/confirm';
import { DataView } from '../../ui/DataView';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { toast } from '../../ui/toast';
import { useAnswer, useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { DisabledInPast, PresentOnly } from '../../core/past/in-past';
import { usePast } from '../../core/past/past-state';
import styles from './Sessions.module.css';

const ways: Record<string, string> = {
  link: 'one-time link',
  invitation: 'invitation',
  ...providerNames,
};

export function Sessions() {
  // Past sessions are not recorded.
  const past = usePast() !== undefined;
  const query = useAnswer(sessionCalls.list, {}, { refetchOnMountOrArgChange: true, skip: past });
  const [revokeOthers, { isLoading }] = useChange(sessionCalls.revokeOthers);
  const [failure, setFailure] = useState<ApiError>();
  const others = query.data?.filter(({ current }) => !current).length ?? 0;

  const endOthers = async (): Promise<void> => {
    const confirmed = await confirmAction({
      title: 'Sign out everywhere else?',
      body: `${others === 1 ? 'One other session ends' : `${others} other sessions end`} at once, with every window that is open there. This session stays open.`,
      confirmLabel: 'Sign out everywhere else',
      danger: true,
    });
    if (!confirmed) return;
    setFailure(undefined);
    const answer = await revokeOthers();
    if (answer.error) setFailure(toApiError(answer.error));
    else
      toast.success(
        answer.data.ended === 1 ? 'One session was ended.' : `${answer.data.ended} sessions were ended.`,
      );
  };

  return (
    <section className={styles.sessions} aria-labelledby="sessions">
      <header className={styles.header}>
        <h2 id="sessions">Sessions</h2>
        {others > 0 && !past && (
          <DisabledInPast>
            <Button variant="default" loading={isLoading} onClick={() => void endOthers()}>
              Sign out everywhere else…
            </Button>
          </DisabledInPast>
        )}
      </header>
      <PresentOnly what="Your sessions">
        <p className={styles.help}>
          A session ends after 12 hours without use, and after 7 days in any case.
        </p>
        <ActionFailure
          failure={failure && { what: 'No session was ended', error: failure }}
          onClose={() => setFailure(undefined)}
        />
        <DataView query={query} what="Sessions">
          {(sessions) => (
            <ul className={styles.list}>
              {sessions.map((session) => (
                <Session key={session.id} session={session} onFailure={setFailure} />
              ))}
            </ul>
          )}
        </DataView>
      </PresentOnly>
    </section>
  );
}

function Session({
  session,
  onFailure,
}: {
  session: SessionView;
  onFailure: (error: ApiError | undefined) => void;
}) {
  const { id, device, via, current, startedAt, lastUsedAt, endsWhenIdleAt, endsAt, waits } = session;
  const [revoke, { isLoading }] = useChange(sessionCalls.revoke);
  // The current session is in use, so only the 7-day limit ends it.
  const ends = current || endsAt < endsWhenIdleAt ? endsAt : endsWhenIdleAt;

  const end = async (): Promise<void> => {
    const confirmed = await confirmAction({
      title: `Sign out ${device}?`,
      body: 'The session ends at once, with every window that is open there.',
      confirmLabel: 'Sign out',
      danger: true,
    });
    if (!confirmed) return;
    onFailure(undefined);
    const answer = await revoke({ id });
    if (answer.error) onFailure(toApiError(answer.error));
    else toast.success(`${device} was signed out.`);
  };

  return (
    <li className={styles.session}>
      <IconDeviceDesktop size={20} stroke={1.5} aria-hidden />
      <div className={styles.what}>
        <strong>{device}</strong> {current && <Badge variant="light">This session</Badge>}
        {waits && (
          <Badge variant="light" color="yellow">
            Waits for the second factor
          </Badge>
        )}
        <p className={styles.when}>
          Signed in by {ways[via] ?? via} <RelativeTime at={startedAt} />, last used{' '}
          <RelativeTime at={lastUsedAt} />, ends <RelativeTime at={ends} />
          {current ? '' : ' unless it is used'}
        </p>
      </div>
      {!current && (
        <DisabledInPast>
          <Button
            variant="default"
            loading={isLoading}
            aria-label={`Sign out ${device}`}
            onClick={() => void end()}
          >
            Sign out…
          </Button>
        </DisabledInPast>
      )}
    </li>
  );
}
