/** Generates versions of the data model of a product, and compares versions. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type Model, noModel, type VersionModel } from '@quarterdeck/data-model';
import { product as productNoun } from '@quarterdeck/events';
import { v5 as uuidv5 } from 'uuid';
import { additionsOf, dataModelOf } from '../entities';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { notFound } from '../platform/errors';
import { detailOf } from '../platform/kit';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { ExclusiveRuns } from '../runs';
import {
  differenceOfModels,
  type Download,
  downloadOfVersion,
  filesOfVersion,
  nextVersion,
  originsOfAttributes,
} from './model.jobs';
import { workWith } from './model-work';
import {
  GenerateVersion,
  MoveVersion,
  RemoveVersion,
  RestoreVersion,
  versionsDecider,
} from './versions.decider';
import { newestVersion, versionDetail, versionModels, versionTexts } from './versions.queries';

/** One stream per version number of a product, so two operators cannot generate the same version. */
const versionId = (product: string, sequenceIndex: number): string =>
  uuidv5(`version ${sequenceIndex}`, product);

@Injectable()
export class Versions {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly commands: CommandBus,
    private readonly exclusive: ExclusiveRuns,
    private readonly decisions: Decisions,
  ) {}

  async pending(product: string, workspace: string) {
    const { last, now, next } = await this.newestAndNow(product, workspace);
    return {
      last: last?.sequenceIndex ?? 0,
      ...(await shownDifference(last?.model ?? noModel, now, next)),
    };
  }

  /** @param to if absent, the current model */
  async difference(product: string, from: number, to: number | undefined, workspace: string) {
    const { now, next } = await this.newestAndNow(product, workspace);
    const asked = to === undefined ? [from] : [from, to];
    const versions = await versionModels(this.db, workspace, product, asked);
    const after = to === undefined ? now : modelAt(versions, to);
    return shownDifference(modelAt(versions, from), after, to ?? next);
  }

  /** Only attributes that are still in the model. The history shows who removed the others. */
  async origins(id: string, workspace: string) {
    const { product, sequenceIndex } = await this.version(id, workspace);
    const [versions, added] = await Promise.all([
      versionTexts(this.db, workspace, product, [1, sequenceIndex], 'model'),
      additionsOf(this.db, workspace, product),
    ]);
    const origins = await workWith(originsOfAttributes, { versions }, [versions]);
    return origins.flatMap((origin) => {
      const found = added.get(origin.attribute.id);
      return found ? [{ ...origin, ...found }] : [];
    });
  }

  /** Number of the version that would be generated now, or the sentence that says why there cannot be one. */
  async next(product: string, workspace: string): Promise<number | string> {
    const { last, now: model, next: sequenceIndex } = await this.newestAndNow(product, workspace);
    const large = [last?.model ?? noModel, model];
    const version = await workWith(nextVersion, { last, model, sequenceIndex }, large);
    return typeof version === 'string' ? version : sequenceIndex;
  }

  /** @throws DomainError `unprocessable` if nothing has changed since the last version, or the model has problems */
  create(product: string, meta: CommandMeta): Promise<Decision> {
    return this.alone(product, meta, async () => {
      const { last, now: model, next: sequenceIndex } = await this.newestAndNow(product, meta.workspace);
      const id = versionId(product, sequenceIndex);
      const idOf = (migration: number): string => uuidv5(`migration ${migration}`, id);
      const large = [last?.model ?? noModel, model];
      const version = await workWith(nextVersion, { last, model, sequenceIndex }, large);
      const after = last?.sequenceIndex ?? 0;
      return this.commands.execute(
        new GenerateVersion(id, { product, sequenceIndex, after, version, idOf }, meta),
      );
    });
  }

  async move(id: string, env: number, meta: CommandMeta): Promise<Decision> {
    await this.version(id, meta.workspace);
    return this.commands.execute(new MoveVersion(id, { env }, meta));
  }

  /**
   * A run that is about to apply the version fails before its first statement, because the version's stream refuses it.
   */
  async remove(id: string, meta: CommandMeta): Promise<Decision> {
    const { product } = await this.version(id, meta.workspace);
    return this.alone(product, meta, async () => {
      const newest = (await this.newest(product, meta.workspace))?.sequenceIndex ?? 0;
      return this.commands.execute(new RemoveVersion(id, { newest }, meta));
    });
  }

  restore(id: string, product: string, meta: CommandMeta): Promise<Decision> {
    return this.alone(product, meta, async () =>
      this.commands.execute(await this.restoring(id, product, meta)),
    );
  }

  /** The command that restores a removed version. */
  async restoring(id: string, product: string, meta: CommandMeta): Promise<RestoreVersion> {
    const newest = (await this.newest(product, meta.workspace))?.sequenceIndex ?? 0;
    return new RestoreVersion(id, { newest }, meta);
  }

  async newest(product: string, workspace: string) {
    await this.productName(product, workspace);
    return newestVersion(this.db, workspace, product);
  }

  /** A download, with the words for its name. */
  async download(id: string, file: Download, workspace: string) {
    const { product, version, versions } = await this.upTo(id, workspace);
    const content = await workWith(downloadOfVersion, { versions, product, file }, [versions]);
    return { product, version, content };
  }

  /** All files of a version, by path. */
  async files(id: string, workspace: string): Promise<Record<string, string>> {
    const { product, versions } = await this.upTo(id, workspace);
    return workWith(filesOfVersion, { versions, product }, [versions]);
  }

  /** A version and all before it, with the name of their product. */
  private async upTo(id: string, workspace: string) {
    const { product: of, sequenceIndex: version } = await this.version(id, workspace);
    const [product, versions] = await Promise.all([
      this.productName(of, workspace),
      versionTexts(this.db, workspace, of, [1, version]),
    ]);
    return { product, version, versions };
  }

  /** @throws DomainError `notFound` */
  async version(id: string, workspace: string) {
    const found = await versionDetail(this.db, workspace, id);
    if (!found) throw notFound('version');
    return found;
  }

  /** @throws DomainError `notFound` */
  async productName(id: string, workspace: string): Promise<string> {
    const found = await detailOf(productNoun, this.db, workspace, id);
    if (!found) throw notFound('product');
    return String(found['name']);
  }

  /** Runs `work` while no other version of the product is added or removed, and no import is in progress. */
  private async alone<T>(product: string, { workspace }: CommandMeta, work: () => Promise<T>): Promise<T> {
    const name = await this.productName(product, workspace);
    return this.exclusive.withLock({ kind: 'product', id: product, name }, workspace, work);
  }

  /** The newest version, the current model, and the number of the next version. */
  private async newestAndNow(product: string, workspace: string) {
    const [last, now] = await Promise.all([
      this.newest(product, workspace),
      dataModelOf(this.db, workspace, product),
    ]);
    const isRemoved = async (number: number): Promise<boolean> =>
      (await this.decisions.load(versionsDecider, versionId(product, number), workspace)).state.is ===
      'removed';
    let next = (last?.sequenceIndex ?? 0) + 1;
    while (await isRemoved(next)) next += 1;
    return { last, now, next };
  }
}

/**
 * 0 returns the empty model.
 * @throws DomainError `notFound`
 */
const modelAt = (versions: readonly VersionModel[], sequenceIndex: number): Model => {
  if (sequenceIndex === 0) return noModel;
  const found = versions.find((version) => version.sequenceIndex === sequenceIndex);
  if (!found) throw notFound('version');
  return found.model;
};

/** @param version the number in the file names */
const shownDifference = (before: Model, after: Model, version: number) =>
  workWith(differenceOfModels, { before, after, version }, [before, after]);
