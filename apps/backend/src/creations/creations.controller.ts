import { Controller, Inject } from '@nestjs/common';
import { creations as calls, type InputOf } from '@quarterdeck/contract';
import { Answers, type Asker, done, written } from '../platform/http';
import { notFound } from '../platform/errors';
import { DB, type Pool } from '../platform/tokens';
import { CreationPlanner } from './creation-plan';
import { Creations } from './creations';
import { creationDetail, listCreations } from './creations.queries';

@Controller()
export class CreationsController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly creations: Creations,
    private readonly planner: CreationPlanner,
  ) {}

  @Answers(calls.list)
  list({ open }: InputOf<typeof calls.list>, { session: { workspace } }: Asker) {
    return listCreations(this.db, workspace, open);
  }

  @Answers(calls.detail)
  async detail({ id }: InputOf<typeof calls.detail>, { session: { workspace } }: Asker) {
    const found = await creationDetail(this.db, workspace, id);
    if (!found) throw notFound('creation');
    return found;
  }

  @Answers(calls.plan)
  plan({ kind, sections }: InputOf<typeof calls.plan>, { meta }: Asker) {
    return this.planner.plan(kind, sections, meta);
  }

  @Answers(calls.start)
  async start({ kind, values }: InputOf<typeof calls.start>, { meta }: Asker) {
    const { id, runId, position } = await this.creations.begin(kind, values, meta);
    return written({ id, uuid: id, runId }, position);
  }

  @Answers(calls.section)
  async section({ id, section, values, revision }: InputOf<typeof calls.section>, { meta }: Asker) {
    const { runId, position } = await this.creations.start(id, section, values, meta, revision);
    return written({ runId }, position);
  }

  @Answers(calls.retry)
  async retry({ id, section }: InputOf<typeof calls.retry>, { meta }: Asker) {
    const { runId, position } = await this.creations.retry(id, section, meta);
    return written({ runId }, position);
  }

  @Answers(calls.undo)
  async undo({ id, section, revision, name }: InputOf<typeof calls.undo>, { meta }: Asker) {
    const { runId, position } = await this.creations.undo(id, section, meta, { revision, typed: name });
    return written({ runId }, position);
  }

  @Answers(calls.abandon)
  async abandon({ id }: InputOf<typeof calls.abandon>, { meta }: Asker) {
    return done(await this.creations.abandon(id, meta));
  }
}
