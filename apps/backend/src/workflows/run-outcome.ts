/** The outcome of an action that is a run. */
import type { Json } from '@quarterdeck/events';
import { RunEngine, type RecordedRun } from '../runs';
import type { ActionOutcome } from './workflow-action';

/**
 * @param resultOf what else conditions can read of it, beside `is`, `reason`, `exitCode` and the report of its last step
 */
export const outcomeOfRun = async (
  engine: RunEngine,
  { id, workspace }: { id: string; workspace: string },
  resultOf: (run: RecordedRun) => Promise<{ [key: string]: Json }> = () => Promise.resolve({}),
): Promise<ActionOutcome | undefined> => {
  const run = await engine.endOf(id, workspace);
  if (!run) return undefined;
  const { end, lastStep } = run;
  const result = {
    is: end.is,
    run: id,
    ...('reason' in end && { reason: end.reason }),
    ...(lastStep?.exitCode !== undefined && { exitCode: lastStep.exitCode }),
    ...lastStep?.report,
    ...(await resultOf(run)),
  };
  return { end: end.is === 'succeeded' ? 'done' : 'failed', result };
};
