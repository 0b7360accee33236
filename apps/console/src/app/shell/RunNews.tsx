/**
 * Tells operators on other pages about their runs: in the tab's title while they run, and in the title and a toast when
 * they end.
 */
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { runs } from '@quarterdeck/contract';
import { stepLabel } from '@quarterdeck/events';
import { runReason, runTitle, runVerdict, type RunView } from '@quarterdeck/projections';
import { announceInTitle, progressInTitle } from '../../ui/page-title';
import { toast } from '../../ui/toast';
import { useAsk } from '../../core/calls';
import { paths } from '../../core/paths';
import { useSession } from '../../core/session';
import { useRunsInProgressQuery } from '../../records/runs/in-progress.endpoints';

const isLookedAt = (run: RunView): boolean =>
  document.visibilityState === 'visible' &&
  [run.id, run.subject.id].some((id) => window.location.pathname.includes(id));

const tell = (run: RunView): void => {
  const reason = runReason(run);
  const { label, tone } = runVerdict(run);
  const words = `${runTitle(run)} ${label}${reason === undefined ? '' : `: ${reason}`}`;
  announceInTitle(words);
  if (isLookedAt(run)) return;
  const message = <Link to={run.kind === 'fleet' ? paths.fleetRun(run.id) : paths.run(run.id)}>{words}</Link>;
  if (tone === 'good') toast.success(message);
  else if (tone === 'quiet') toast.info(message);
  else toast.failure(message, tone === 'bad' ? 'Failed' : 'Ended');
};

/** The title does not show the progress of runs younger than this. */
const LONG_MS = 4000;

/** Such as `Initialize Server on web-1: Prerequisites …` or `3 runs …`. */
const progressOf = (runs: readonly RunView[]): string => {
  const [run, another] = runs;
  if (!run) return '';
  if (another) return `${runs.length} runs …`;
  const step = run.steps.length > 1 ? run.steps.at(-1) : undefined;
  return `${run.label} on ${run.subject.name}${step ? `: ${stepLabel(run.kind, step.step)}` : ''} …`;
};

export function RunNews() {
  const { profile } = useSession();
  const { data } = useRunsInProgressQuery();
  const [fetchRuns] = useAsk(runs.list);
  const before = useRef<RunView[]>([]);
  useEffect(() => {
    if (!data) return;
    const gone = before.current.filter(
      (run) => run.requestedBy === profile.id && !data.some(({ id }) => id === run.id),
    );
    before.current = data;
    if (gone.length === 0) return;
    const asked = fetchRuns({ ids: gone.map(({ id }) => id), limit: gone.length });
    void asked.then((answer) => {
      for (const run of answer.data?.runs ?? []) if (run.endedAt !== undefined) tell(run);
    });
  }, [data, fetchRuns, profile.id]);

  useEffect(() => {
    const mine = (data ?? []).filter((run) => run.requestedBy === profile.id);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (): void => {
      const waits = mine.map(({ requestedAt }) => Date.parse(requestedAt) + LONG_MS - Date.now());
      progressInTitle(progressOf(mine.filter((_, index) => (waits[index] ?? 0) <= 0)));
      const next = Math.min(...waits.filter((wait) => wait > 0));
      if (Number.isFinite(next)) timer = setTimeout(say, next);
    };
    say();
    return () => clearTimeout(timer);
  }, [data, profile.id]);
  useEffect(() => () => progressInTitle(''), []);
  return null;
}
