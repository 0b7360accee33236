import { Controller, Header, Inject, Req } from '@nestjs/common';
import {
  workflowHook,
  workflowTriggers as calls,
  type InputOf,
  type WorkflowFiring,
} from '@quarterdeck/contract';
import type { Json } from '@quarterdeck/events';
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { callerAddress } from '../platform/caller-address';
import { firedIdOf } from '../platform/cron';
import { nextOccurrence } from '../platform/cron-occurrences';
import { DomainError, notFound } from '../platform/errors';
import { Answers, type Asker, done, written } from '../platform/http';
import { ownMeta } from '../platform/sessions';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { TriggerFirings } from './trigger-firings';
import { triggerOf, triggersOf, type Trigger } from './trigger-view';
import {
  callIn,
  MAX_A_MINUTE,
  refusedCall,
  sealOf,
  sourceOf,
  tooManyCalls,
  type WebhookCall,
} from './webhook-call';
import { type Caller, WorkflowTokens } from './workflow-tokens';

const nextOf = ({ isOn, starts, schedule }: Trigger, now: Date): string | undefined =>
  isOn && starts === 'schedule' ? nextOccurrence(schedule, now)?.toISOString() : undefined;

@Controller()
export class WorkflowTriggersController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly tokens: WorkflowTokens,
    private readonly firings: TriggerFirings,
  ) {}

  @Answers(calls.states)
  async states({ id }: InputOf<typeof calls.states>, { session: { workspace } }: Asker) {
    const triggers = await triggersOf(this.db, workspace, id);
    const last = await this.firings.last(triggers.map((trigger) => trigger.id));
    const now = new Date();
    return triggers.map((trigger) => {
      const next = nextOf(trigger, now);
      const firing = last.get(trigger.id);
      return { id: trigger.id, ...(next !== undefined && { next }), ...(firing && { last: firing }) };
    });
  }

  @Answers(calls.firings)
  async listFirings({ id }: InputOf<typeof calls.firings>, { session: { workspace } }: Asker) {
    if (!(await triggerOf(this.db, workspace, id))) throw notFound('workflow trigger');
    return this.firings.list(id);
  }

  @Answers(calls.tokens)
  listTokens({ id }: InputOf<typeof calls.tokens>, { session: { workspace } }: Asker) {
    return this.tokens.list(id, workspace);
  }

  @Answers(calls.issue)
  @Header('cache-control', 'no-store')
  async issue({ id }: InputOf<typeof calls.issue>, { meta }: Asker) {
    const { position, ...issued } = await this.tokens.issue(id, meta);
    return written({ ...issued, uuid: issued.id }, position);
  }

  @Answers(calls.revoke)
  async revoke({ id }: InputOf<typeof calls.revoke>, { meta }: Asker) {
    return done(await this.tokens.revoke(id, meta));
  }

  @Answers(workflowHook.start)
  async start(data: InputOf<typeof workflowHook.start>, _asker: Asker, @Req() request: FastifyRequest) {
    const call = callIn(request.headers, request.rawBody?.toString() ?? '');
    const address = callerAddress(request);
    const caller = await this.tokens.read(call.token, address);
    const { workspace } = caller;
    const trigger = await triggerOf(this.db, workspace, caller.trigger);
    if (!trigger) return this.tokens.refuse(address);
    const secret = call.signature === '' ? undefined : await this.tokens.secretOf(caller);
    const why = refusedCall(call, { isSigned: trigger.isSigned, secret }, new Date());
    if (why !== undefined) return this.tokens.refuse(address, why);
    if (!trigger.isOn || trigger.starts !== 'webhook')
      throw new DomainError('conflict', `the webhook ${trigger.name} is switched off`);
    const source = sourceOf(call, uuidv7());
    const id = firedIdOf(trigger.id, source);
    const before = await this.firings.known(trigger.id, id);
    const firing = before ?? (await this.fire(trigger, { id, source, call, data, caller, request }));
    if (firing.is !== 'started')
      throw new DomainError('unprocessable', firing.reason ?? 'nothing was started');
    return done({ id, position: await this.store.head() });
  }

  private async fire(
    trigger: Trigger,
    { id, source, call, data, caller, request }: Received,
  ): Promise<WorkflowFiring> {
    const sealed = await this.firings.seal(trigger.id, { seal: sealOf(call, source), id }, MAX_A_MINUTE);
    if (sealed === 'flood') throw tooManyCalls();
    if (sealed === 'used')
      throw new DomainError('conflict', 'this call was received before: sign it again with a new time');
    await this.tokens.count(caller);
    const meta = ownMeta('system', trigger.workspace, request.correlationId);
    return this.firings.fire(trigger, { source, data, cause: { is: 'webhook' }, meta });
  }
}

interface Received {
  id: string;
  source: string;
  call: WebhookCall;
  data: Json;
  caller: Caller;
  request: FastifyRequest;
}
