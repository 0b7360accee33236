/** State of the monitor for everybody in the workspace: its newest run, and how to start one. */
import { runs, ssl } from '@quarterdeck/contract';
import { skipToken } from '@reduxjs/toolkit/query';
import type { RunView, SslMonitorStatus } from '@quarterdeck/projections';
import { useState } from 'react';
import { useAnswer, useChange } from '../../core/calls';
import { useWhenBack } from '../../core/connection';
import { toApiError, type ApiError } from '../../core/http';
import { useSslStatus } from '../../records/ssl-monitor';
import { isLive, newRunId } from '../../records/runs';
import { useAction } from '../../ui/use-action';
import { useSslStatusQuery } from './ssl.endpoints';

export interface Monitor {
  /** `undefined` until it has loaded. */
  status: SslMonitorStatus | undefined;
  error: ApiError | undefined;
  refetch: () => void;
  /** The newest run; `undefined` if there was none or it has not loaded. */
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

/** Starts a run; `requested` is true until the monitor shows it. */
export const useSslStart = (newest: string | undefined) => {
  const [send, { isLoading }] = useChange(ssl.run);
  const [asked, setAsked] = useState<string>();
  const { act, failure, dismiss } = useAction();
  const start = async (checkOnly: boolean): Promise<void> => {
    const runId = newRunId();
    setAsked(runId);
    const sent = await act({
      send: () => send({ runId, checkOnly }).unwrap(),
      failed: 'The SSL monitor was not started',
    });
    if (!sent) setAsked(undefined);
  };
  // By the time this page learns about the run, a newer one may have followed.
  const [newestThen, setNewestThen] = useState(newest);
  if (newestThen !== newest) {
    setNewestThen(newest);
    if (!isLoading) setAsked(undefined);
  }
  const waiting = asked !== undefined && asked !== newest;
  return { start, requested: isLoading || waiting, failure, dismiss };
};
