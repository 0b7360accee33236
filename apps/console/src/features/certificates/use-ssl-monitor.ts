/** The monitor as everybody in the workspace sees it: its newest run, how far that is, and how it is started. */
import { runs, ssl } from '@quarterdeck/contract';
import { skipToken } from '@reduxjs/toolkit/query';
import type { RunView, SslMonitorStatus } from '@quarterdeck/projections';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { useWhenBack } from '../../core/connection';
import { toApiError, type ApiError } from '../../core/http';
import { useSslStatus } from '../../records/ssl-monitor';
import { isLive, newRunId } from '../../records/runs';
import { useSslStatusQuery } from './ssl.endpoints';

export interface Monitor {
  /** `undefined` while it is not known. */
  status: SslMonitorStatus | undefined;
  error: ApiError | undefined;
  refetch: () => void;
  /** The newest run; `undefined` when there was none, or it is not known yet. */
  run: RunView | undefined;
  live: boolean;
}

const underWay: readonly SslMonitorStatus['phase'][] = ['fetching', 'checking', 'renewing'];

export const useSslMonitor = (): Monitor => {
  const { error, refetch } = useSslStatusQuery();
  const status = useSslStatus();
  const { currentData: run } = useAnswer(
    runs.detail,
    status?.run === undefined ? skipToken : { id: status?.run },
  );
  useWhenBack(refetch);
  return {
    status,
    error: error === undefined ? undefined : toApiError(error),
    refetch: () => void refetch(),
    run,
    live: run ? isLive(run) : status !== undefined && underWay.includes(status.phase),
  };
};

/** `asked`: the run that was asked for here, and that the monitor does not show yet. */
export const useSslStart = (newest: string | undefined) => {
  const [send, { isLoading }] = useChange(ssl.run);
  const [asked, setAsked] = useState<string>();
  const [failure, setFailure] = useState<{ what: string; error: ApiError }>();
  const start = async (checkOnly: boolean): Promise<void> => {
    const runId = newRunId();
    setFailure(undefined);
    setAsked(runId);
    try {
      await send({ runId, checkOnly }).unwrap();
    } catch (thrown) {
      setAsked(undefined);
      setFailure({ what: 'The SSL monitor was not started', error: toApiError(thrown) });
    }
  };
  // Another may have come after it by the time that this page hears of it.
  const [newestThen, setNewestThen] = useState(newest);
  if (newestThen !== newest) {
    setNewestThen(newest);
    if (!isLoading) setAsked(undefined);
  }
  const waiting = asked !== undefined && asked !== newest;
  return { start, requested: isLoading || waiting, failure, dismiss: () => setFailure(undefined) };
};
