/**
 * An import as a recorded run, with one event for each key: if this process dies, another one does the rest. Its undo is a
 * run as well.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { same, timeOf } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import type { Decision } from '../platform/decider';
import { Decisions, followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { type LocalIo, type RunContext, RunEngine, type RunKind } from '../runs';
import type { EditsByKey } from './text.jobs';
import { ImportProgress } from './text-import-progress';
import { TextUndo } from './text-undo';
import { type KeyImport, Texts, unitIdOf } from './texts';
import { textDecider } from './texts.decider';
import { idsOfKeys } from './texts.queries';

export const IMPORT = 'importTexts';
export const UNDO_IMPORT = 'undoTextImport';

const HOUR_MS = 3_600_000;
/** Keys that an undo changes at a time. */
const UNDONE_AT_ONCE = 32;

type Perform = (context: RunContext, io: LocalIo) => Promise<{ report: Record<string, string> }>;

@Injectable()
export class TextImportRuns implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly runs: RunEngine,
    private readonly decisions: Decisions,
    private readonly texts: Texts,
    private readonly undoing: TextUndo,
  ) {}

  onModuleInit(): void {
    this.runs.register(kindOf(IMPORT, 'import', (context, io) => this.import(context, io)));
    this.runs.register(kindOf(UNDO_IMPORT, 'undo', (context, io) => this.undo(context, io)));
  }

  private async import({ run, request }: RunContext, io: LocalIo) {
    const { workspace } = io.meta;
    const { rows: parts } = await this.db.query<{ part: number }>(
      'select part from app.text_imports where run = $1 and workspace = $2 order by part',
      [run, workspace],
    );
    if (parts.length === 0)
      throw new DomainError(
        'unprocessable',
        'the list of what was to be imported is gone: import the file again',
      );
    const named = { product: request.subject.id, isCms: request.input['isCms'] === true };
    const ids = await idsOfKeys(this.db, workspace, named.product, named.isCms);
    const progress = new ImportProgress(io, Number(request.input['keys']));
    for (const { part } of parts) {
      io.signal.throwIfAborted();
      const edits = Object.entries(await this.editsOf(run, part));
      const changes = edits.map(([key, byLanguage]): KeyImport => {
        // The same after a restart, whether or not the read model has the key by then.
        const id = ids.get(key) ?? uuidv5(`text ${key}`, run);
        const given = Object.entries(byLanguage).map(([code, one]) => [
          code,
          { id: unitIdOf(id, code), ...one },
        ]);
        return { ...named, key, id, edits: Object.fromEntries(given), meta: metaFor(key, run, io) };
      });
      await this.importPart(changes, ids, progress, workspace);
    }
    return progress.end();
  }

  private async importPart(
    changes: readonly KeyImport[],
    known: ReadonlyMap<string, string>,
    progress: ImportProgress,
    workspace: string,
  ): Promise<void> {
    const load = ({ id }: KeyImport) => this.decisions.load(textDecider, id, workspace);
    const before = await Promise.all(
      changes.map((one) => (known.has(one.key) ? load(one) : Promise.resolve(undefined))),
    );
    const results = await this.texts.import(changes, workspace);
    for (const [at, change] of changes.entries()) {
      const decision = progress.done(change.key, results[at]!);
      if (!decision) continue;
      const found = before[at];
      const [{ state } = { state: textDecider.initial }, hasChanged] = isNextTo(decision, found?.revision)
        ? [found, false]
        : [await load(change), true];
      const units = state.is === 'there' ? state.units : {};
      for (const [code, { from, to }] of Object.entries(change.edits)) {
        const now = units[code]?.text;
        if (now !== to && (hasChanged || now !== from))
          progress.leave(`${change.key} (${code}): its text has changed since the preview`);
      }
    }
  }

  private async undo({ run, request }: RunContext, io: LocalIo) {
    const undone = request.input['run'] as string;
    const ids = await this.changedBy(undone);
    const progress = new ImportProgress(io, ids.length);
    for (let at = 0; at < ids.length; at += UNDONE_AT_ONCE) {
      io.signal.throwIfAborted();
      const some = ids.slice(at, at + UNDONE_AT_ONCE);
      const results = await Promise.allSettled(
        some.map((id) => this.undoing.undoRun(id, undone, metaFor(id, run, io))),
      );
      for (const [index, result] of results.entries())
        progress.done(await this.nameOf(some[index]!, result, io), result);
    }
    return progress.end();
  }

  /** For a refusal: an undo knows its keys by their ids. */
  private async nameOf(id: string, { status }: PromiseSettledResult<unknown>, { meta }: LocalIo) {
    if (status === 'fulfilled') return id;
    const { state } = await this.decisions.load(textDecider, id, meta.workspace);
    return state.is === 'unknown' ? id : state.key;
  }

  private async editsOf(run: string, part: number): Promise<EditsByKey> {
    const { rows } = await this.db.query<{ edits: string }>(
      'select edits from app.text_imports where run = $1 and part = $2',
      [run, part],
    );
    return JSON.parse(rows[0]?.edits ?? '{}') as EditsByKey;
  }

  /** Ids of the keys that a run has changed. */
  private async changedBy(run: string): Promise<string[]> {
    const [requested] = await this.store.readStream(streamName('run', run), { limit: 1 });
    const { rows } = await this.db.query<{ id: string }>(
      `select distinct h."subjectId" as id from read.history h
       where ${same('h."correlationId"', '$1', timeOf)} and h.category = 'text' and h."causationId" = $2 order by 1`,
      [requested?.meta.correlationId, run],
    );
    return rows.map(({ id }) => id);
  }
}

/** Whether it was decided on exactly this revision. -1: on a stream that did not exist. */
const isNextTo = ({ revision, written }: Decision, seen = -1): boolean => revision - written === seen;

const kindOf = (kind: string, name: string, perform: Perform): RunKind => ({
  kind,
  changes: true,
  steps: [{ name, on: 'console', timeoutMs: HOUR_MS, repeatable: true, perform }],
});

/** A repeated change has the same command id, so it is recorded only once. */
const metaFor = (what: string, run: string, { meta }: LocalIo): CommandMeta => ({
  ...followUp(meta, run),
  commandId: uuidv5(`change ${what}`, run),
  keyed: true,
});
