/**
 * Edits a data model after a preview: imports a starter or the structure of a real database, or adopts the structure
 * that a database has.
 */
import { Inject, Injectable } from '@nestjs/common';
import { noModel, noStructure, type Rename, type Structure } from '@quarterdeck/data-model';
import { database } from '@quarterdeck/events';
import { closed, DatabaseConnections, readStructure } from '../databases';
import { dataModelOf } from '../entities';
import { DomainError, invalidField } from '../platform/errors';
import { detailOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { ApplyPlans, unusable } from './apply-plans';
import { adoptionOfStructure, importOfStructure, previewOfImport } from './model.jobs';
import { workWith } from './model-work';
import { ModelEdits, type Edited } from './model-edits';
import { Versions } from './versions';
import { versionModels } from './versions.queries';

interface Source {
  product: { id: string };
  /** If absent, the starter is imported. */
  database?: { id: string } | undefined;
}

@Injectable()
export class Importing {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly versions: Versions,
    private readonly databases: DatabaseConnections,
    private readonly applies: ApplyPlans,
    private readonly edits: ModelEdits,
  ) {}

  async preview(source: Source, meta: CommandMeta) {
    const { model, structure } = await this.look(source, meta);
    return workWith(previewOfImport, { model, structure }, [model, structure ?? noStructure]);
  }

  /** @throws DomainError `conflict` if the model or the database has changed since the preview was shown */
  async carryOut(
    { seal, ...source }: Source & { seal?: string | undefined },
    meta: CommandMeta,
  ): Promise<Edited> {
    const earlier = await this.edits.earlier(source.product.id, meta);
    if (earlier) return earlier;
    const { model, structure } = await this.look(source, meta);
    const asked = { model, structure };
    const { adopted, seal: now } = await workWith(importOfStructure, asked, [
      model,
      structure ?? noStructure,
    ]);
    if (seal !== undefined && seal !== now)
      throw new DomainError(
        'conflict',
        'the model or the database has changed since this was shown: look at it again',
      );
    if (adopted.edits.length === 0)
      throw new DomainError(
        'unprocessable',
        'there is nothing to import that the model does not have already',
      );
    return this.edits.carryOut(adopted, source.product.id, meta);
  }

  /**
   * Columns that may have been renamed are adopted as renamed, unless `renames` says which were.
   *
   * @throws DomainError `conflict` if the database has changed since the plan of the version was shown
   */
  async adopt(
    id: string,
    { database: from, seal, renames }: { database: string; seal: string; renames?: Rename[] | undefined },
    meta: CommandMeta,
  ): Promise<Edited> {
    const { product } = await this.versions.version(id, meta.workspace);
    const earlier = await this.edits.earlier(product, meta);
    if (earlier) return earlier;
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
    const { structure } = plan;
    const possible = plan.drift?.renames ?? [];
    for (const [at, { table, from: was, to: is }] of (renames ?? []).entries())
      if (!possible.some((one) => one.table === table && one.from === was && one.to === is))
        throw invalidField(`renames.${at}`, `${table}.${was} cannot have become ${is}`);
    const asked = { model, structure, now, renames: renames ?? possible };
    const adopted = await workWith(adoptionOfStructure, asked, [model, structure, now]);
    return this.edits.carryOut(adopted, product, meta);
  }

  private async look({ product, database: from }: Source, meta: CommandMeta) {
    await this.versions.productName(product.id, meta.workspace);
    const structure = from && (await this.structureIn(from.id, product.id, meta));
    const model = await dataModelOf(this.db, meta.workspace, product.id);
    return { model, structure };
  }

  private async structureIn(id: string, product: string, meta: CommandMeta): Promise<Structure> {
    const found = await detailOf(database, this.db, meta.workspace, id);
    if (found?.['product'] !== product)
      throw invalidField('database.id', 'this product has no such database');
    const target = await this.databases.open(id, meta).catch(unusable);
    return closed(target, readStructure(target)).catch(unusable);
  }
}
