/** Runs that were started from a section, followed where they were started. */
import { runs } from '@quarterdeck/contract';
import { useCallback, useState } from 'react';
import { useAnswer } from '../../core/calls';
import { RunLines } from '../../records/runs/RunLine';
import { DataView } from '../../ui/DataView';

/** Newest first. */
export const useStarted = () => {
  const [ids, setIds] = useState<readonly string[]>([]);
  const follow = useCallback(({ runId }: { runId: string }) => setIds((known) => [runId, ...known]), []);
  return { ids, follow };
};

export const Started = ({ ids }: { ids: readonly string[] }) =>
  ids.map((id) => <StartedRun key={id} id={id} />);

const StartedRun = ({ id }: { id: string }) => {
  const query = useAnswer(runs.detail, { id });
  return (
    <DataView query={query} what="Run">
      {(run) => <RunLines runs={[run]} mb={12} aria-label="Started" />}
    </DataView>
  );
};
