/** Steps on the left, output on the right. The output of an ended run can be replayed. */
import type { RunStepView, RunView } from '@quarterdeck/projections';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import {
  errorLineOf,
  lineHash,
  ReplayBar,
  RunOutput,
  usePlayed,
  usePlayer,
  useRunOutput,
  type Span,
  type StepMark,
  type TimelineStep,
} from '../../records/run-output';
import {
  castHref,
  isLive,
  missingOutput,
  outputFilename,
  OutputRemoved,
  printedBytes,
  runTitle,
  stepTitle,
} from '../../records/runs';
import { FailedRun } from './FailedRun';
import { OutputDiffers, useOutputCheck } from './OutputCheck';
import classes from './RunPage.module.css';
import { Steps } from './Steps';
import { momentOf, useMomentAddress } from './use-moment-address';

/** Name and attempt identify a step, both in the run and in its output. */
const same = (a: { step: string; attempt: number }, b: { step: string; attempt: number }): boolean =>
  a.step === b.step && a.attempt === b.attempt;

const tones: Record<RunStepView['state'], TimelineStep['tone']> = {
  running: 'quiet',
  succeeded: 'good',
  failed: 'bad',
  timedOut: 'bad',
  lost: 'warn',
  cancelled: 'quiet',
};

const startOf = (run: RunView): number => Date.parse(run.startedAt ?? run.requestedAt);

/** From the start of the run to the end of its last step. A retried run includes the time between its attempts. */
const spanOf = (run: RunView): Span => {
  const steps = run.steps.map(({ startedAt }) => Date.parse(startedAt));
  const ends = run.steps.map(({ durationMs = 0 }, index) => (steps[index] ?? 0) + durationMs);
  const start = startOf(run);
  return { start, end: Math.max(start, ...ends), steps };
};

export const RunViewer = ({ run }: { run: RunView }) => {
  const live = isLive(run);
  const output = useRunOutput(run.id, live, run.revision);
  const { search } = useLocation();
  const navigate = useNavigate();
  const visits = useRef(0);
  const viewer = useRef<HTMLDivElement>(null);

  const playable = !live && !output.loading && !output.error && output.log.count > 0;
  const span = useMemo(() => (playable ? spanOf(run) : undefined), [playable, run]);
  const { player, setSpeed, setSkipIdle } = usePlayer(output.log, { span, at: momentOf(search) });
  useMomentAddress(player);
  const jumps = usePlayed(player, (it) => it.jumps);
  const timelineSteps = useMemo(
    () =>
      run.steps.map((step) => ({
        from: Date.parse(step.startedAt) - startOf(run),
        label: stepTitle(run.kind, step),
        tone: tones[step.state],
      })),
    [run],
  );

  const failed = run.state === 'failed' ? run.steps.findLast(({ state }) => state === 'failed') : undefined;
  // Only a step with an exit code printed its own error. For the others the recorded reason is all there is.
  const wrong = failed?.exitCode === undefined || !playable ? undefined : failed;
  const { log } = output;
  const fault = useMemo(() => wrong && errorLineOf(log, wrong, run.reason), [wrong, log, run.reason]);

  // An alert about the output comes with it; later it would push the lines that somebody has begun to read.
  const check = useOutputCheck(run);
  const [shown, setShown] = useState(live);
  const expected = run.outputRemoved === undefined && printedBytes(run) > 0;
  if (!shown && (live || !(output.loading || check.isLoading))) setShown(true);
  const removedOnly = run.outputRemoved !== undefined && output.log.count === 0;
  const severalSteps = run.steps.length > 1;
  const markLabel = useCallback((mark: StepMark) => stepTitle(run.kind, mark), [run.kind]);

  const goTo = (step: RunStepView) => {
    const mark = output.log.marks.find((one) => same(one, step));
    // During a replay, seek to the start of the step; otherwise go to its first line.
    if (player && !player.atEnd) return () => player.seek(Date.parse(step.startedAt) - startOf(run));
    if (!mark || mark.line >= output.log.count) return undefined;
    return () => {
      visits.current += 1;
      void navigate(
        { search, hash: lineHash({ from: mark.line + 1, to: mark.line + 1 }) },
        { replace: true, preventScrollReset: true, state: { visit: visits.current } },
      );
      viewer.current?.scrollIntoView({ block: 'nearest' });
    };
  };

  const lines = (
    <RunOutput
      log={player?.output ?? output.log}
      whole={output.log}
      label={`Output of ${runTitle(run)}`}
      live={live}
      filename={outputFilename(run)}
      castHref={removedOnly ? undefined : castHref(run.id)}
      jumps={jumps}
      // A link to an instant of the replay begins at that instant instead.
      startAt={momentOf(search) === undefined ? fault?.line : undefined}
      empty={emptyWords(run, player !== undefined)}
      markLabel={severalSteps ? markLabel : undefined}
      height="max(20rem, calc(100dvh - 26rem))"
    />
  );

  return (
    <>
      <FailedRun run={run} fault={fault} searching={!shown && expected} />
      <div className={classes.viewer}>
        <Steps run={run} player={player} onGo={goTo} />
        <div ref={viewer} className={classes.output}>
          <OutputRemoved run={run} />
          {shown ? (
            <>
              <OutputDiffers run={run} />
              {output.error && (
                <ErrorState error={output.error} what="Output" onRetry={output.retry} inline />
              )}
              {player && (
                <ReplayBar
                  player={player}
                  steps={timelineSteps}
                  setSpeed={setSpeed}
                  setSkipIdle={setSkipIdle}
                />
              )}
              {(!output.error || output.log.count > 0) && lines}
            </>
          ) : (
            <div className={classes.awaited} data-expected={expected || undefined}>
              <Loading lines={4} label="Loading output" />
            </div>
          )}
        </div>
      </div>
    </>
  );
};

/** Message for an output without lines. */
const emptyWords = (run: RunView, playing: boolean): string | undefined =>
  playing ? 'No output up to this moment.' : missingOutput(run);
