/** Starting runs for a domain, and the one that is under way, whoever started it. */
import { useState } from 'react';
import { toApiError, type ApiError } from '../../core/http';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';
import { newRunId } from '../../records/runs';

export interface DomainRuns {
  /** The run to be shown: what is under way, or what ended last of what was started here. */
  shown: string | undefined;
  busy: boolean;
  failure: { what: string; error: ApiError } | undefined;
  dismiss: () => void;
  /** `send` is given the id of the run to be. `what` says what did not happen when it is refused. */
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
  // Somebody else's run stays on the page when it ends, too.
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
