/**
 * Applies a version to a database, as a run with one step. The step can be repeated because a journal in the target
 * database records its progress.
 */
import type { Way } from '@quarterdeck/data-model';
import type { DomainCommand } from '../platform/decider';
import { followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import {
  afterGrace,
  type LocalIo,
  type RunContext,
  type RunKind,
  type RunRequest,
  StepFailed,
} from '../runs';
import type { AskedWay } from './apply.jobs';
import { Applying, type Applied, type ApplyDeps } from './applying';
import { ApplyRefused } from './target';
import { RecordApplied, RecordApplyRefused, RecordApplyStarted, RecordBaselined } from './versions.decider';

/** The parts of its plan that a run stores. `id` is the id of the version to apply. */
export interface ApplyInput extends AskedWay {
  id: string;
  product: string;
  seal: string;
  mayDestroy: boolean;
  /** Only records that the database has the version. `from`: the version that it was recorded to have. */
  baseline?: { from: number };
}

/** Only `Applies` creates this input. */
export const inputOf = ({ input }: RunRequest): ApplyInput => input as unknown as ApplyInput;

export interface ApplyKindDeps extends Pick<ApplyDeps, 'outageMs' | 'retryMs'> {
  open(database: string, meta: CommandMeta, signal: AbortSignal): ReturnType<ApplyDeps['open']>;
  way(asked: AskedWay, product: string, workspace: string): Promise<Way>;
  record(command: RecordApplyStarted | RecordApplyRefused): Promise<unknown>;
  isOver(run: string, workspace: string): Promise<boolean>;
  /** @throws DomainError if the version or the database is gone */
  stillFits(version: string, database: string, workspace: string): Promise<void>;
}

const HOURS = 3_600_000;

export const applyKind = (deps: ApplyKindDeps): RunKind => ({
  kind: 'applyVersion',
  changes: true,
  steps: [
    {
      name: 'apply',
      on: 'console',
      perform: (context, io) => perform(deps, context, io),
      timeoutMs: 24 * HOURS,
      repeatable: true,
    },
  ],
  onSuccess: ({ run, request, reports }, meta): DomainCommand => {
    const { id, from, baseline } = inputOf(request);
    const { id: database, name } = request.subject;
    if (baseline)
      return new RecordBaselined(id, { database: { id: database, name }, from: baseline.from, run }, meta);
    const statements = Number(reports['apply']?.['statements']);
    return new RecordApplied(id, { database: { id: database, name }, from, statements, run }, meta);
  },
  stillFits: (request, workspace) => deps.stillFits(inputOf(request).id, request.subject.id, workspace),
});

async function perform(deps: ApplyKindDeps, { run, request }: RunContext, io: LocalIo) {
  const input = inputOf(request);
  await deps.stillFits(input.id, request.subject.id, io.meta.workspace);
  const { product, version, values, seal, mayDestroy } = input;
  const way = await deps.way(wayIn(input), product, io.meta.workspace);
  const { id, name } = request.subject;
  const open = () => deps.open(id, io.meta, afterGrace(io.signal));
  const told = (Command: typeof RecordApplyStarted | typeof RecordApplyRefused) => async () => {
    const data = { database: { id, name }, run };
    await deps.record(new Command(input.id, data, followUp(io.meta, run)));
  };
  const print = (line: string): void => io.print(`${line}\n`);
  const applying = new Applying(
    run,
    { ...way, version, product, database: id, seal, mayDestroy, values },
    {
      ...deps,
      open,
      isOver: (other) => deps.isOver(other, io.meta.workspace),
      started: input.baseline ? () => Promise.resolve() : told(RecordApplyStarted),
      refused: told(RecordApplyRefused),
    },
    { print, signal: io.signal },
  );
  return { report: reportOf(await applying.perform().catch(explain(io.signal))) };
}

const wayIn = ({ from, version, actual, values, completed }: ApplyInput): AskedWay => ({
  from,
  version,
  ...(actual && { actual }),
  ...(values && { values }),
  ...(completed && { completed }),
});

const reportOf = ({ statements, before }: Applied) => ({
  statements: String(statements),
  ...(before > 0 && { 'carried out before': String(before) }),
});

/** Shows error messages of the database to the operator. */
const explain =
  (signal: AbortSignal) =>
  (error: unknown): never => {
    if (signal.aborted || error instanceof DomainError || !(error instanceof Error)) throw error;
    throw new StepFailed(error instanceof ApplyRefused ? 'refused' : 'database', error.message);
  };
