import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { migrations, versions, type Answer, type InputOf } from '@quarterdeck/contract';
import type { VersionRow } from '@quarterdeck/projections';
import { DomainError, notFound } from '../platform/errors';
import { Answers, type Asker, done, written } from '../platform/http';
import { DB, type Pool } from '../platform/tokens';
import { ApplyPlans } from './apply-plans';
import { FirstInstance } from './first-instance';
import { ImportRuns } from './import-runs';
import { Importing } from './importing';
import type { Download } from './model.jobs';
import type { Edited } from './model-edits';
import { Versions } from './versions';
import { listVersions, migrationDetail, migrationsOfVersion } from './versions.queries';
import { idFor } from '../platform/sessions';

@Controller()
export class VersionsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly versions: Versions,
    private readonly applies: ApplyPlans,
    private readonly importing: Importing,
    private readonly imports: ImportRuns,
    private readonly firstInstance: FirstInstance,
  ) {}

  @Answers(versions.list)
  async list({ id }: InputOf<typeof versions.list>, { session: { workspace } }: Asker) {
    await this.versions.productName(id, workspace);
    return (await listVersions(this.db, workspace, id)).map(specified);
  }

  @Answers(versions.detail)
  async detail({ id }: InputOf<typeof versions.detail>, { session: { workspace } }: Asker) {
    return specified(await this.versions.version(id, workspace));
  }

  @Answers(versions.pending)
  pending({ id }: InputOf<typeof versions.pending>, { session: { workspace } }: Asker) {
    return this.versions.pending(id, workspace);
  }

  @Answers(versions.difference)
  difference({ product, from, to }: InputOf<typeof versions.difference>, { session: { workspace } }: Asker) {
    return this.versions.difference(product.id, from, to, workspace);
  }

  @Answers(versions.origins)
  origins({ id }: InputOf<typeof versions.origins>, { session: { workspace } }: Asker) {
    return this.versions.origins(id, workspace);
  }

  @Answers(versions.create)
  async create({ id }: InputOf<typeof versions.create>, { meta }: Asker) {
    return done(await this.versions.create(id, meta));
  }

  @Answers(versions.update)
  async update({ uuid, data }: InputOf<typeof versions.update>, { meta }: Asker) {
    return done(await this.versions.move(uuid, data.env.id, meta));
  }

  @Answers(versions.delete)
  async delete({ uuid }: InputOf<typeof versions.delete>, { meta }: Asker) {
    return done(await this.versions.remove(uuid, meta));
  }

  @Answers(versions.plan)
  plan({ uuid, ...asked }: InputOf<typeof versions.plan>, { meta }: Asker) {
    return this.applies.plan(uuid, asked, meta);
  }

  @Answers(versions.apply)
  async apply({ uuid, runId: chosen, ...asked }: InputOf<typeof versions.apply>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.applies.start(uuid, { ...asked, runId }, meta);
    return written({ runId }, position);
  }

  @Answers(versions.adopt)
  async adopt({ uuid, database, ...asked }: InputOf<typeof versions.adopt>, { meta }: Asker) {
    return answerOf(await this.importing.adopt(uuid, { database: database.id, ...asked }, meta));
  }

  @Answers(versions.baseline)
  async baseline({ uuid, runId: chosen, ...asked }: InputOf<typeof versions.baseline>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    const { position } = await this.applies.start(uuid, { ...asked, runId, baseline: true }, meta);
    return written({ runId }, position);
  }

  @Answers(versions.preview)
  preview(source: InputOf<typeof versions.preview>, { meta }: Asker) {
    return this.importing.preview(source, meta);
  }

  @Answers(versions.import)
  async import({ runId: chosen, ...source }: InputOf<typeof versions.import>, { meta }: Asker) {
    const { runId, position } = await this.imports.start(chosen ?? idFor('run', meta), source, meta);
    if (source.database) return written({ runId }, position);
    const { run: _run, position: end, ...edited } = await this.imports.outcome(runId, meta.workspace);
    return written({ runId, ...edited }, end ?? position);
  }

  @Answers(versions.importDetail)
  importDetail({ run }: InputOf<typeof versions.importDetail>, { session: { workspace } }: Asker) {
    return this.imports.detail(run, workspace);
  }

  @Answers(versions.init)
  async init({ product, database, runId: chosen, ...who }: InputOf<typeof versions.init>, { meta }: Asker) {
    const runId = chosen ?? idFor('run', meta);
    await this.versions.productName(product.id, meta.workspace);
    const given = { ...who, database: database?.id };
    return { runId, ...(await this.firstInstance.create(product.id, runId, given, meta)) };
  }

  @Answers(versions.get)
  get({ uuid, dialect = 'mysql' }: InputOf<typeof versions.get>, asker: Asker) {
    return this.file(uuid, dialect, `${dialect}.zip`, 'application/zip', asker);
  }

  @Answers(versions.getJs)
  getJs({ uuid }: InputOf<typeof versions.getJs>, asker: Asker) {
    return this.file(uuid, 'module', 'js', 'text/javascript; charset=utf-8', asker);
  }

  @Answers(versions.getTypes)
  getTypes({ uuid }: InputOf<typeof versions.getTypes>, asker: Asker) {
    return this.file(uuid, 'types', 'd.ts', 'text/plain; charset=utf-8', asker);
  }

  @Answers(versions.bundle)
  bundle({ uuid }: InputOf<typeof versions.bundle>, asker: Asker) {
    return this.file(uuid, 'bundle', 'zip', 'application/zip', asker);
  }

  @Answers(migrations.list)
  async migrations({ product, version }: InputOf<typeof migrations.list>, { session: { workspace } }: Asker) {
    const which = { product: product.id, version: version.uuid };
    const found = await migrationsOfVersion(this.db, workspace, which);
    if (!found) throw notFound('version');
    return found;
  }

  @Answers(migrations.detail)
  migration({ id }: InputOf<typeof migrations.detail>, { session: { workspace } }: Asker) {
    return this.oneMigration(id, workspace);
  }

  @Answers(migrations.delete)
  async deleteMigration(
    { id }: InputOf<typeof migrations.delete>,
    { session: { workspace } }: Asker,
  ): Promise<never> {
    await this.oneMigration(id, workspace);
    throw new DomainError(
      'unprocessable',
      'the migrations of a version never change: delete the version instead',
    );
  }

  /** `shop-v3.mysql.zip` */
  private async file(
    uuid: string,
    file: Download,
    extension: string,
    type: string,
    { session: { workspace } }: Asker,
  ): Promise<StreamableFile> {
    const { product, version, content } = await this.versions.download(uuid, file, workspace);
    const stem = product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    const name = `${stem.replaceAll(/^-+|-+$/g, '') || 'model'}-v${version}.${extension}`;
    const disposition = `attachment; filename="${name}"`;
    return new StreamableFile(Buffer.from(content as Uint8Array), { type, disposition });
  }

  private async oneMigration(id: string, workspace: string) {
    const found = await migrationDetail(this.db, workspace, id);
    if (!found) throw notFound('migration');
    return found;
  }
}

const answerOf = ({ run: _run, position, ...edited }: Edited) =>
  position === undefined ? edited : written(edited, position);

/** With what the specification has of the version's deploys. */
const specified = (row: VersionRow): Answer<typeof versions.detail> => {
  const newest = row.applied.toSorted((one, other) => (one.at < other.at ? 1 : -1))[0];
  return {
    ...row,
    ...(newest && {
      deployLog: { id: newest.run, date: newest.at, packageId: row.id, server: newest.database },
    }),
    packageUrl: `/api/${versions.bundle.path}`,
    url: `/app/product/${row.product}/detail/version/${row.id}/edit`,
  };
};
