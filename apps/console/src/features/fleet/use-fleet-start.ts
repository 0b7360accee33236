/** Starts, or starts anew, and goes to where it can be watched. */
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { toApiError, type ApiError } from '../../app/http';
import { paths } from '../../app/paths';
import { newRunId } from '../../ui/runs';
import { useRerunFleetMutation, useStartFleetMutation, type FleetStart } from './fleet.endpoints';

export const useFleetStart = () => {
  const navigate = useNavigate();
  const [start, starting] = useStartFleetMutation();
  const [rerun, rerunning] = useRerunFleetMutation();
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
    start: (input: Omit<FleetStart, 'runId'>) =>
      go('Nothing was started', (runId) => start({ ...input, runId }).unwrap()),
    rerun: (id: string) => go('Nothing was started anew', (runId) => rerun({ id, runId }).unwrap()),
    busy: starting.isLoading || rerunning.isLoading,
    failure,
    dismiss: () => setFailure(undefined),
  };
};
