import { Controller, Inject } from '@nestjs/common';
import { runs, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, done } from '../platform/http';
import { notFound } from '../platform/errors';
import { RunOutputs } from '../platform/run-output';
import { DB, type Pool } from '../platform/tokens';
import { RunEngine } from './run-engine';
import { listRuns, runDetail } from './runs.queries';

/** Chunks are at most 8 kB. Most are a line or two, as they were printed. */
const CHUNKS = 1000;
const BYTES = 1024 * 1024;

@Controller()
export class RunsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly outputs: RunOutputs,
    private readonly engine: RunEngine,
  ) {}

  @Answers(runs.cancel)
  async cancel({ id }: InputOf<typeof runs.cancel>, { meta }: Asker) {
    const { position } = await this.engine.cancel(id, meta);
    return done({ id, position });
  }

  @Answers(runs.retry)
  async retry({ id }: InputOf<typeof runs.retry>, { meta }: Asker) {
    const { position } = await this.engine.retry(id, meta);
    return done({ id, position });
  }

  @Answers(runs.list)
  list(query: InputOf<typeof runs.list>, { session }: Asker) {
    return listRuns(this.db, session.workspace, query);
  }

  @Answers(runs.detail)
  async detail({ id }: InputOf<typeof runs.detail>, { session }: Asker) {
    const run = await runDetail(this.db, session.workspace, id);
    if (!run) throw notFound('run');
    return run;
  }

  @Answers(runs.output)
  async output({ id, after = 0 }: InputOf<typeof runs.output>, { session }: Asker) {
    if (!(await runDetail(this.db, session.workspace, id))) throw notFound('run');
    return this.outputs.page(id, after, { chunks: CHUNKS, bytes: BYTES });
  }
}
