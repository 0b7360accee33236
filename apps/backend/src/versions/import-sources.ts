/** What an import reads: a starter, or the structure of a real database, beside the model that gets it. */
import { Inject, Injectable } from '@nestjs/common';
import type { DatabaseAnswers, Model } from '@quarterdeck/data-model';
import { database } from '@quarterdeck/events';
import { closed, DatabaseConnections, readAnswers } from '../databases';
import { dataModelOf } from '../entities';
import { invalidField } from '../platform/errors';
import { detailOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { unusable } from './apply-plans';
import { Versions } from './versions';

export interface Source {
  product: { id: string };
  /** If absent, the starter is imported. */
  database?: { id: string } | undefined;
}

@Injectable()
export class ImportSources {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly versions: Versions,
    private readonly databases: DatabaseConnections,
  ) {}

  /**
   * The name of the product.
   * @throws DomainError if there is no such product, or it has no such database
   */
  async judge({ product, database: from }: Source, workspace: string): Promise<string> {
    const name = await this.versions.productName(product.id, workspace);
    const found = from && (await detailOf(database, this.db, workspace, from.id));
    if (from && found?.['product'] !== product.id)
      throw invalidField('database.id', 'this product has no such database');
    return name;
  }

  /** @param signal closes the connection when it is aborted */
  async look(
    source: Source,
    meta: CommandMeta,
    signal?: AbortSignal,
  ): Promise<{ model: Model; answers: DatabaseAnswers | undefined }> {
    await this.judge(source, meta.workspace);
    const answers = source.database && (await this.answersOf(source.database.id, meta, signal));
    return { model: await dataModelOf(this.db, meta.workspace, source.product.id), answers };
  }

  private async answersOf(id: string, meta: CommandMeta, signal?: AbortSignal): Promise<DatabaseAnswers> {
    const target = await this.databases.open(id, meta, signal).catch(unusable);
    return closed(target, readAnswers(target)).catch(unusable);
  }
}
