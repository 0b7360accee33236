/** Imports of files of texts: first as a preview, then as one run. */
import { Inject, Injectable } from '@nestjs/common';
import type { Answer, InputOf, texts as calls } from '@quarterdeck/contract';
import type { Position } from '@quarterdeck/events';
import { transaction } from '../platform/database';
import { conflict, DomainError, invalidField, notFound } from '../platform/errors';
import { Decisions } from '../platform/decisions';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { RunEngine, runsDecider } from '../runs';
import { compareFile, type Preview } from './text.jobs';
import { workOn } from './text-work';
import { IMPORT, UNDO_IMPORT } from './text-import-runs';
import { countOfKeys, entriesOfProduct, lengthOf, requireProduct } from './texts.queries';
import { MAX_KEYS } from './texts';

type ImportRequest = InputOf<typeof calls.preview>;
/** How long an answer waits for the read models. */
const SHOWN_MS = 2000;

interface Started {
  runId: string;
  position: Position;
}

@Injectable()
export class TextImport {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    private readonly runs: RunEngine,
    private readonly decisions: Decisions,
  ) {}

  async preview(asked: ImportRequest, { workspace }: CommandMeta): Promise<Preview> {
    return (await this.look(asked, workspace)).preview;
  }

  /**
   * @param asked `seen` is from the preview that the operator reviewed
   * @throws DomainError `conflict` with the current preview if the import would now do something else
   */
  async carryOut({ seen, ...asked }: ImportRequest & { seen: string }, meta: CommandMeta): Promise<Started> {
    const { product, preview, parts } = await this.look(asked, meta.workspace);
    if (seen !== preview.seen)
      throw conflict(
        'the texts have changed in the meantime: review again what the import would do',
        preview,
      );
    const { counts } = preview;
    if (counts.keys === 0)
      throw new DomainError('unprocessable', 'there is nothing to import: all texts are as in the file');
    const { product: of, isCms = false, name: file } = asked;
    const keys = await countOfKeys(this.db, meta.workspace, of.id, isCms);
    if (keys + counts.newKeys > MAX_KEYS)
      throw invalidField(
        'content',
        `a product can have at most ${MAX_KEYS} keys: it has ${keys}, the file adds ${counts.newKeys}`,
      );
    const run = idFor('run', meta);
    await this.store(run, meta.workspace, parts);
    const subject = { kind: 'product', id: of.id, name: product.name };
    return this.runs.start(run, IMPORT, { subject, input: { isCms, file, keys: counts.keys } }, meta);
  }

  /** Undoes an import, or the undo of one. @throws DomainError `notFound` */
  async undo(run: string, meta: CommandMeta): Promise<Started> {
    const { state } = await this.decisions.load(runsDecider, run, meta.workspace);
    if (state.is === 'unknown' || ![IMPORT, UNDO_IMPORT].includes(state.request.kind))
      throw notFound('import');
    if (state.is === 'open')
      throw new DomainError('conflict', 'this import is still under way: wait for its end, or cancel it');
    const { subject } = state.request;
    return this.runs.start(idFor('run', meta), UNDO_IMPORT, { subject, input: { run } }, meta);
  }

  async detail(run: string, workspace: string): Promise<Answer<typeof calls.importDetail>> {
    const { state, position } = await this.stateOf(run, workspace);
    if (state.is === 'open') return { state: 'open', leftAsIs: [] };
    // Whoever is told that it has ended reads the texts next.
    await this.projections.waitFor(position, SHOWN_MS);
    const { end, steps } = state;
    const { keys, left, leftAsIs } = steps.at(-1)?.finished?.report ?? {};
    return {
      state: end.is,
      ...('reason' in end && { reason: end.reason }),
      ...(keys !== undefined && { keys: Number(keys), left: Number(left) }),
      leftAsIs: leftAsIs?.split('\n') ?? [],
    };
  }

  /** @throws DomainError `notFound` if the run is no import, and no undo of one */
  private async stateOf(run: string, workspace: string) {
    const { state, position } = await this.decisions.load(runsDecider, run, workspace);
    if (state.is === 'unknown' || ![IMPORT, UNDO_IMPORT].includes(state.request.kind))
      throw notFound('import');
    await requireProduct(this.db, workspace, state.request.subject.id);
    return { state, position };
  }

  private async look(
    { product: of, isCms = false, name, content, language, take }: ImportRequest,
    workspace: string,
  ) {
    const product = await requireProduct(this.db, workspace, of.id);
    const entries = await entriesOfProduct(this.db, workspace, of.id, isCms);
    const asked = { name, content, language, take: take ?? ['changed' as const], entries };
    const found = await workOn(compareFile, asked, content.length + lengthOf(entries));
    if ('problem' in found) throw invalidField('content', found.problem);
    return { product, ...found };
  }

  /** Lists of runs that ended long ago go: their events say what they did. */
  private async store(run: string, workspace: string, parts: readonly string[]): Promise<void> {
    await this.db.query(`delete from app.text_imports where stored_at < now() - interval '30 days'`);
    await transaction(this.db, async (client) => {
      for (const [part, edits] of parts.entries())
        await client.query(
          `insert into app.text_imports (run, workspace, part, edits) values ($1, $2, $3, $4)
           on conflict (run, part) do nothing`,
          [run, workspace, part, edits],
        );
    });
  }
}
