/** Runs of collections, and what became of each request. */
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { CollectionResults } from '@quarterdeck/contract';
import { requestMethods } from '@quarterdeck/events';
import type { RunView } from '@quarterdeck/projections';
import { DomainError, notFound } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { DB, type Pool } from '../platform/tokens';
import { RunEngine, type RunRequest } from '../runs';
import { AnswerStore } from './answer-store';
import { collectionInput, collectionKind, MAX_REQUESTS, type CollectionInput } from './collection.kind';
import { DEFAULT_ENV, RequestLibrary } from './request-library';
import { RequestWork } from './request-work';

@Injectable()
export class RequestCollections implements OnModuleInit {
  constructor(
    @Inject(DB) private readonly db: Pool,
    private readonly engine: RunEngine,
    private readonly work: RequestWork,
    private readonly library: RequestLibrary,
    private readonly answers: AnswerStore,
  ) {}

  onModuleInit(): void {
    const { engine, work, library, answers } = this;
    engine.register(collectionKind({ engine, work, library, answers }));
  }

  /** @throws DomainError if it has no requests, or too many */
  async run(id: string, env = DEFAULT_ENV, run: string, meta: CommandMeta) {
    const { view, requests } = await this.library.collection(id, meta.workspace);
    if (requests.length === 0) throw new DomainError('unprocessable', 'this collection has no requests yet');
    if (requests.length > MAX_REQUESTS)
      throw new DomainError(
        'unprocessable',
        `this collection has ${requests.length} requests, and at most ${MAX_REQUESTS} are sent in one run`,
      );
    const { delayMs, stopOnError } = view;
    const input: CollectionInput = {
      env,
      delayMs,
      stopOnError,
      requests: requests.map(({ id: request, name, method }) => ({
        id: request,
        name,
        method: requestMethods[method.id - 1] ?? 'GET',
      })),
    };
    const subject = { kind: 'requestCollection', id, name: view.name };
    const what = { subject, input: JSON.parse(JSON.stringify(input)) as RunRequest['input'] };
    return this.engine.start(run, 'requestCollection', what, meta);
  }

  async results(run: string, workspace: string): Promise<CollectionResults> {
    const [[whole], parts] = await Promise.all([
      this.runs('id = $2', run, workspace),
      this.runs("parent = $2 and parent <> ''", run, workspace),
    ]);
    if (whole?.kind !== 'requestCollection') throw notFound('run');
    const { requests } = collectionInput(whole);
    // A retry may have sent a request again: its last part counts.
    const byRequest = new Map(parts.map((part) => [part.subjectId, part]));
    const answers = await this.answers.briefs(
      [...byRequest.values()].map(({ id }) => id),
      workspace,
    );
    const answered = new Map(answers.map((answer) => [answer.run, answer]));
    const report = whole.steps.at(-1)?.report ?? {};
    return {
      run,
      state: whole.state,
      ...(whole.reason !== undefined && { reason: whole.reason }),
      results: requests.map(({ id, name, method }, at) => {
        const part = byRequest.get(id);
        const answer = answered.get(part?.id ?? '');
        const reason = report[`request${at + 1}`] ?? part?.reason;
        return {
          request: id,
          name,
          method,
          ...(part && { run: part.id, state: part.state }),
          ...(reason !== undefined && { reason }),
          ...(answer && { status: answer.status, ms: answer.ms, checks: answer.checks }),
        };
      }),
    };
  }

  private async runs(where: 'id = $2' | "parent = $2 and parent <> ''", run: string, workspace: string) {
    const { rows } = await this.db.query<{ view: RunView }>(
      `select view from read.runs where workspace = $1 and ${where} order by "requestedPosition"`,
      [workspace, run],
    );
    return rows.map(({ view }) => view);
  }
}
