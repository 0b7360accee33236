/**
 * The output of a run as a log that fills itself: a live run is followed over the socket, a past one is fetched in
 * pages. When a run ends, anything the socket may have missed is fetched.
 */
import { useCallback, useEffect, useState } from 'react';
import type { ApiError } from '../../core/api';
import { toApiError } from '../../core/http';
import { watchRun } from '../../core/live';
import { useRunOutputMutation } from './output.endpoints';
import { OutputLog } from './output-log';

/** The server may not know a run yet that was only just requested. */
const ASK_AGAIN_MS = 300;

export interface RunOutputState {
  log: OutputLog;
  /** Whether past output is still being fetched. */
  loading: boolean;
  error?: ApiError;
  retry: () => void;
}

/** A new `revision` fetches again: the run may have been retried, and ended before it was seen live. */
export const useRunOutput = (run: string, live: boolean, revision = 0): RunOutputState => {
  const [log, setLog] = useState(() => new OutputLog());
  const [of, setOf] = useState(run);
  const [fetchPage] = useRunOutputMutation();
  const [loading, setLoading] = useState(!live);
  const [error, setError] = useState<ApiError>();
  const [attempt, setAttempt] = useState(0);

  if (of !== run) {
    setOf(run);
    setLog(new OutputLog());
    setLoading(!live);
    setError(undefined);
  }

  useEffect(() => {
    if (!live) return undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let stop: () => void = () => undefined;
    const watch = () => {
      stop = watchRun(run, (chunks) => log.append(chunks), {
        ...(log.lastSeq > 0 && { after: log.lastSeq }),
        onError: () => {
          stop();
          again = setTimeout(watch, ASK_AGAIN_MS);
        },
      });
    };
    watch();
    return () => {
      clearTimeout(again);
      stop();
    };
  }, [run, live, log]);

  useEffect(() => {
    if (live) return undefined;
    let left = false;
    const fetchAll = async () => {
      setLoading(true);
      setError(undefined);
      try {
        for (let more = true; more && !left;) {
          const page = await fetchPage({ id: run, ...(log.lastSeq > 0 && { after: log.lastSeq }) }).unwrap();
          if (!left) log.append(page.chunks);
          more = page.more;
        }
      } catch (cause) {
        if (!left) setError(toApiError(cause));
      } finally {
        if (!left) setLoading(false);
      }
    };
    void fetchAll();
    return () => {
      left = true;
    };
  }, [run, live, revision, log, fetchPage, attempt]);

  const retry = useCallback(() => setAttempt((before) => before + 1), []);
  return { log, loading, ...(error && { error }), retry };
};
