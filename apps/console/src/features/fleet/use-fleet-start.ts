/** Starts a run, or reruns one on its failed servers, and opens the new run's page. */
import { fleet, type Sent } from '@quarterdeck/contract';
import { useChange } from '../../core/calls';
import type { ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { newRunId } from '../../records/runs';
import { useAction } from '../../ui/use-action';

const NOT_STARTED = 'Nothing was started';

export const useFleetStart = () => {
  const [start] = useChange(fleet.start);
  const [rerun] = useChange(fleet.rerun);
  const { act, busy, failure, refuse, dismiss } = useAction();

  const go = (send: (runId: string) => Promise<unknown>) => {
    const runId = newRunId();
    return act({ send: () => send(runId), failed: NOT_STARTED, to: paths.fleetRun(runId) });
  };

  return {
    start: (input: Omit<Sent<typeof fleet.start>, 'runId'>) =>
      go((runId) => start({ ...input, runId }).unwrap()),
    rerun: (id: string) => go((runId) => rerun({ id, runId }).unwrap()),
    busy,
    failure,
    /** Sets the reason why nothing was started. */
    refuse: (error: ApiError) => refuse({ what: NOT_STARTED, error }),
    dismiss,
  };
};
