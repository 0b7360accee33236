/** A run on paper: its facts, its steps and all lines of its output. Pure. */
import type { RunView } from '@quarterdeck/projections';
import { runTitle, stepTitle, tookMs } from '../../records/runs';
import { absoluteTime, durationInWords } from '../../ui/RelativeTime';
import type { PrintedDocument } from '../../ui/use-print';

export const printedRun = (
  run: RunView,
  text: string,
  nameOf: (actor: string) => string,
): PrintedDocument => {
  const took = tookMs(run);
  return {
    title: runTitle(run),
    facts: [
      ['State', run.state],
      ...(run.reason ? [['Reason', run.reason] as const] : []),
      ['Subject', run.subject.name],
      ['Requested', absoluteTime(run.requestedAt)],
      ['Requested by', nameOf(run.requestedBy)],
      ...(run.startedAt ? [['Started', absoluteTime(run.startedAt)] as const] : []),
      ...(run.endedAt ? [['Ended', absoluteTime(run.endedAt)] as const] : []),
      ...(took === undefined ? [] : [['Took', durationInWords(took)] as const]),
      ['Run', run.id],
    ],
    table: {
      head: ['Step', 'State', 'Started', 'Took', 'Exit code'],
      rows: run.steps.map((step) => [
        stepTitle(run.kind, step),
        step.state,
        absoluteTime(step.startedAt),
        step.durationMs === undefined ? '' : durationInWords(step.durationMs),
        String(step.exitCode ?? ''),
      ]),
    },
    text,
  };
};
