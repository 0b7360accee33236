import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId, nothing, scriptDelete, scriptInsert, scriptUpdate } from '@quarterdeck/events/inputs';
import type { ScriptView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done, orAsItIs } from '../platform/answers';
import { notFound } from '../platform/errors';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool, PROJECTIONS, type ProjectionRunner } from '../platform/tokens';
import { valid } from '../platform/validation';
import { ScriptLibrary } from './script-library';
import { listScripts, scriptDetail } from './scripts.queries';

/** Admins only, reading included: a script may tell what no member has to know of the servers. */
@Controller('script')
export class ScriptsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(PROJECTIONS) private readonly projections: ProjectionRunner,
    @Inject(ScriptLibrary) private readonly library: ScriptLibrary,
  ) {}

  @Post('list')
  @HttpCode(200)
  @Access('admin', {
    summary: 'The scripts of the workspace, each with its newest version',
    receipt: false,
    past: true,
  })
  list(@CurrentSession() session: Session, @Body(valid(nothing)) _input: object): Promise<ScriptView[]> {
    return listScripts(this.db, session.workspace);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'One script with all its versions', receipt: false, past: true })
  async detail(@CurrentSession() session: Session, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const script = await scriptDetail(this.db, session.workspace, id);
    if (!script) throw notFound('script');
    return script;
  }

  @Post('insert')
  @HttpCode(200)
  @Access('admin', { summary: 'Saves a script as its first version' })
  async insert(@Meta() meta: CommandMeta, @Body(valid(scriptInsert)) input: z.infer<typeof scriptInsert>) {
    return done(await this.library.add(input, meta));
  }

  @Post('update')
  @HttpCode(200)
  @Access('admin', { summary: 'Renames a script, or revises it, which is one version more' })
  async update(
    @Meta() meta: CommandMeta,
    @Body(valid(scriptUpdate)) { id, data, revision }: z.infer<typeof scriptUpdate>,
  ) {
    const edit = () => this.library.edit(id, data, meta, revision);
    const shown = () => scriptDetail(this.db, meta.workspace, id);
    return done(await orAsItIs(this.projections, edit, shown));
  }

  @Post('delete')
  @HttpCode(200)
  @Access('admin', { summary: 'Removes a script; `name` is what was typed to confirm' })
  async delete(
    @Meta() meta: CommandMeta,
    @Body(valid(scriptDelete)) { id, name }: z.infer<typeof scriptDelete>,
  ) {
    return done(await this.library.remove(id, name, meta));
  }
}
