/** The events of one subject, on its detail page. The open event is in the address. */
import { Anchor } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { paths } from '../../app/paths';
import { EmptyState } from '../EmptyState';
import { EventDrawer } from './EventDrawer';
import { HistoryList } from './HistoryList';
import { useHistory } from './use-history';
import { useOpenEvent } from './use-open-event';

export const HistoryOf = ({ category, id, name }: { category: string; id: string; name: string }) => {
  const filter = useMemo(() => ({ subject: { category, id } }), [category, id]);
  const feed = useHistory(filter);
  const [open, setOpen] = useOpenEvent();
  return (
    <>
      <HistoryList
        feed={feed}
        label={`History of ${name}`}
        open={open}
        onOpen={setOpen}
        empty={<EmptyState title="No events yet">What happens to {name} will stand here.</EmptyState>}
      />
      <Anchor component={Link} to={paths.history({ category, id })} size="sm">
        Open in History, with filters
      </Anchor>
      <EventDrawer position={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />
    </>
  );
};
