/** Cancel and retry, wherever a run is shown. Both ask for confirmation and report a refusal on the page. */
import { runs } from '@quarterdeck/contract';
import { stepLabel } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { toApiError, type ApiError } from '../../core/http';
import { paths } from '../../core/paths';
import { confirmAction } from '../../ui/confirm';
import { Refusal } from '../../ui/Refusal';
import { runInTheWay, runTitle } from './run-words';

export interface Failed {
  what: string;
  error: ApiError;
}

const labelOf = (run: RunView, step: RunView['steps'][number] | undefined): string =>
  step ? stepLabel(run.kind, step.step) : 'the first step';

export const useRunActions = () => {
  const [sendCancel] = useChange(runs.cancel);
  const [sendRetry] = useChange(runs.retry);
  /** Id of the run whose action is being sent. */
  const [busy, setBusy] = useState<string>();
  const [failure, setFailure] = useState<Failed>();

  const send = async (run: RunView, what: string, call: () => Promise<unknown>): Promise<void> => {
    setFailure(undefined);
    setBusy(run.id);
    try {
      await call();
    } catch (thrown) {
      setFailure({ what, error: toApiError(thrown) });
    } finally {
      setBusy(undefined);
    }
  };

  const cancel = async (run: RunView): Promise<void> => {
    const sure = await confirmAction({
      title: `Cancel ${runTitle(run)}?`,
      body: 'The current step is stopped, also on the server, with all processes it started. Finished steps are not undone.',
      confirmLabel: 'Cancel the run',
      dismissLabel: 'Keep running',
      danger: true,
    });
    if (sure)
      await send(run, `${runTitle(run)} could not be cancelled`, () => sendCancel({ id: run.id }).unwrap());
  };

  const retry = async (run: RunView): Promise<void> => {
    const failed = run.steps.findLast(({ state }) => state !== 'succeeded');
    const sure = await confirmAction({
      title: `Retry ${runTitle(run)}?`,
      body: `It continues from ${labelOf(run, failed)}, under your name. Successful steps are not repeated.`,
      confirmLabel: 'Retry',
    });
    if (sure)
      await send(run, `${runTitle(run)} could not be retried`, () => sendRetry({ id: run.id }).unwrap());
  };

  return { cancel, retry, busy, failure, dismiss: () => setFailure(undefined) };
};

/** A refused action, shown where it was requested, with a link to the run that prevented it, if any. */
export const ActionFailure = ({ failure, onClose }: { failure: Failed | undefined; onClose: () => void }) => {
  if (!failure) return null;
  const { what, error } = failure;
  const other = runInTheWay(error.current);
  return (
    <Refusal what={what} error={error} onClose={onClose}>
      {other && <Link to={paths.run(other)}>Open the current run</Link>}
    </Refusal>
  );
};
