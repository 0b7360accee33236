/** Steps on the left, output on the right. The output of an ended run can be replayed. */
import { isExitCodeOnly, type RunStepView, type RunView } from '@quarterdeck/projections';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { useActorName } from '../../records/actor';
import { ErrorState } from '../../ui/ErrorState';
import { Loading } from '../../ui/Loading';
import {
  errorLineOf,
  lineHash,
  parseTime,
  type Player,
  ReplayBar,
  RunOutput,
  type Span,
  type StepMark,
  type TimelineStep,
  timeParam,
  usePlayed,
  usePlayer,
  useRunOutput,
} from '../../records/run-output';
import {
  castHref,
  isLive,
  missingOutput,
  nextStepOf,
  outputFilename,
  OutputRemoved,
  printedBytes,
  runTitle,
  stepTitle,
} from '../../records/runs';
import { OutputDiffers, useOutputCheck } from './OutputCheck';
import classes from './RunPage.module.css';
import { printedRun } from './printed-run';
import { Steps } from './Steps';
import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { usePrint } from '../../ui/use-print';
import { useStillHere } from '../../ui/use-still-here';

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

/** A shorter run shows its output at once, unless a link leads to a moment of it. */
const MIN_PLAYED_MS = 1000;

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
  const print = usePrint();
  const nameOf = useActorName();
  const output = useRunOutput(run.id, live, run.revision);
  const { search } = useLocation();
  const navigate = useNavigate();
  const visits = useRef(0);
  const viewer = useRef<HTMLDivElement>(null);

  const playable = !live && !output.loading && !output.error && output.log.count > 0;
  const moment = momentOf(search);
  const [isLinked] = useState(moment !== undefined);
  const span = useMemo(() => {
    const whole = playable ? spanOf(run) : undefined;
    return whole && (whole.end - whole.start >= MIN_PLAYED_MS || isLinked) ? whole : undefined;
  }, [playable, run, isLinked]);
  const { player, setSpeed, setSkipIdle } = usePlayer(output.log, { span, at: moment });
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
      startAt={moment === undefined ? fault?.line : undefined}
      onPrint={(text) => print(printedRun(run, text, nameOf))}
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

/** Explains why a run failed and what to do next. The exit code comes last. */
interface FailedRunProps {
  run: RunView;
  /** The output line that shows what went wrong. */
  fault: { line: number; text: string } | undefined;
  /** The output is still to come. A line is kept free for the link to the fault. */
  searching: boolean;
}

/** `Prerequisites ended with exit code 69.` */
const exitCodeOf = ({ kind, steps, code }: RunView): string | undefined => {
  const step = steps.findLast(({ state }) => state === 'failed');
  return step?.exitCode === undefined || code !== 'exit'
    ? undefined
    : `${stepTitle(kind, step)} ended with exit code ${step.exitCode}.`;
};

const FailedRun = ({ run, fault, searching }: FailedRunProps) => {
  const { search } = useLocation();
  if (run.state !== 'failed' || run.reason === undefined) return null;
  const { words, link } = nextStepOf(run);
  // The recorded reason of an older run names only the exit code; its output says more.
  const inWords = isExitCodeOnly(run.reason) ? fault?.text : run.reason;
  const exitCode = exitCodeOf(run);
  return (
    <Alert
      color="red"
      variant="light"
      icon={<IconAlertCircle size={18} aria-hidden />}
      title={inWords ?? run.reason}
      mb="md"
    >
      <div>
        {words} {link && <Link to={link.to}>{link.label}</Link>}
      </div>
      {(inWords !== undefined || searching) && exitCode !== undefined && <div>{exitCode}</div>}
      {searching && exitCode !== undefined && <div aria-hidden>&nbsp;</div>}
      {fault && (
        <Link
          to={{ search, hash: lineHash({ from: fault.line, to: fault.line }) }}
          replace
          preventScrollReset
        >
          Line {fault.line.toLocaleString('en')} of the output
        </Link>
      )}
    </Alert>
  );
};

/**
 * Keeps the instant of a replay in the URL (`?t=12.4`), so a reload or a shared link shows the same instant. It is
 * written only while the replay is paused.
 */
const STANDS_MS = 300;

const momentOf = (search: string): number | undefined => parseTime(new URLSearchParams(search).get('t'));

const useMomentAddress = (player: Player | undefined): void => {
  const navigate = useNavigate();
  const location = useLocation();
  const written = useRef(location.search);

  const stillHere = useStillHere();
  /** Returns whether it is done; `false` means try again later. */
  const write = useEffectEvent((to: Player): boolean => {
    if (to.playing) return true;
    if (!stillHere()) return false;
    const { search, hash, state } = location;
    const params = new URLSearchParams(search);
    if (to.atEnd) params.delete('t');
    else params.set('t', timeParam(to.recorded));
    const next = params.size === 0 ? '' : `?${params.toString()}`;
    if (next === search) return true;
    written.current = next;
    void navigate(
      { search: next, hash },
      { replace: true, preventScrollReset: true, state: state as unknown },
    );
    return true;
  });

  useEffect(() => {
    if (!player) return undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    const later = () => {
      clearInterval(timer);
      if (!player.playing) timer = setInterval(() => write(player) && clearInterval(timer), STANDS_MS);
    };
    const stop = player.subscribe(later);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [player]);

  // A link or the Back button put another instant into the URL.
  useEffect(() => {
    if (!player || location.search === written.current) return;
    written.current = location.search;
    const wanted = momentOf(location.search);
    if (wanted === undefined) player.seek(player.timeline.durationMs);
    else player.seek(wanted);
  }, [player, location.search]);
};
