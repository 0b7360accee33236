import { Controller } from '@nestjs/common';
import { requestCollections, requestLogs, requests, type InputOf } from '@quarterdeck/contract';
import { notFound } from '../platform/errors';
import { Answers, type Asker, written } from '../platform/http';
import { idFor } from '../platform/sessions';
import { AnswerStore } from './answer-store';
import { RequestCollections } from './request-collections';
import { RequestImports } from './request-imports';
import { RequestLibrary } from './request-library';
import { RequestPast } from './request-past';
import { RequestWork } from './request-work';

@Controller()
export class RequestsController {
  constructor(
    private readonly work: RequestWork,
    private readonly library: RequestLibrary,
    private readonly answers: AnswerStore,
    private readonly pasts: RequestPast,
    private readonly imports: RequestImports,
    private readonly collections: RequestCollections,
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

  @Answers(requests.past)
  async past({ id, checks, days = 7 }: InputOf<typeof requests.past>, { session: { workspace } }: Asker) {
    await this.library.request(id, workspace);
    return this.pasts.judge(id, checks, days, workspace);
  }

  @Answers(requests.preview)
  preview({ source, text }: InputOf<typeof requests.preview>) {
    return this.imports.preview(source, text);
  }

  @Answers(requests.import)
  async import(input: InputOf<typeof requests.import>, { meta }: Asker) {
    const { ids, position } = await this.imports.add(input, meta);
    return written({ ids }, position);
  }

  @Answers(requestCollections.run)
  async run({ id, env, runId: chosen }: InputOf<typeof requestCollections.run>, { meta }: Asker) {
    const { runId, position } = await this.collections.run(id, env?.id, chosen ?? idFor('run', meta), meta);
    return written({ runId }, position);
  }

  @Answers(requestCollections.results)
  results({ id }: InputOf<typeof requestCollections.results>, { session: { workspace } }: Asker) {
    return this.collections.results(id, workspace);
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
