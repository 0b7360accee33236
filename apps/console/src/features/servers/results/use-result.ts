/** The result of a fixed command that has ended; `undefined` where only its text can be shown. */
import type { RunView } from '@quarterdeck/projections';
import { useMemo, useSyncExternalStore } from 'react';
import type { OutputView } from '../../../records/run-output';
import { isLive } from '../../../records/runs';
import type { Result } from './blocks';
import { resultOf } from './result-of';

/** Tables of more rows are slower to lay out than lines, and nobody reads them. */
const MOST_LINES = 2000;

export const useResult = (run: RunView, log: OutputView): Result => {
  const version = useSyncExternalStore(log.subscribe, log.getVersion);
  const readable = run.kind === 'command' && !isLive(run) && log.count <= MOST_LINES;
  return useMemo(
    // The version says when the log has changed.
    () => (readable && version >= 0 ? resultOf(run.input.cmdType, log.text()) : undefined),
    [readable, run.input.cmdType, log, version],
  );
};
