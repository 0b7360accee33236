/** Cancel and retry, wherever a run is shown. Both ask for confirmation and report a refusal on the page. */
import { runs } from '@quarterdeck/contract';
import { stepLabel } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { useState } from 'react';
import { Link } from 'react-router';
import { useChange } from '../../core/calls';
import { paths } from '../../core/paths';
import { Refusal } from '../../ui/Refusal';
import { useAction, type Failed } from '../../ui/use-action';
import { runInTheWay, runTitle } from './run-words';

const labelOf = (run: RunView, step: RunView['steps'][number] | undefined): string =>
  step ? stepLabel(run.kind, step.step) : 'the first step';

export const useRunActions = () => {
  const [sendCancel] = useChange(runs.cancel);
  const [sendRetry] = useChange(runs.retry);
  /** Id of the run whose action is being sent. */
  const [busy, setBusy] = useState<string>();
  const { act, failure, dismiss } = useAction();

  const send = async (run: RunView, call: () => Promise<unknown>): Promise<void> => {
    setBusy(run.id);
    await call().finally(() => setBusy(undefined));
  };

  const cancel = (run: RunView) =>
    act({
      ask: {
        title: `Cancel ${runTitle(run)}?`,
        body: 'The current step is stopped, also on the server, with all processes it started. Finished steps are not undone.',
        confirmLabel: 'Cancel the run',
        dismissLabel: 'Keep running',
        danger: true,
      },
      send: () => send(run, () => sendCancel({ id: run.id }).unwrap()),
      failed: `${runTitle(run)} could not be cancelled`,
    });

  const retry = (run: RunView) => {
    const failed = run.steps.findLast(({ state }) => state !== 'succeeded');
    return act({
      ask: {
        title: `Retry ${runTitle(run)}?`,
        body: `It continues from ${labelOf(run, failed)}, under your name. Successful steps are not repeated.`,
        confirmLabel: 'Retry',
      },
      send: () => send(run, () => sendRetry({ id: run.id }).unwrap()),
      failed: `${runTitle(run)} could not be retried`,
    });
  };

  return { cancel, retry, busy, failure, dismiss };
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
