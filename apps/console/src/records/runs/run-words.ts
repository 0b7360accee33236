/** Runs in words. Pure. */
import { kindsOfRuns, runLabel, stepLabel } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';

export { runTitle } from '@quarterdeck/projections';

/** Of kinds whose runs are named after what they do. */
const general: Record<string, string> = {
  command: 'Fixed command',
  script: 'Script',
  fleet: 'On many servers',
  locationLogs: 'Logs of a location',
  inspectLocation: 'Inspect a location',
  applyVersion: 'Apply version',
  deployService: 'Deploy',
  stopService: 'Stop a service',
};

/** Kinds of work, as they are chosen from and listed. */
export const runKinds: readonly { value: string; label: string }[] = kindsOfRuns.map((kind) => ({
  value: kind,
  label: general[kind] ?? runLabel(kind, {}),
}));

export const kindInWords = (kind: string): string =>
  runKinds.find(({ value }) => value === kind)?.label ?? kind;

export const isLive = ({ state }: Pick<RunView, 'state'>): boolean =>
  state === 'requested' || state === 'running';

/** Once: a second wish changes nothing. */
export const canCancel = (run: Pick<RunView, 'state' | 'cancelRequested'>): boolean =>
  isLive(run) && run.cancelRequested === undefined;

/** A run over many servers is run again on those where it failed, which is another run. */
export const canRetry = ({ state, kind }: Pick<RunView, 'state' | 'kind'>): boolean =>
  ['failed', 'interrupted', 'cancelled'].includes(state) && kind !== 'fleet';

/** `Prerequisites`, `Prerequisites, attempt 2` */
export const stepTitle = (kind: string, { step, attempt }: { step: string; attempt: number }): string =>
  stepLabel(kind, step) + (attempt > 1 ? `, attempt ${attempt}` : '');

/** How long it took; `undefined` while it has no end. An interrupted run has no measured duration, only an end. */
export const tookMs = (
  run: Pick<RunView, 'state' | 'durationMs' | 'startedAt' | 'endedAt'>,
): number | undefined => {
  if (run.durationMs !== undefined || isLive(run)) return run.durationMs;
  return run.startedAt && run.endedAt ? Date.parse(run.endedAt) - Date.parse(run.startedAt) : 0;
};

/** Of the last step that left one. */
export const exitCodeOf = ({ steps }: Pick<RunView, 'steps'>): number | undefined =>
  steps.findLast((step) => step.exitCode !== undefined)?.exitCode;

/** What stands where the output of a run is missing; nothing to say of one that is live, or that printed nothing. */
export const missingOutput = (
  run: Pick<RunView, 'state' | 'steps' | 'outputRemoved'>,
): string | undefined => {
  if (run.outputRemoved) return 'The output was removed.';
  const printed = run.steps.reduce((bytes, { output }) => bytes + (output?.bytes ?? 0), 0);
  return !isLive(run) && printed > 0 ? 'The output is no longer available.' : undefined;
};

/** `memory-usage-web-1-2026-11-20T10-00-00.txt` */
export const outputFilename = ({
  label,
  subject,
  requestedAt,
}: Pick<RunView, 'label' | 'subject' | 'requestedAt'>): string => {
  const plain = (words: string) =>
    words
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
  return `${plain(label)}-${plain(subject.name)}-${requestedAt.slice(0, 19).replaceAll(':', '-')}.txt`;
};

/** The run that stood in the way of another, as the refusal names it. */
export const runInTheWay = (current: unknown): string | undefined => {
  const run =
    typeof current === 'object' && current !== null && 'runId' in current ? current.runId : undefined;
  return typeof run === 'string' ? run : undefined;
};
