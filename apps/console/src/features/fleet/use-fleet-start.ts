/** Starts a run, or reruns one on its failed servers, and opens the new run's page. */
import { fleet, type Sent } from '@quarterdeck/contract';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { newRunId } from '../../records/runs';

export const useFleetStart = () => {
  const navigate = useNavigate();
  const [start, starting] = useChange(fleet.start);
  const [rerun, rerunning] = useChange(fleet.rerun);
  const [failure, setFailure] = useState<{ what: string; error: ApiError }>();

  const go = async (what: string, call: (runId: string) => Promise<unknown>): Promise<void> => {
    setFailure(undefined);
    const runId = newRunId();
    try {
      await call(runId);
      await navigate(paths.fleetRun(runId));
    } catch (thrown) {
      setFailure({ what, error: toApiError(thrown) });
    }
  };

  return {
    start: (input: Omit<Sent<typeof fleet.start>, 'runId'>) =>
      go('Nothing was started', (runId) => start({ ...input, runId }).unwrap()),
    rerun: (id: string) => go('Nothing was started', (runId) => rerun({ id, runId }).unwrap()),
    busy: starting.isLoading || rerunning.isLoading,
    failure,
    /** Sets the reason why nothing was started. */
    refuse: (error: ApiError) => setFailure({ what: 'Nothing was started', error }),
    dismiss: () => setFailure(undefined),
  };
};
