/** Sends a saved request as the action of a node of a workflow. */
import { Injectable } from '@nestjs/common';
import type { Json } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import { RunEngine } from '../runs';
import { outcomeOfRun, type ActionAsk, type DoesOf, type WorkflowAction } from '../workflows';
import { AnswerStore } from './answer-store';
import { RequestLibrary } from './request-library';
import { RequestWork } from './request-work';

type Ask = ActionAsk<'savedRequest'>;

/** Of the body that conditions and later nodes can read. */
const MAX_BODY = 32 * 1024;

@Injectable()
export class RequestAction implements WorkflowAction<'savedRequest'> {
  readonly is = 'savedRequest';

  constructor(
    private readonly engine: RunEngine,
    private readonly work: RequestWork,
    private readonly library: RequestLibrary,
    private readonly answers: AnswerStore,
  ) {}

  async problems({ request }: DoesOf<'savedRequest'>, workspace: string) {
    try {
      await this.library.request(request.id, workspace);
      return [];
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return [{ field: 'request', says: 'this request does not exist any more' }];
    }
  }

  async start({ id, does: { request, env, inputs }, meta }: Ask): Promise<void> {
    // What it sends is what was saved when it was first started.
    if (await this.engine.knows(id, meta.workspace)) return;
    await this.work.execute(request.id, { env: env?.id, inputs }, id, meta);
  }

  outcome({ id, meta: { workspace } }: Ask) {
    return outcomeOfRun(this.engine, { id, workspace }, () => this.answerOf(id, workspace));
  }

  async cancel({ id, meta }: Ask): Promise<void> {
    if (await this.engine.knows(id, meta.workspace)) await this.engine.cancel(id, meta);
  }

  private async answerOf(run: string, workspace: string): Promise<{ [key: string]: Json }> {
    const answer = await this.answers.ofRun(run, workspace);
    if (!answer) return {};
    const { head, body } = answer;
    const headers = Object.fromEntries(head.headers.map(([name, value]) => [name.toLowerCase(), value]));
    const facts = { status: head.status, ms: head.ms, headers };
    return body && body.length <= MAX_BODY ? { ...facts, body: bodyOf(body.toString()) } : facts;
  }
}

/** As JSON if it is some, or else as text. */
const bodyOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
};
