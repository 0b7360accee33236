/** Sends saved requests, and records answers. */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Position } from '@quarterdeck/events';
import { DomainError } from '../platform/errors';
import { Outbound } from '../platform/outbound';
import type { CommandMeta } from '../platform/sessions';
import { RunEngine, RunHosts, type RunRequest } from '../runs';
import { Masking } from './answer-masking';
import { AnswerStore } from './answer-store';
import { DEFAULT_ENV, RequestLibrary } from './request-library';
import { planOf, type RequestView, type Taken } from './request-plan';
import { namedBy, type SendInput } from './request-sending';
import { recordAnswerKind, savedRequestKind } from './request.kinds';

export interface ExecuteOptions {
  env?: number | undefined;
  inputs?: readonly { name: string; value: string }[] | undefined;
  follow?: boolean | undefined;
  /** Where values of earlier answers are, by the names that later requests have for them. */
  taken?: ReadonlyMap<string, Taken>;
}

@Injectable()
export class RequestWork implements OnModuleInit {
  /** Answers that clients told, by run, until they are stored. */
  private readonly told = new Map<string, { body: Buffer; inputs: string }>();

  constructor(
    private readonly outbound: Outbound,
    private readonly engine: RunEngine,
    private readonly hosts: RunHosts,
    private readonly library: RequestLibrary,
    private readonly answers: AnswerStore,
  ) {}

  onModuleInit(): void {
    const { outbound, hosts, library, answers } = this;
    this.engine.register(savedRequestKind({ outbound, hosts, library, answers }));
    this.engine.register(recordAnswerKind(answers, (run) => this.told.get(run)));
  }

  /** @throws DomainError that names what is missing or does not fit */
  async execute(id: string, asked: ExecuteOptions, run: string, meta: CommandMeta) {
    const { workspace } = meta;
    const saved = await this.library.request(id, workspace);
    return this.engine.start(run, 'savedRequest', await this.requestOf(saved, asked, workspace), meta);
  }

  /** The run that sends the request. */
  async requestOf(
    saved: RequestView,
    asked: ExecuteOptions,
    workspace: string,
  ): Promise<Omit<RunRequest, 'kind'>> {
    const { env = DEFAULT_ENV, inputs = [], follow = false, taken = new Map<string, Taken>() } = asked;
    const [params, names] = await Promise.all([
      this.library.params(saved.id, workspace),
      this.library.names(saved.collection?.id, env, workspace),
    ]);
    const plan = planOf(saved, params, {
      inputs: new Map(inputs.map(({ name, value }) => [name, value])),
      variables: names.variables,
      secrets: new Set(names.secrets.keys()),
      taken: new Set(taken.keys()),
    });
    const input: SendInput = {
      plan,
      follow,
      env,
      ...namedBy(plan, names.secrets, taken),
      inputs: inputs.map(({ name, value }) => `${name}=${value}`).join(', '),
      checks: saved.checks,
    };
    const subject = { kind: 'request', id: saved.id, name: saved.name };
    return { subject, input: JSON.parse(JSON.stringify(input)) as RunRequest['input'] };
  }

  /** Records an answer, with the secrets of the workspace masked. */
  async record(
    id: string,
    { responseBody, inputs = '' }: { responseBody: string; inputs?: string | undefined },
    run: string,
    meta: CommandMeta,
  ): Promise<{ position: Position }> {
    const { name } = await this.library.request(id, meta.workspace);
    const secrets = await this.hosts.access.secrets(meta.workspace);
    const masking = new Masking(secrets, secrets);
    this.told.set(run, { body: masking.body(Buffer.from(responseBody)), inputs: masking.text(inputs) });
    try {
      await this.engine.start(
        run,
        'recordAnswer',
        { subject: { kind: 'request', id, name }, input: {} },
        meta,
      );
      const { end, position } = await this.engine.ended(run, meta.workspace);
      if (end.is !== 'succeeded') throw new DomainError('unavailable', end.reason);
      return { position };
    } finally {
      this.told.delete(run);
    }
  }
}
