/** The user's own sessions. Ending a session also ends its open windows. */
import { Badge, Box, Button, Group } from '@mantine/core';
import { sessions as sessionCalls } from '@quarterdeck/contract';
import { IconDeviceDesktop } from '@tabler/icons-react';
import { providerNames, type SessionView } from '@quarterdeck/events';
import { DataView } from '../../ui/DataView';
import { RelativeTime } from '../../ui/RelativeTime';
import { ActionFailure } from '../../records/runs';
import { toast } from '../../ui/toast';
import { useAction, type Act } from '../../ui/use-action';
import { useAnswer, useChange } from '../../core/calls';
import { DisabledInPast, PresentOnly } from '../../core/as-of/in-past';
import { useAsOf } from '../../core/as-of/as-of-state';
import styles from './Sessions.module.css';
import look from '../../ui/look.module.css';
import { Note } from '../../ui/Note';
import { Title } from '../../ui/heading';
import { Lines } from '../../ui/List';

const ways: Record<string, string> = {
  link: 'one-time link',
  invitation: 'invitation',
  ...providerNames,
};

const NOT_ENDED = 'No session was ended';

export function Sessions() {
  // Past sessions are not recorded.
  const past = useAsOf() !== undefined;
  const query = useAnswer(sessionCalls.list, {}, { refetchOnMountOrArgChange: true, skip: past });
  const [revokeOthers, { isLoading }] = useChange(sessionCalls.revokeOthers);
  const { act, failure, dismiss } = useAction();
  const others = query.data?.filter(({ current }) => !current).length ?? 0;

  const endOthers = () =>
    act({
      ask: {
        title: 'Sign out everywhere else?',
        body: `${others === 1 ? 'One other session ends' : `${others} other sessions end`} at once, with every window that is open there. This session stays open.`,
        confirmLabel: 'Sign out everywhere else',
        danger: true,
      },
      send: () => revokeOthers().unwrap(),
      done: ({ ended }) =>
        toast.success(ended === 1 ? 'One session was ended.' : `${ended} sessions were ended.`),
      failed: NOT_ENDED,
    });

  return (
    <Box component="section" maw={760} mt={32} aria-labelledby="sessions">
      <Group component="header" justify="space-between" gap="8px 16px">
        <Title id="sessions" fz={16}>
          Sessions
        </Title>
        {others > 0 && !past && (
          <DisabledInPast>
            <Button variant="default" loading={isLoading} onClick={() => void endOthers()}>
              Sign out everywhere else…
            </Button>
          </DisabledInPast>
        )}
      </Group>
      <PresentOnly what="Your sessions">
        <Note m="4px 0 12px">A session ends after 12 hours without use, and after 7 days in any case.</Note>
        <ActionFailure failure={failure} onClose={dismiss} />
        <DataView query={query} what="Sessions">
          {(sessions) => (
            <Lines>
              {sessions.map((session) => (
                <Session key={session.id} session={session} act={act} />
              ))}
            </Lines>
          )}
        </DataView>
      </PresentOnly>
    </Box>
  );
}

function Session({ session, act }: { session: SessionView; act: Act }) {
  const { id, device, via, current, startedAt, lastUsedAt, endsWhenIdleAt, endsAt, waits } = session;
  const [revoke, { isLoading }] = useChange(sessionCalls.revoke);
  // The current session is in use, so only the 7-day limit ends it.
  const ends = current || endsAt < endsWhenIdleAt ? endsAt : endsWhenIdleAt;

  const end = () =>
    act({
      ask: {
        title: `Sign out ${device}?`,
        body: 'The session ends at once, with every window that is open there.',
        confirmLabel: 'Sign out',
        danger: true,
      },
      send: () => revoke({ id }).unwrap(),
      done: `${device} was signed out.`,
      failed: NOT_ENDED,
    });

  return (
    <li className={styles.session}>
      <IconDeviceDesktop size={20} stroke={1.5} aria-hidden />
      <Box className={look.wrap} flex="1 1 200px" miw={0}>
        <strong>{device}</strong> {current && <Badge variant="light">This session</Badge>}
        {waits && (
          <Badge variant="light" color="yellow">
            Waits for the second factor
          </Badge>
        )}
        <Note mt={2}>
          Signed in by {ways[via] ?? via} <RelativeTime at={startedAt} />, last used{' '}
          <RelativeTime at={lastUsedAt} />, ends <RelativeTime at={ends} />
          {current ? '' : ' unless it is used'}
        </Note>
      </Box>
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
