/** The verdict about a run. A cancelled run is no failure. A run over many servers may succeed on some. Pure. */
import type { RunState, RunView } from './runs';
import type { Verdict } from './verdict';

export interface RunVerdict extends Omit<Verdict, 'tone'> {
  is: RunState | 'partial' | 'cancelRequested';
  tone: Verdict['tone'] | 'busy';
}

const verdicts: Record<RunState, RunVerdict> = {
  requested: { is: 'requested', label: 'requested', tone: 'quiet' },
  running: { is: 'running', label: 'running', tone: 'busy' },
  succeeded: { is: 'succeeded', label: 'succeeded', tone: 'good' },
  failed: { is: 'failed', label: 'failed', tone: 'bad' },
  interrupted: { is: 'interrupted', label: 'interrupted', tone: 'warn' },
  cancelled: { is: 'cancelled', label: 'cancelled', tone: 'quiet' },
};

/** What the run should do is done, and visitors have nothing of it. */
const appliedIn: Partial<Record<string, string>> = {
  silentSite: 'applied, does not answer',
  anotherSite: 'applied, another site answers',
};

/** For a run over many servers: their number, and on how many it succeeded; `undefined` before they are counted. */
const countOf = ({
  kind,
  steps,
}: Pick<RunView, 'kind' | 'steps'>): { all: number; good: number } | undefined => {
  const report = kind === 'fleet' ? steps.at(-1)?.report : undefined;
  const all = Number(report?.servers);
  return all > 0 ? { all, good: Number(report?.succeeded ?? 0) } : undefined;
};

/** `failed`, `4 of 5 succeeded` */
export const runVerdict = (
  run: Pick<RunView, 'kind' | 'state' | 'steps' | 'cancelRequested' | 'waitsFor'> &
    Partial<Pick<RunView, 'code'>>,
): RunVerdict => {
  const { state } = run;
  if (state === 'requested' || state === 'running')
    return run.cancelRequested
      ? { is: 'cancelRequested', label: 'cancel requested', tone: 'warn' }
      : { ...verdicts[state], ...(run.waitsFor && { label: 'waiting' }) };
  const applied = state === 'failed' ? appliedIn[run.code ?? ''] : undefined;
  if (applied !== undefined) return { ...verdicts.failed, label: applied };
  const count = countOf(run);
  if (!count || count.good === 0 || count.good === count.all) return verdicts[state];
  const label = `${count.good} of ${count.all} succeeded`;
  return { is: 'partial', label, tone: state === 'cancelled' ? 'quiet' : 'warn' };
};

/** Why a run failed, for lists. A run over many servers shows how many succeeded instead. */
export const runReason = ({ kind, state, reason }: Pick<RunView, 'kind' | 'state' | 'reason'>) =>
  state === 'failed' && kind !== 'fleet' ? reason : undefined;

/** SSH error codes. Failures of programs on the server may have the same code, but they also have an exit code. */
const CONNECTION = ['refused', 'unreachable', 'unknownHost', 'notSsh', 'hostKeyChanged'];

/** Whether a run on a server ended before any program ran there. */
export const endedBeforeWork = ({ serverId, steps }: Pick<RunView, 'serverId' | 'steps'>): boolean =>
  serverId !== '' && steps.at(-1)?.exitCode === undefined;

/** Whether a run failed because its server could not be reached. */
export const couldNotConnect = (run: Pick<RunView, 'code' | 'serverId' | 'steps'>): boolean =>
  CONNECTION.includes(run.code ?? '') && endedBeforeWork(run);

/** `Docker images on web-1` */
export const runTitle = ({ label, subject }: Pick<RunView, 'label' | 'subject'>): string =>
  subject.kind === 'server' ? `${label} on ${subject.name}` : `${label}: ${subject.name}`;
