/** A past run again: as a recording to take along, and checked against what was recorded of it. */
import { Readable } from 'node:stream';
import { Body, Controller, Get, HttpCode, Inject, Post, Query, StreamableFile } from '@nestjs/common';
import { byId } from '@quarterdeck/events/inputs';
import type { RunView } from '@quarterdeck/projections';
import type { z } from 'zod';
import { Access, CurrentSession } from '../platform/access';
import { notFound } from '../platform/errors';
import type { Session } from '../platform/session';
import { DB, type Pool } from '../platform/tokens';
import { valid } from '../platform/validation';
import { castFilename, castOf, checkOutput, recordedChunks, type StepCheck } from './run-replay';
import { runDetail } from './runs.queries';

@Controller('run')
export class RunReplayController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Post('check')
  @HttpCode(200)
  @Access('admin', {
    summary: 'Whether the output of each step still is what was recorded of it, by size and SHA-256',
    receipt: false,
  })
  async check(
    @CurrentSession() session: Session,
    @Body(valid(byId)) { id }: z.infer<typeof byId>,
  ): Promise<{ steps: StepCheck[] }> {
    const run = await this.runOf(session, id);
    return { steps: await checkOutput(run, recordedChunks(this.db, id)) };
  }

  @Get('cast')
  @Access('admin', { summary: 'The output with its timing, as an asciicast v2 for terminals to play' })
  async cast(
    @CurrentSession() session: Session,
    @Query(valid(byId)) { id }: z.infer<typeof byId>,
  ): Promise<StreamableFile> {
    const run = await this.runOf(session, id);
    const lines = castOf(run, recordedChunks(this.db, id));
    return new StreamableFile(Readable.from(lines, { objectMode: true, highWaterMark: 16 }), {
      type: 'application/x-asciicast',
      disposition: `attachment; filename="${castFilename(run)}"`,
    });
  }

  private async runOf(session: Session, id: string): Promise<RunView> {
    const run = await runDetail(this.db, session.workspace, id);
    if (!run) throw notFound('run');
    return run;
  }
}
