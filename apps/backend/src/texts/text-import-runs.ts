/**
 * An import as a recorded run, with one event for each key: if this process dies, another one does the rest. Its undo is a
 * run as well.
 */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { streamName } from '@quarterdeck/events';
import { same } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { Decisions, followUp } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { type LocalIo, type RunContext, RunEngine, type RunKind } from '../runs';
import type { EditsByKey } from './text.jobs';
import { TextUndo } from './text-undo';
import { Texts, unitIdOf } from './texts';
import { textDecider } from './texts.decider';
import { idsOfKeys } from './texts.queries';

export const IMPORT = 'importTexts';
export const UNDO_IMPORT = 'undoTextImport';

const HOUR_MS = 3_600_000;
const AT_ONCE = 8;
/** Lines of the report about what was left. */
const MAX_LEFT = 100;
const TOLD_EVERY = 500;

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
    const { rows } = await this.db.query<{ edits: string }>(
      'select edits from app.text_imports where run = $1 and workspace = $2',
      [run, workspace],
    );
    const [stored] = rows;
    if (!stored)
      throw new DomainError(
        'unprocessable',
        'the list of what was to be imported is gone: import the file again',
      );
    const product = request.subject.id;
    const isCms = request.input['isCms'] === true;
    const ids = await idsOfKeys(this.db, workspace, product, isCms);
    const edits = Object.entries(JSON.parse(stored.edits) as EditsByKey);
    return eachKey(edits, io, async ([key, byLanguage]) => {
      const known = ids.get(key);
      // The same after a restart, whether or not the read model has the key by then.
      const id = known ?? uuidv5(`text ${key}`, run);
      const given = Object.fromEntries(
        Object.entries(byLanguage).map(([code, one]) => [code, { id: unitIdOf(id, code), ...one }]),
      );
      const named = { product, isCms, key };
      await this.texts.import(id, { ...named, edits: given }, known === undefined, metaFor(key, run, io));
      const { state } = await this.decisions.load(textDecider, id, workspace);
      const units = state.is === 'there' ? state.units : {};
      const left = Object.entries(byLanguage).filter(([code, { to }]) => units[code]?.text !== to);
      return left.map(([code]) => `${key} (${code}): its text has changed since the preview`);
    });
  }

  private async undo({ run, request }: RunContext, io: LocalIo) {
    const undone = request.input['run'] as string;
    const ids = await this.changedBy(undone);
    return eachKey(ids, io, async (id) => {
      try {
        await this.undoing.undoRun(id, undone, metaFor(id, run, io));
        return [];
      } catch (error) {
        if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
        const { state } = await this.decisions.load(textDecider, id, io.meta.workspace);
        return [`${state.is === 'unknown' ? id : state.key}: ${error.msg}`];
      }
    });
  }

  /** Ids of the keys that a run has changed. */
  private async changedBy(run: string): Promise<string[]> {
    const [requested] = await this.store.readStream(streamName('run', run), { limit: 1 });
    const { rows } = await this.db.query<{ id: string }>(
      `select distinct h."subjectId" as id from read.history h
       where ${same('h."correlationId"', '$1')} and h.category = 'text' and h."causationId" = $2 order by 1`,
      [requested?.meta.correlationId, run],
    );
    return rows.map(({ id }) => id);
  }
}

const kindOf = (
  kind: string,
  name: string,
  perform: (context: RunContext, io: LocalIo) => Promise<{ report: Record<string, string> }>,
): RunKind => ({
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

/** Changes several keys at a time. @param change returns what was left as it is, and why */
const eachKey = async <T>(
  all: readonly T[],
  { print, signal }: LocalIo,
  change: (one: T) => Promise<readonly string[]>,
): Promise<{ report: Record<string, string> }> => {
  const queue = all.values();
  const left: string[] = [];
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const one of queue) {
      signal.throwIfAborted();
      try {
        for (const why of await change(one)) told(why);
      } catch (error) {
        if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
        told(`${Array.isArray(one) ? String(one[0]) : String(one)}: ${error.msg}`);
      }
      done += 1;
      if (done % TOLD_EVERY === 0) print(`${done}/${all.length} keys\n`);
    }
  };
  const told = (why: string): void => {
    left.push(why);
    print(`Left as it is: ${why}\n`);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  print(`${done}/${all.length} keys\n`);
  const some = left.slice(0, MAX_LEFT);
  return {
    report: {
      keys: String(all.length),
      left: String(left.length),
      ...(some.length > 0 && { leftAsIs: some.join('\n') }),
    },
  };
};
