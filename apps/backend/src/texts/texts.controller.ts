import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { texts as calls, type InputOf } from '@quarterdeck/contract';
import { completenessByDay, completenessOf } from './completeness';
import { Answers, type Asker, done, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { DB, type Pool } from '../platform/tokens';
import { TextExport } from './text-export';
import { TextHistory } from './text-history';
import { TextImport } from './text-import';
import { Texts } from './texts';
import { requireProduct, textDetail, textPage, textRows } from './texts.queries';

@Controller()
export class TextsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly texts: Texts,
    private readonly history: TextHistory,
    private readonly imports: TextImport,
    private readonly exports: TextExport,
  ) {}

  @Answers(calls.list)
  async list({ id, isCms = false }: InputOf<typeof calls.list>, { session: { workspace } }: Asker) {
    await requireProduct(this.db, workspace, id);
    return textRows(this.db, workspace, id, isCms);
  }

  @Answers(calls.page)
  async page(asked: InputOf<typeof calls.page>, { session: { workspace } }: Asker) {
    await requireProduct(this.db, workspace, asked.product.id);
    return textPage(this.db, workspace, asked);
  }

  @Answers(calls.detail)
  async detail({ uuid, isCms }: InputOf<typeof calls.detail>, { session: { workspace } }: Asker) {
    const found = await textDetail(this.db, workspace, uuid);
    if (!found || (isCms !== undefined && found.isCms !== isCms)) throw notFound('text');
    return found;
  }

  @Answers(calls.insert)
  async insert(asked: InputOf<typeof calls.insert>, { meta }: Asker) {
    return done(await this.texts.add(asked, meta));
  }

  @Answers(calls.update)
  async update(asked: InputOf<typeof calls.update>, { meta }: Asker) {
    return done(await this.texts.revise(asked, meta));
  }

  @Answers(calls.delete)
  async delete({ uuid }: InputOf<typeof calls.delete>, { meta }: Asker) {
    return done(await this.texts.remove(uuid, meta));
  }

  @Answers(calls.restore)
  async restore({ uuid }: InputOf<typeof calls.restore>, { meta }: Asker) {
    return done(await this.texts.restore(uuid, meta));
  }

  @Answers(calls.insertUnit)
  async insertUnit(asked: InputOf<typeof calls.insertUnit>, { meta }: Asker) {
    return done(await this.texts.addUnit(asked, meta));
  }

  @Answers(calls.updateUnit)
  async updateUnit(asked: InputOf<typeof calls.updateUnit>, { meta }: Asker) {
    return done(await this.texts.changeUnit(asked, meta));
  }

  @Answers(calls.deleteUnit)
  async deleteUnit({ id }: InputOf<typeof calls.deleteUnit>, { meta }: Asker) {
    return done(await this.texts.removeUnit(id, meta));
  }

  @Answers(calls.reviewUnit)
  async reviewUnit(asked: InputOf<typeof calls.reviewUnit>, { meta }: Asker) {
    return done(await this.texts.reviewUnit(asked, meta));
  }

  @Answers(calls.historyOfUnit)
  historyOfUnit({ uuid, language }: InputOf<typeof calls.historyOfUnit>, { session: { workspace } }: Asker) {
    return this.history.of(uuid, language, workspace);
  }

  @Answers(calls.restoreUnit)
  async restoreUnit({ uuid, language, revision }: InputOf<typeof calls.restoreUnit>, { meta }: Asker) {
    return done(await this.history.restore(uuid, language, revision, meta));
  }

  @Answers(calls.insertComment)
  async insertComment(asked: InputOf<typeof calls.insertComment>, { meta }: Asker) {
    return done(await this.texts.comment(asked, meta));
  }

  @Answers(calls.deleteComment)
  async deleteComment(asked: InputOf<typeof calls.deleteComment>, { meta }: Asker) {
    return done(await this.texts.removeComment(asked, meta));
  }

  @Answers(calls.completeness)
  async completeness(
    { product, isCms = false }: InputOf<typeof calls.completeness>,
    { session: { workspace } }: Asker,
  ) {
    await requireProduct(this.db, workspace, product.id);
    return completenessOf(this.db, workspace, product.id, isCms);
  }

  @Answers(calls.completenessByDay)
  async completenessByDay(
    { product, isCms = false, days }: InputOf<typeof calls.completenessByDay>,
    { session: { workspace } }: Asker,
  ) {
    await requireProduct(this.db, workspace, product.id);
    return completenessByDay(this.db, workspace, product.id, isCms, days);
  }

  @Answers(calls.preview)
  preview(asked: InputOf<typeof calls.preview>, { meta }: Asker) {
    return this.imports.preview(asked, meta);
  }

  @Answers(calls.import)
  async import(asked: InputOf<typeof calls.import>, { meta }: Asker) {
    const { runId, position } = await this.imports.carryOut(asked, meta);
    return written({ runId }, position);
  }

  @Answers(calls.importDetail)
  importDetail({ run }: InputOf<typeof calls.importDetail>, { session: { workspace } }: Asker) {
    return this.imports.detail(run, workspace);
  }

  @Answers(calls.undoImport)
  async undoImport({ run }: InputOf<typeof calls.undoImport>, { meta }: Asker) {
    const { runId, position } = await this.imports.undo(run, meta);
    return written({ runId }, position);
  }

  @Answers(calls.export)
  async export(asked: InputOf<typeof calls.export>, { session: { workspace } }: Asker) {
    const { bytes, disposition } = await this.exports.file(asked, workspace);
    return new StreamableFile(bytes, { type: 'application/octet-stream', disposition });
  }
}
