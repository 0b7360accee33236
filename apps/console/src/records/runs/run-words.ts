/** Runs in words. Pure. */
import { kindsOfRuns, runLabel, stepLabel } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';

export { runTitle } from '@quarterdeck/projections';

/** Names of kinds whose runs have individual labels. */
const general: Record<string, string> = {
  command: 'Command',
  script: 'Script',
  fleet: 'Fleet run',
  locationLogs: 'Logs of a location',
  inspectLocation: 'Inspect a location',
  applyVersion: 'Apply version',
  deployService: 'Deploy',
  stopService: 'Stop a service',
  dropletAction: 'Action on a droplet',
};

/** Kinds of runs, for filters and lists. */
export const runKinds: readonly { value: string; label: string }[] = kindsOfRuns.map((kind) => ({
  value: kind,
  label: general[kind] ?? runLabel(kind, {}),
}));

export const kindInWords = (kind: string): string =>
  runKinds.find(({ value }) => value === kind)?.label ?? kind;

export const isLive = ({ state }: Pick<RunView, 'state'>): boolean =>
  state === 'requested' || state === 'running';

/** Only once, because a second request would change nothing. */
export const canCancel = (run: Pick<RunView, 'state' | 'cancelRequested'>): boolean =>
  isLive(run) && run.cancelRequested === undefined;

/** A run on many servers is not retried; instead, a new run is started on the servers where it failed. */
export const canRetry = ({ state, kind }: Pick<RunView, 'state' | 'kind'>): boolean =>
  ['failed', 'interrupted', 'cancelled'].includes(state) && kind !== 'fleet';

/** `Prerequisites`, `Prerequisites, attempt 2` */
export const stepTitle = (kind: string, { step, attempt }: { step: string; attempt: number }): string =>
  stepLabel(kind, step) + (attempt > 1 ? `, attempt ${attempt}` : '');

/** Duration of a run; `undefined` while it runs. For an interrupted run it is computed, because none was recorded. */
export const tookMs = (
  run: Pick<RunView, 'state' | 'durationMs' | 'startedAt' | 'endedAt'>,
): number | undefined => {
  if (run.durationMs !== undefined || isLive(run)) return run.durationMs;
  return run.startedAt && run.endedAt ? Date.parse(run.endedAt) - Date.parse(run.startedAt) : 0;
};

/** Exit code of the last step that has one. */
export const exitCodeOf = ({ steps }: Pick<RunView, 'steps'>): number | undefined =>
  steps.findLast((step) => step.exitCode !== undefined)?.exitCode;

/** Bytes of output that the steps recorded. */
export const printedBytes = ({ steps }: Pick<RunView, 'steps'>): number =>
  steps.reduce((bytes, { output }) => bytes + (output?.bytes ?? 0), 0);

/** Text in place of missing output; `undefined` if the run is live or printed nothing. */
export const missingOutput = (
  run: Pick<RunView, 'state' | 'steps' | 'outputRemoved'>,
): string | undefined => {
  if (run.outputRemoved) return 'The output was removed.';
  return !isLive(run) && printedBytes(run) > 0 ? 'The output is no longer available.' : undefined;
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

/** `web-1`, `Docker prune`, `It is next in line.` */
export const waitsInWords = (
  { server, subject }: Pick<RunView, 'server' | 'subject'>,
  { label, of, place }: NonNullable<RunView['waitsFor']>,
): { where: string; what: string; place: string } => {
  const where = server?.name ?? subject.name;
  return {
    where,
    what: of === where ? label : `${label} of ${of}`,
    place: place === 1 ? 'It is next in line.' : `It has place ${place} in line.`,
  };
};

/** `Docker prune is under way. It is next in line.` */
export const waitsInFewWords = (
  run: Pick<RunView, 'server' | 'subject' | 'waitsFor'>,
): string | undefined => {
  if (!run.waitsFor) return undefined;
  const { what, place } = waitsInWords(run, run.waitsFor);
  return `${what} is under way. ${place}`;
};

/** The id of the conflicting run, if the refusal names one. */
export const runInTheWay = (current: unknown): string | undefined => {
  const run =
    typeof current === 'object' && current !== null && 'runId' in current ? current.runId : undefined;
  return typeof run === 'string' ? run : undefined;
};
