/** All events of the workspace, with actor, time, subject and cause. */
import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '../../ui/EmptyState';
import { EventDrawer, HistoryList, useHistory, useOpenEvent } from '../../records/history';
import { PageHeader } from '../../ui/PageHeader';
import { ExportMenu } from './ExportMenu';
import { isFiltered, readFilter, withFilter, type FilterChange } from './history-filter';
import { HistoryFilters } from './HistoryFilters';

export const HistoryPage = () => {
  const [params, setParams] = useSearchParams();
  const filter = useMemo(() => readFilter(params), [params]);
  const feed = useHistory(filter);
  const [open, setOpen] = useOpenEvent();
  const change = (next: FilterChange) =>
    setParams((latest) => withFilter(latest, next), { preventScrollReset: true, replace: 'text' in next });

  return (
    <>
      <PageHeader
        title="History"
        description="Every change: who, when and why. Updates live."
        reading={<ExportMenu filter={filter} />}
      />
      <HistoryFilters filter={filter} change={change} />
      <HistoryList
        feed={feed}
        label="History"
        open={open}
        onOpen={setOpen}
        height="max(16rem, calc(100dvh - 21rem))"
        {...(isFiltered(filter) && { end: 'No older events match these filters.' })}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              title="No event matches"
              icon={IconHistory}
              action={
                <Button variant="default" onClick={() => setParams({})}>
                  Remove all filters
                </Button>
              }
            >
              No event matches these filters yet.
            </EmptyState>
          ) : (
            <EmptyState title="No events yet" icon={IconHistory}>
              Every change in this workspace will appear here: who did it, when, and what it caused.
            </EmptyState>
          )
        }
      />
      <EventDrawer position={open} onOpen={setOpen} onClose={() => setOpen(undefined)} />
    </>
  );
};
