/** Starts runs for a domain, and tracks the one in progress, whoever started it. */
import { useState } from 'react';
import { toApiError, type ApiError } from '../../core/http';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';
import { newRunId } from '../../records/runs';

export interface DomainRuns {
  /** The run to show: the one in progress, or the last one seen here. */
  shown: string | undefined;
  busy: boolean;
  failure: { what: string; error: ApiError } | undefined;
  dismiss: () => void;
  /** `send` receives the id for the new run. `what` is the message if it is refused. */
  start: (what: string, send: (runId: string) => Promise<{ runId?: string }>) => Promise<boolean>;
}

export const useDomainRuns = (domain: string): DomainRuns => {
  const { underWay } = useRunsInProgressQuery(undefined, {
    selectFromResult: ({ data = [] }) => ({
      underWay: data.find(({ subject }) => subject.kind === 'domain' && subject.id === domain)?.id,
    }),
  });
  const [seen, setSeen] = useState<string>();
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<DomainRuns['failure']>();
  // Keeps showing a run that someone else started after it has ended.
  if (underWay !== undefined && underWay !== seen) setSeen(underWay);

  const start: DomainRuns['start'] = async (what, send) => {
    setFailure(undefined);
    setAsking(true);
    try {
      const { runId } = await send(newRunId());
      setSeen(runId);
      return true;
    } catch (thrown) {
      setFailure({ what, error: toApiError(thrown) });
      return false;
    } finally {
      setAsking(false);
    }
  };

  return {
    shown: underWay ?? seen,
    busy: asking || underWay !== undefined,
    failure,
    dismiss: () => setFailure(undefined),
    start,
  };
};
