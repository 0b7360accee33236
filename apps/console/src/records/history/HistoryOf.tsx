/** The events of one subject, on its detail page. The URL holds the open event, or the two events compared. */
import { Anchor, Box, Group } from '@mantine/core';
import { IconArrowsDiff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../core/paths';
import { Action } from '../../ui/Action';
import { Disclosure } from '../../ui/Disclosure';
import { EmptyState } from '../../ui/EmptyState';
import { DifferenceDrawer } from './DifferenceDrawer';
import { EventDrawer } from './EventDrawer';
import { HistoryList } from './HistoryList';
import { useComparison } from './use-comparison';
import { useHistory } from './use-history';
import { useOpenEvent } from './use-open-event';

interface Subject {
  category: string;
  id: string;
  name: string;
}

interface HistoryOfProps extends Subject {
  /** Without its parts, and without what else has its id. */
  alone?: boolean;
}

export const HistoryOf = ({ category, id, name, alone = false }: HistoryOfProps) => {
  const filter = useMemo(
    () => ({ subject: { category, id, ...(!alone && { parts: true }) } }),
    [category, id, alone],
  );
  const feed = useHistory(filter);
  const [open, setOpen] = useOpenEvent();
  const [comparison, setComparison] = useComparison();
  // A person and their credentials have the same id: events of the one are listed, but not compared, with the other.
  const events = (feed.events ?? []).filter(({ subject }) =>
    [subject, ...(subject.within ?? [])].some((one) => one.category === category && one.id === id),
  );
  // Most comparisons look at the change made by the last event.
  const before = events[1] ?? events[0];
  return (
    <>
      <HistoryList
        feed={feed}
        label={`History of ${name}`}
        open={open}
        onOpen={setOpen}
        empty={<EmptyState title="No events yet">Events of {name} will appear here.</EmptyState>}
      />
      <Group gap="md" mt="xs">
        {before && (
          <Action
            icon={IconArrowsDiff}
            variant="default"
            does={() => setComparison({ from: before.position })}
          >
            Compare two instants
          </Action>
        )}
        <Anchor
          component={Link}
          to={paths.history({ category, id, ...(!alone && { parts: 'true' }) })}
          size="sm"
        >
          Open in History, with filters
        </Anchor>
      </Group>
      <EventDrawer
        position={open}
        onOpen={setOpen}
        onClose={() => setOpen(undefined)}
        onCompare={(from) => setComparison({ from })}
      />
      <DifferenceDrawer
        subject={{ category, id }}
        name={name}
        events={events}
        comparison={comparison}
        onChange={setComparison}
      />
    </>
  );
};

/** `HistoryOf` for pages without tabs. Starts expanded if the URL names an event or a comparison. */
export const HistoryBelow = (of: Subject) => {
  const [open] = useOpenEvent();
  const [comparison] = useComparison();
  return (
    <Box mt="lg">
      <Disclosure title="History" startOpen={open !== undefined || comparison !== undefined}>
        <HistoryOf {...of} />
      </Disclosure>
    </Box>
  );
};
