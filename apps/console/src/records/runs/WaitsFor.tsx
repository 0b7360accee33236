/** What a run in line waits for, in which place. */
import { runs } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Link } from 'react-router';
import { useAnswer } from '../../core/calls';
import { paths } from '../../core/paths';
import { waitsInWords } from './run-words';

/** Other runs move the line, so no event of this run says that its place has changed. */
const LOOK_AGAIN_MS = 2000;

export const WaitsFor = ({ run }: { run: RunView }) => {
  useAnswer(runs.detail, { id: run.id }, { pollingInterval: LOOK_AGAIN_MS, skipPollingIfUnfocused: true });
  const { waitsFor } = run;
  if (!waitsFor) return 'Waiting to start …';
  const { where, what, place } = waitsInWords(run, waitsFor);
  return (
    <>
      Waiting for {where}: <Link to={paths.run(waitsFor.id)}>{what}</Link> is under way. {place}
    </>
  );
};
