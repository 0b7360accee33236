/** Previews of imports into a data model, the starter, and adopting the structure that a database has. */
import { Inject, Injectable } from '@nestjs/common';
import { noModel, type Rename } from '@quarterdeck/data-model';
import { dataModelOf } from '../entities';
import { DomainError, invalidField } from '../platform/errors';
import { type CommandMeta, idFor } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { ApplyPlans } from './apply-plans';
import { ImportRuns } from './import-runs';
import { ImportSources, type Source } from './import-sources';
import { adoptionOfStructure, previewOfImport } from './model.jobs';
import { workWith } from './model-work';
import { ModelEdits, type Edited } from './model-edits';
import { Versions } from './versions';
import { versionModels } from './versions.queries';

@Injectable()
export class Importing {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly versions: Versions,
    private readonly sources: ImportSources,
    private readonly imports: ImportRuns,
    private readonly applies: ApplyPlans,
    private readonly edits: ModelEdits,
  ) {}

  /** @throws DomainError `unprocessable` if the model would become too large */
  async preview(source: Source, meta: CommandMeta) {
    const { model, answers } = await this.sources.look(source, meta);
    const { problem, ...preview } = await workWith(previewOfImport, { model, answers }, [
      model,
      answers ?? [],
    ]);
    if (problem !== undefined) throw new DomainError('unprocessable', problem);
    return preview;
  }

  /**
   * Imports the starter, and answers when it is in the model.
   * @throws DomainError `conflict` if the model has changed since the preview, `unprocessable` if it has everything
   */
  async starter(product: string, meta: CommandMeta): Promise<Edited> {
    const { runId } = await this.imports.start(idFor('run', meta), { product: { id: product } }, meta);
    return this.imports.outcome(runId, meta.workspace);
  }

  /**
   * Columns that may have been renamed are adopted as renamed, unless `renames` says which were.
   *
   * @throws DomainError `conflict` if the database has changed since the plan of the version was shown, `unprocessable`
   *   if no edit was made
   */
  async adopt(
    id: string,
    { database: from, seal, renames }: { database: string; seal: string; renames?: Rename[] | undefined },
    meta: CommandMeta,
  ): Promise<Edited> {
    const { product } = await this.versions.version(id, meta.workspace);
    const earlier = await this.edits.earlier(product, meta);
    if (earlier) return done(earlier);
    const plan = await this.applies.look(id, from, meta);
    if (plan.seal !== seal)
      throw new DomainError('conflict', 'the database has changed since it was shown: look at it again');
    if (plan.stopped)
      throw new DomainError('conflict', `${plan.stopped} Apply or repair it first, then adopt.`);
    const [[version], now] = await Promise.all([
      versionModels(this.db, meta.workspace, product, [plan.from]),
      dataModelOf(this.db, meta.workspace, product),
    ]);
    const model = version?.model ?? noModel;
    const { answers } = plan;
    const possible = plan.drift?.renames ?? [];
    for (const [at, { table, from: was, to: is }] of (renames ?? []).entries())
      if (!possible.some((one) => one.table === table && one.from === was && one.to === is))
        throw invalidField(`renames.${at}`, `${table}.${was} cannot have become ${is}`);
    const asked = { model, answers, now, renames: renames ?? possible };
    const adopted = await workWith(adoptionOfStructure, asked, [model, answers, now]);
    return done(await this.edits.carryOut(adopted, product, meta));
  }
}

/** What an import leaves alone was never asked for. */
function done(edited: Edited): Edited {
  if (edited.edits > 0) return edited;
  const reasons = edited.left.filter((one) => !one.endsWith(' is left alone.'));
  throw new DomainError(
    'unprocessable',
    reasons.length === 0
      ? 'nothing was adopted: the model has all of this already'
      : `nothing was adopted: ${reasons.join(' ')}`,
  );
}
