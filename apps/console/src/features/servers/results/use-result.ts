/** The result of a finished fixed command; `undefined` if only its text can be shown. */
import type { RunView } from '@quarterdeck/projections';
import { useMemo, useSyncExternalStore } from 'react';
import type { OutputView } from '../../../records/run-output';
import { isLive } from '../../../records/runs';
import type { Result } from './blocks';
import { resultOf } from './result-of';

/** Longer output stays text, because larger tables are slow to lay out and of no use. */
const MAX_LINES = 2000;

export const useResult = (run: RunView, log: OutputView): Result => {
  const version = useSyncExternalStore(log.subscribe, log.getVersion);
  const readable = run.kind === 'command' && !isLive(run) && log.count <= MAX_LINES;
  return useMemo(
    // `version` changes with the log, so the result is parsed again.
    () => (readable && version >= 0 ? resultOf(run.input.cmdType, log.text()) : undefined),
    [readable, run.input.cmdType, log, version],
  );
};
