/**
 * Work that only reads and may be repeated. It runs over the pooled connection and ends with it: no folder on the
 * server, no claim, no follower. If its end is not seen, the caller runs it again.
 */
import { constants } from 'node:os';
import { Backoff, rest } from '@quarterdeck/events';
import { readReport } from './detached/script-messages';
import { reportFunctions } from './detached/start-script';
import type { FollowOptions, RemoteEnd, RemoteWork } from './detached/types';
import { SshFailure, type SshFailureCode } from './failure';
import type { SshPool } from './pool';
import type { OutputStream, RemoteResult, SshTarget } from './target';

/** Marks our lines on stderr, where profiles and login shells also print. */
const MARK = '::quarterdeck report ';

/** The script's stdout and stderr share one stream, which keeps their order. The other stream carries its report. */
const attachedScript = `
qd_script=$1
shift
exec 6>&2 2>&1
${reportFunctions('>&6', MARK)}
eval "unset qd_script; $qd_script"`;

const MAX_REPORT_BYTES = 64 * 1024;

/** Failures that may be temporary, if the server could be reached a moment ago. */
const TRANSIENT: ReadonlySet<SshFailureCode> = new Set([
  'refused',
  'unreachable',
  'timeout',
  'notSsh',
  'connectionLost',
  'frozen',
]);
const MAX_PAUSE_MS = 2000;

/** `resumed`: an earlier try was lost with its connection, so wait for a server that cannot be reached now. */
type AttachedOptions = Pick<FollowOptions, 'onOutput' | 'cancel' | 'leave' | 'deadline' | 'resumed'>;
type Target = () => Promise<SshTarget>;
type AttachedWork = Omit<RemoteWork, 'name'>;

/**
 * @throws SshFailure if it cannot have been started
 * @throws any error of `onOutput`
 */
export async function runAttached(
  pool: SshPool,
  target: Target,
  work: AttachedWork,
  options: AttachedOptions,
): Promise<RemoteEnd> {
  const { cancel, leave, deadline, resumed } = options;
  const signal = AbortSignal.any([cancel, leave]);
  for (const backoff = new Backoff(100, MAX_PAUSE_MS); ;) {
    try {
      return await runOnce(pool, target, work, options, signal);
    } catch (failure) {
      const isTransient = failure instanceof SshFailure && TRANSIENT.has(failure.code);
      const pauseMs = backoff.next();
      if (!resumed || !isTransient || Date.now() + pauseMs > deadline) throw failure;
      await rest(pauseMs, signal);
    }
  }
}

async function runOnce(
  pool: SshPool,
  target: Target,
  { script, named, args = [], privileged }: AttachedWork,
  { onOutput, cancel, leave, deadline }: AttachedOptions,
  signal: AbortSignal,
): Promise<RemoteEnd> {
  let told = Buffer.alloc(0);
  const onBytes = (stream: OutputStream, bytes: Buffer): void | Promise<void> => {
    if (stream === 'out') return onOutput(bytes);
    if (told.length < MAX_REPORT_BYTES) told = Buffer.concat([told, bytes]);
  };
  const command = {
    script: attachedScript,
    named,
    args: [script, ...args],
    privileged,
    timeoutMs: Math.max(deadline - Date.now(), 1),
    signal,
    onBytes,
  };
  try {
    const result = await pool.exec(await target(), command);
    return { ...endOf(result, leave), report: readReport(markedLines(told)) };
  } catch (failure) {
    const isSent = failure instanceof SshFailure && failure.sent;
    if (leave.aborted) return { is: 'left', report: {} };
    if (cancel.aborted) return { is: 'cancelled', mayStillRun: isSent, report: {} };
    // The next try would print as much.
    if (failure instanceof SshFailure && failure.code === 'outputTooLong') throw failure;
    if (isSent) return { is: 'lost', why: 'connectionLost', reason: failure.msg, report: {} };
    throw failure;
  }
}

/** The lines of the report, each with its line break. The log cannot store NUL. */
const markedLines = (told: Buffer): string =>
  told
    .toString()
    .replaceAll('\0', ' ')
    .split(/(?<=\n)/)
    .filter((line) => line.startsWith(MARK))
    .map((line) => line.slice(MARK.length))
    .join('');

type End = RemoteEnd extends infer E ? (E extends unknown ? Omit<E, 'report'> : never) : never;

const endOf = (
  { exitCode, signal, aborted, timedOut, mayStillRun }: RemoteResult,
  leave: AbortSignal,
): End => {
  if (aborted) return leave.aborted ? { is: 'left' } : { is: 'cancelled', mayStillRun };
  if (timedOut) return { is: 'timedOut', mayStillRun };
  // For a command that a signal ended, a shell reports 128 plus the signal's number.
  return { is: 'exited', exitCode: exitCode ?? 128 + signalNumber(signal) };
};

const signalNumber = (name = ''): number => (constants.signals as Record<string, number>)[name] ?? 0;
