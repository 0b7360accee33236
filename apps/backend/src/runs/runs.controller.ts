import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { byId, runList, runOutput } from '@quarterdeck/events/inputs';
import type { OutputChunk, RunView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession, Meta } from '../platform/access';
import { done } from '../platform/answers';
import { notFound } from '../platform/errors';
import { RunOutputs } from '../platform/run-output';
import type { CommandMeta, Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { RunEngine } from './run-engine';
import { listRuns, runDetail } from './runs.queries';

/** At most 8 kB each; most are a line or two, as they were printed. */
const CHUNKS = 1000;
const BYTES = 1024 * 1024;

@Controller('run')
export class RunsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(RunOutputs) private readonly outputs: RunOutputs,
    @Inject(RunEngine) private readonly engine: RunEngine,
  ) {}

  @Post('cancel')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Asks for the end of a run: its step is ended on the server, then it is cancelled',
  })
  async cancel(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const { position } = await this.engine.cancel(id, meta);
    return done({ id, position });
  }

  @Post('retry')
  @HttpCode(200)
  @Access('admin', { summary: 'Goes on with a run that did not succeed, from the step that did not' })
  async retry(@Meta() meta: CommandMeta, @Body(valid(byId)) { id }: z.infer<typeof byId>) {
    const { position } = await this.engine.retry(id, meta);
    return done({ id, position });
  }

  @Post('list')
  @HttpCode(200)
  @Access('admin', { summary: 'Runs, newest first, by pages', receipt: false, past: true })
  list(@CurrentSession() session: Session, @Body(valid(runList)) query: z.infer<typeof runList>) {
    return listRuns(this.db, session.workspace, query);
  }

  @Post('detail')
  @HttpCode(200)
  @Access('admin', { summary: 'One run with its steps', receipt: false, past: true })
  async detail(
    @CurrentSession() session: Session,
    @Body(valid(byId)) { id }: z.infer<typeof byId>,
  ): Promise<RunView> {
    const run = await runDetail(this.db, session.workspace, id);
    if (!run) throw notFound('run');
    return run;
  }

  @Post('output')
  @HttpCode(200)
  @Access('admin', { summary: 'What a run printed, in chunks with their time', receipt: false, past: true })
  async output(
    @CurrentSession() session: Session,
    @Body(valid(runOutput)) { id, after = 0 }: z.infer<typeof runOutput>,
  ): Promise<{ chunks: OutputChunk[]; more: boolean }> {
    if (!(await runDetail(this.db, session.workspace, id))) throw notFound('run');
    return this.outputs.page(id, after, { chunks: CHUNKS, bytes: BYTES });
  }
}
