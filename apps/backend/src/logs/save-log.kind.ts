/** A piece of logs is kept as the output of a run, with its hash. */
import { MAX_PAST_LINES, type LogSource } from '@quarterdeck/events/inputs';
import { DomainError } from '../platform/errors';
import { StepFailed, type RunKind } from '../runs';
import type { LogPast, LogQuery } from './log-past';

const STEP_MS = 180_000;

export interface SaveInput extends LogQuery {
  sources: LogSource[];
  /** As shown to people, in the order of `sources`. */
  names: string[];
  [other: string]: unknown;
}

const LEVEL_WIDTH = 7;

export const saveLog = (past: LogPast): RunKind => ({
  kind: 'saveLog',
  changes: false,
  steps: [
    {
      name: 'log',
      on: 'console',
      timeoutMs: STEP_MS,
      repeatable: true,
      perform: async ({ request }, { print, signal, meta: { workspace } }) => {
        const { sources, names, ...query } = request.input as unknown as SaveInput;
        const server = request.subject.id;
        try {
          const all = [];
          for (const [at, source] of sources.entries()) {
            const { lines, left } = await past.read({ workspace, server, source }, query, signal);
            const name = names[at] ?? source.kind;
            if (left !== undefined) print(`# ${name}: ${left}\n`);
            for (const line of lines) all.push({ ...line, name, time: Date.parse(line.at) || 0 });
          }
          const sorted = all.toSorted((one, other) => one.time - other.time);
          for (const { at, name, level, text } of sorted) {
            const of = sources.length > 1 ? ` ${name}` : '';
            print(`${at}${of} ${(level === 'none' ? '-' : level).padEnd(LEVEL_WIDTH)} ${text}\n`);
          }
          return { report: { lines: String(sorted.length) } };
        } catch (error) {
          if (error instanceof DomainError) throw new StepFailed('log', error.msg);
          throw error;
        }
      },
    },
  ],
  // As much as the answers about the past that it consists of.
  outputLimit: MAX_PAST_LINES * 4 * 1024,
});
