/** Alert channels: where alerts are sent, what was sent there, and a button that sends a test. */
import { alertChannels } from '@quarterdeck/contract';
import { alertChannel } from '@quarterdeck/events';
import { IconBell, IconBroadcast } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { namedBy, Names } from '../../records/chosen-names';
import { actorChoices } from '../../records/choices';
import { columnsOf, RecordArea, type Cells } from '../../records/kit';
import { Action } from '../../ui/Action';
import { RelativeTime } from '../../ui/RelativeTime';
import { StateBadge } from '../../ui/StateBadge';
import { ChannelMessages } from './ChannelMessages';
import { messageLook, wantedInWords } from './message-words';

const cells: Cells = {
  members: ({ members }) => {
    const ids = members as readonly string[];
    return ids.length === 0 ? undefined : <Names all={namedBy(actorChoices, ids)} last="and" />;
  },
  wants: ({ wants }) => wantedInWords(wants as Record<string, boolean>),
};

const inList = columnsOf(alertChannel, cells, ['kind']).filter(({ id }) =>
  ['name', 'kind', 'leastSeverity', 'wants'].includes(id),
);

export default function AlertChannels() {
  const { data: newest } = useAnswer(alertChannels.newest);
  const columns = useMemo(
    () => [
      ...inList,
      {
        id: 'newest',
        header: 'Last message',
        priority: 2 as const,
        sortable: false as const,
        value: ({ id }: { id: string }) => {
          const message = newest?.find(({ channelId }) => channelId === id);
          return message && messageLook(message).label;
        },
        cell: ({ id }: { id: string }) => {
          const message = newest?.find(({ channelId }) => channelId === id);
          if (!message) return 'none yet';
          return (
            <>
              <StateBadge state={message.state} {...messageLook(message)} />{' '}
              <RelativeTime at={message.attempts.at(-1)?.at ?? message.queuedAt} />
            </>
          );
        },
      },
    ],
    [newest],
  );
  return (
    <RecordArea
      noun={alertChannel}
      icon={IconBroadcast}
      description="Each alert is sent to all channels that want it, and to the webhook of the workspace."
      empty="Add the mailbox, chat or service that alerts are sent to."
      consequences="Alerts are no longer sent there. You can undo this."
      columns={columns}
      cells={cells}
      reading={
        <Action icon={IconBell} variant="default" does={paths.alerts()}>
          Alerts
        </Action>
      }
      summary={(view) => <ChannelMessages id={view.id} />}
    />
  );
}
