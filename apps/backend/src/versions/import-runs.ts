/**
 * An import into a data model, as a recorded run: it reads the tables, and then records them. If this process dies, another
 * one does the rest.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Answer, versions as calls } from '@quarterdeck/contract';
import type { Adopted } from '@quarterdeck/data-model';
import type { Position } from '@quarterdeck/events';
import { Decisions } from '../platform/decisions';
import { DomainError, notFound, statusOf, type DomainErrorCode } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import {
  afterGrace,
  type LocalIo,
  type RecordedRun,
  type RunContext,
  RunEngine,
  type RunRequest,
  runsDecider,
} from '../runs';
import { ImportSources, type Source } from './import-sources';
import type { Edited } from './model-edits';
import { importOfStructure } from './model.jobs';
import { ModelRecording, reportOf } from './model-recording';
import { workWith } from './model-work';

export interface AskedImport extends Source {
  /** Of the preview that the operator reviewed. */
  seal?: string | undefined;
}

const KIND = 'importModel';
const MINUTE_MS = 60_000;
/** How long an answer waits for the read models. */
const SHOWN_MS = 2000;

@Injectable()
export class ImportRuns implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly sources: ImportSources,
    private readonly recording: ModelRecording,
    private readonly runs: RunEngine,
    private readonly decisions: Decisions,
  ) {}

  onModuleInit(): void {
    const step = { on: 'console', repeatable: true } as const;
    this.runs.register({
      kind: KIND,
      changes: true,
      steps: [
        {
          ...step,
          name: 'read',
          timeoutMs: 10 * MINUTE_MS,
          perform: (context, io) => this.read(context, io),
        },
        {
          ...step,
          name: 'record',
          timeoutMs: 60 * MINUTE_MS,
          perform: (context, io) => this.record(context, io),
        },
      ],
    });
  }

  /** @throws DomainError if there is no such product or database, or other work on the model is under way */
  async start(
    run: string,
    { product, database, seal }: AskedImport,
    meta: CommandMeta,
  ): Promise<{ runId: string; position: Position }> {
    const name = await this.sources.judge({ product, database }, meta.workspace);
    const subject = { kind: 'product', id: product.id, name };
    const input = { ...(database && { database: { id: database.id } }), ...(seal !== undefined && { seal }) };
    return this.runs.start(run, KIND, { subject, input }, meta);
  }

  /** What the run did, when it has ended. @throws DomainError with the reason why it did not succeed */
  async outcome(run: string, workspace: string): Promise<Edited> {
    const { end, lastStep, position } = await this.runs.ended(run, workspace);
    if (end.is !== 'succeeded') throw new DomainError(codeOf(end), end.reason);
    const { edits, refused } = lastStep?.report ?? {};
    const left = (await this.stored(run, workspace))?.left_out ?? '[]';
    return {
      run,
      edits: Number(edits),
      left: [...(JSON.parse(left) as string[]), ...linesOf(refused)],
      position,
    };
  }

  /** @throws DomainError `notFound` if the run is no import */
  async detail(run: string, workspace: string): Promise<Answer<typeof calls.importDetail>> {
    const { state, position } = await this.decisions.load(runsDecider, run, workspace);
    if (state.is === 'unknown' || state.request.kind !== KIND) throw notFound('import');
    const stored = await this.stored(run, workspace);
    const far = stored && { tables: stored.tables, recorded: stored.recorded };
    if (state.is === 'open') return { state: 'open', ...far, left: [] };
    // Whoever is told that it has ended reads the entities next.
    await this.projections.waitFor(position, SHOWN_MS);
    const { end, steps } = state;
    const { edits, refused } = steps.at(-1)?.finished?.report ?? {};
    return {
      state: end.is,
      ...far,
      ...('reason' in end && { reason: end.reason }),
      ...(edits !== undefined && { edits: Number(edits) }),
      left: [...(JSON.parse(stored?.left_out ?? '[]') as string[]), ...linesOf(refused)],
    };
  }

  private async read({ run, request }: RunContext, io: LocalIo) {
    const { workspace } = io.meta;
    const { database, seal } = inputOf(request);
    // The step may have ended before, without a record of its end.
    if (!(await this.stored(run, workspace))) {
      const source = { product: { id: request.subject.id }, database };
      const { model, answers } = await this.sources.look(source, io.meta, afterGrace(io.signal));
      const {
        adopted,
        seal: now,
        problem,
        tables,
        columns,
      } = await workWith(importOfStructure, { model, answers }, [model, answers ?? []]);
      io.print(answers ? `Read ${tables} tables with ${columns} columns.\n` : 'Took the starter.\n');
      if (seal !== undefined && seal !== now)
        throw new DomainError(
          'conflict',
          'the model or the database has changed since this was shown: look at it again',
        );
      // Before anything is recorded: half an import helps nobody.
      if (problem !== undefined) throw new DomainError('unprocessable', problem);
      if (adopted.edits.length === 0)
        throw new DomainError(
          'unprocessable',
          'there is nothing to import that the model does not have already',
        );
      await this.store(run, workspace, adopted);
    }
    const { tables, left_out: left } = kept(await this.stored(run, workspace));
    const leftOut = (JSON.parse(left) as string[]).length;
    return { report: { tables: String(tables), ...(leftOut > 0 && { 'left out': String(leftOut) }) } };
  }

  private async record(context: RunContext, io: LocalIo) {
    const { run } = context;
    const { rows } = await this.db.query<{ edits: string }>(
      'select edits from app.model_imports where run = $1 and workspace = $2',
      [run, io.meta.workspace],
    );
    const recorded = await this.recording.perform(
      JSON.parse(kept(rows[0]).edits) as Adopted['edits'],
      context,
      io,
      (tables) => this.db.query('update app.model_imports set recorded = $2 where run = $1', [run, tables]),
    );
    return { report: reportOf(recorded) };
  }

  /** Lists of runs that ended long ago go: the events say what those did. */
  private async store(run: string, workspace: string, { edits, left }: Adopted): Promise<void> {
    const tables = edits.filter((edit) => edit.do === 'addEntity').length;
    await this.db.query(`delete from app.model_imports where stored_at < now() - interval '30 days'`);
    await this.db.query(
      `insert into app.model_imports (run, workspace, edits, left_out, tables) values ($1, $2, $3, $4, $5)
       on conflict (run) do nothing`,
      [run, workspace, JSON.stringify(edits), JSON.stringify(left), tables],
    );
  }

  private async stored(run: string, workspace: string): Promise<Stored | undefined> {
    const { rows } = await this.db.query<Stored>(
      'select left_out, tables, recorded from app.model_imports where run = $1 and workspace = $2',
      [run, workspace],
    );
    return rows[0];
  }
}

const kept = <T>(stored: T | undefined): T => {
  if (stored) return stored;
  throw new DomainError(
    'unprocessable',
    'the list of what was to be imported is gone: import the database again',
  );
};

const codeOf = (end: RecordedRun['end']): DomainErrorCode =>
  end.is === 'failed' && Object.hasOwn(statusOf, end.code) ? (end.code as DomainErrorCode) : 'unprocessable';

interface Stored {
  left_out: string;
  tables: number;
  recorded: number;
}

/** Only `start` makes this input. */
const inputOf = ({ input }: RunRequest) => input as Omit<AskedImport, 'product'>;

const linesOf = (text: string | undefined): string[] => text?.split('\n') ?? [];
