/** Starts runs for a domain, and tracks the one in progress, whoever started it. */
import { useState } from 'react';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';
import { newRunId } from '../../records/runs';
import { useAction, type Failed } from '../../ui/use-action';

export interface DomainRuns {
  /** The run to show: the one in progress, or the last one seen here. */
  shown: string | undefined;
  busy: boolean;
  failure: Failed | undefined;
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
  const { act, busy, failure, dismiss } = useAction();
  // Keeps showing a run that someone else started after it has ended.
  if (underWay !== undefined && underWay !== seen) setSeen(underWay);

  const start: DomainRuns['start'] = (failed, send) =>
    act({ send: () => send(newRunId()), done: ({ runId }) => setSeen(runId), failed });

  return {
    shown: underWay ?? seen,
    busy: busy || underWay !== undefined,
    failure,
    dismiss,
    start,
  };
};
