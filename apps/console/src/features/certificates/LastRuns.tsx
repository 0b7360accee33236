/** The monitor's runs, newest first, each with its counters and a link to the replay. */
import { Button, Drawer } from '@mantine/core';
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
import classes from './monitor.module.css';
import { StartedBy } from './RunOrigin';

const ofMonitor = { kind: 'sslMonitor' };

export const LastRuns = () => {
  const query = useRunsInfiniteQuery(ofMonitor);
  const runs = useMemo(() => query.data?.pages.flatMap((page) => page.runs), [query.data]);
  const [shown, setShown] = useState<RunView>();
  return (
    <div className={classes.column}>
      <div className={classes.columnHead}>
        <h3>Last runs</h3>
      </div>
      {query.error !== undefined && (
        <ErrorState
          error={toApiError(query.error)}
          what="The last runs"
          onRetry={() => void query.refetch()}
          inline
        />
      )}
      {runs?.length === 0 && (
        <div className={classes.framed} data-empty>
          Runs of the monitor will appear here. You can replay them.
        </div>
      )}
      {runs && runs.length > 0 && (
        <ul className={`${classes.framed} ${classes.runs}`} aria-label="Last runs" tabIndex={0}>
          {runs.map((run) => (
            <LastRun key={run.id} run={run} onShow={() => setShown(run)} />
          ))}
          {query.hasNextPage && (
            <li>
              <Button
                variant="default"
                loading={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                Load older runs
              </Button>
            </li>
          )}
        </ul>
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
    </div>
  );
};

const LastRun = ({ run, onShow }: { run: RunView; onShow: () => void }) => {
  const counters = countersOfRun(run);
  const when = absoluteTime(run.requestedAt);
  return (
    <li>
      <div className={classes.runHead}>
        <RunState run={run} />
        <span>
          {run.label} by <StartedBy by={run.requestedBy} /> <RelativeTime at={run.requestedAt} />
        </span>
      </div>
      <div className={classes.runFoot}>
        <span className={classes.dimmed}>
          {counters && `${countersInWords(counters)}, `}
          <Elapsed since={run.startedAt} ms={tookMs(run)} />
        </span>
        <span className={classes.links}>
          <button
            type="button"
            className={classes.linkButton}
            onClick={onShow}
            aria-label={`Domains of the run of ${when}`}
          >
            Domains
          </button>
          <Link to={paths.run(run.id)} aria-label={`${isLive(run) ? 'Open' : 'Replay'} the run of ${when}`}>
            {isLive(run) ? 'Open' : 'Replay'}
          </Link>
        </span>
      </div>
    </li>
  );
};
