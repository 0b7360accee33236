/** A past run as a recording to download, and the comparison of its output with the recorded hashes. */
import { Readable } from 'node:stream';
import { Controller, Inject, StreamableFile } from '@nestjs/common';
import { runs, type InputOf } from '@quarterdeck/contract';
import type { RunView } from '@quarterdeck/projections';
import { Answers, type Asker } from '../platform/http';
import { notFound } from '../platform/errors';
import type { Session } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { castFilename, castOf, checkOutput, recordedChunks } from './run-replay';
import { runDetail } from './runs.queries';

@Controller()
export class RunReplayController {
  constructor(@Inject(DB) private readonly db: Pool) {}

  @Answers(runs.check)
  async check({ id }: InputOf<typeof runs.check>, { session }: Asker) {
    const run = await this.runOf(session, id);
    return { steps: await checkOutput(run, recordedChunks(this.db, id)) };
  }

  @Answers(runs.cast)
  async cast({ id }: InputOf<typeof runs.cast>, { session }: Asker) {
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
