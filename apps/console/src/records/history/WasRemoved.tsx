/** Replaces the page of a removed subject: says who removed it, and offers to undo that. */
import { Anchor, Group } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { Actor, useActorName } from '../actor';
import { EmptyState } from '../../ui/EmptyState';
import { Loading } from '../../ui/Loading';
import { RelativeTime } from '../../ui/RelativeTime';
import { subjectName } from './event-words';
import { UndoButton } from './UndoButton';
import { useRemoval, type Removed } from './undoing';

interface WasRemovedProps {
  subject: Removed;
  /** Shown if the history has no removal. */
  otherwise: ReactNode;
}

export const WasRemoved = ({ subject, otherwise }: WasRemovedProps) => {
  const nameOf = useActorName();
  const { data: event, isLoading } = useRemoval(subject);
  if (isLoading) return <Loading label="Loading history" />;
  if (!event) return otherwise;
  return (
    <div role="status">
      <EmptyState
        title={`${subjectName(event, nameOf)} was removed`}
        icon={IconTrash}
        action={
          <Group gap="md">
            <UndoButton event={event} />
            <Anchor component={Link} to={paths.history(subject)} size="sm">
              Open its history
            </Anchor>
          </Group>
        }
      >
        <Actor id={event.actor} /> removed it <RelativeTime at={event.at} />. Its history stays.
      </EmptyState>
    </div>
  );
};
