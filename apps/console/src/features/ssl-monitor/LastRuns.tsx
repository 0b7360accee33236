/** The monitor's runs, newest first, each with its counters and a link to the replay. */
import { Anchor, Box, Button, Drawer, Group } from '@mantine/core';
import type { RunView } from '@quarterdeck/projections';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { toApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { ErrorState } from '../../ui/ErrorState';
import { absoluteTime, RelativeTime } from '../../ui/RelativeTime';
import { Elapsed, isLive, RunState, tookMs, useRunsInfiniteQuery } from '../../records/runs';
import { FoundTable } from './FoundTable';
import { countersInWords, countersOfRun } from './monitor-words';
import { StartedBy } from './RunOrigin';
import { Dim } from '../../ui/Note';
import { NothingYet } from './NothingYet';
import { Head } from '../../ui/Card';
import { Lines } from '../../ui/List';
import look from '../../ui/look.module.css';

const ofMonitor = { kind: 'sslMonitor' };

export const LastRuns = () => {
  const query = useRunsInfiniteQuery(ofMonitor);
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.runs), [query.data]);
  const [shown, setShown] = useState<RunView>();
  return (
    <Box miw={0}>
      <Head title="Last runs" least={3} mb={8} />
      {query.error !== undefined && (
        <ErrorState
          error={toApiError(query.error)}
          what="The last runs"
          onRetry={() => void query.refetch()}
          inline
        />
      )}
      {runs?.length === 0 && (
        <NothingYet>Runs of the monitor will appear here. You can replay them.</NothingYet>
      )}
      {runs && runs.length > 0 && (
        <Lines
          className={look.scroller}
          mah="16rem"
          bg="var(--mantine-color-body)"
          aria-label="Last runs"
          tabIndex={0}
        >
          {runs.map((run) => (
            <LastRun key={run.id} run={run} onShow={() => setShown(run)} />
          ))}
          {query.hasNextPage && (
            <Box component="li" p="8px 12px">
              <Button
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Load older runs
              </Button>
            </Box>
          )}
        </Lines>
      )}
      <Drawer
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        position="right"
        size="xl"
        title={shown && `Results of the run of ${absoluteTime(shown.requestedAt)}`}
      >
        {shown && <FoundTable key={shown.id} run={shown.id} urlKey="past" />}
      </Drawer>
    </Box>
  );
};

const LastRun = ({ run, onShow }: { run: RunView; onShow: () => void }) => {
  const counters = countersOfRun(run);
  const when = absoluteTime(run.requestedAt);
  return (
    <Box component="li" p="8px 12px">
      <Group gap="2px 12px">
        <RunState run={run} />
        <span>
          {run.label} by <StartedBy by={run.requestedBy} /> <RelativeTime at={run.requestedAt} />
        </span>
      </Group>
      <Group gap="2px 12px" justify="space-between">
        <Dim>
          {counters && `${countersInWords(counters)}, `}
          <Elapsed since={run.startedAt} ms={tookMs(run)} />
        </Dim>
        <Group component="span" gap={12}>
          <Anchor
            component="button"
            inherit
            underline="always"
            type="button"
            onClick={onShow}
            aria-label={`Domains of the run of ${when}`}
          >
            Domains
          </Anchor>
          <Link to={paths.run(run.id)} aria-label={`${isLive(run) ? 'Open' : 'Replay'} the run of ${when}`}>
            {isLive(run) ? 'Open' : 'Replay'}
          </Link>
        </Group>
      </Group>
    </Box>
  );
};
