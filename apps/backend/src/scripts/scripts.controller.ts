import { Controller, Inject } from '@nestjs/common';
import { scripts, type Given } from '@quarterdeck/contract';
import { pageOf, scriptColumns } from '@quarterdeck/projections';
import { Answers, type Asker, done, withCurrentOnConflict } from '../platform/http';
import { notFound } from '../platform/errors';
import { PlainThings, thingsOf } from '../platform/kit';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { script } from './script';
import { listScripts, scriptDetail, scriptRows } from './scripts.queries';

@Controller()
export class ScriptsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(thingsOf(script)) private readonly scripts: PlainThings,
  ) {}

  @Answers(scripts.list)
  list(_: object, { session }: Asker) {
    return listScripts(this.db, session.workspace);
  }

  @Answers(scripts.page)
  async page(asked: Given<typeof scripts.page>, { session }: Asker) {
    return pageOf(await scriptRows(this.db, session.workspace), scriptColumns, asked);
  }

  @Answers(scripts.detail)
  async detail({ id }: Given<typeof scripts.detail>, { session }: Asker) {
    const found = await scriptDetail(this.db, session.workspace, id);
    if (!found) throw notFound('script');
    return found;
  }

  @Answers(scripts.insert)
  async insert(input: Given<typeof scripts.insert>, { meta }: Asker) {
    return done(await this.scripts.add(input, undefined, meta));
  }

  @Answers(scripts.update)
  async update({ id, data, revision }: Given<typeof scripts.update>, { meta }: Asker) {
    const edit = () => this.scripts.edit(id, data, meta, revision);
    const shown = () => scriptDetail(this.db, meta.workspace, id);
    return done(await withCurrentOnConflict(this.projections, edit, shown));
  }

  @Answers(scripts.delete)
  async delete({ id, name }: Given<typeof scripts.delete>, { meta }: Asker) {
    return done(await this.scripts.remove(id, name, meta));
  }
}
