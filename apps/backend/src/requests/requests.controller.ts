import { Controller } from '@nestjs/common';
import { requestLogs, requests, type InputOf } from '@quarterdeck/contract';
import { notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { idFor } from '../platform/sessions';
import { AnswerStore } from './answer-store';
import { RequestLibrary } from './request-library';
import { RequestWork } from './request-work';

@Controller()
export class RequestsController {
  constructor(
    private readonly work: RequestWork,
    private readonly library: RequestLibrary,
    private readonly answers: AnswerStore,
  ) {}

  @Answers(requests.execute)
  async execute(
    { id, env, inputs, follow, runId: chosen }: InputOf<typeof requests.execute>,
    { meta }: Asker,
  ) {
    const run = chosen ?? idFor('run', meta);
    const { runId, position } = await this.work.execute(id, { env: env?.id, inputs, follow }, run, meta);
    return written({ runId }, position);
  }

  @Answers(requests.answer)
  async answer({ run }: InputOf<typeof requests.answer>, { session: { workspace } }: Asker) {
    const found = await this.answers.ofRun(run, workspace);
    if (!found) throw notFound('answer');
    const { head, body, ...kept } = found;
    return { ...head, ...kept, ...(body && { body: body.toString('base64') }) };
  }

  @Answers(requestLogs.list)
  async list({ id }: InputOf<typeof requestLogs.list>, { session: { workspace } }: Asker) {
    await this.library.request(id, workspace);
    return this.answers.logs(workspace, { request: id });
  }

  @Answers(requestLogs.detail)
  async detail({ id }: InputOf<typeof requestLogs.detail>, { session: { workspace } }: Asker) {
    const [log] = await this.answers.logs(workspace, { run: id });
    if (!log) throw notFound('answer');
    return log;
  }

  @Answers(requestLogs.insert)
  async insert({ data }: InputOf<typeof requestLogs.insert>, { meta }: Asker) {
    const run = idFor('run', meta);
    const { position } = await this.work.record(data.request.id, data, run, meta);
    return written({ id: run, uuid: run }, position);
  }
}
