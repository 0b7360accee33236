import { Controller, Header, Inject, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { pushDoor, pushes as calls, type InputOf } from '@quarterdeck/contract';
import { service } from '@quarterdeck/events';
import type { FastifyRequest } from 'fastify';
import type { Decision } from '../platform/decider';
import { Decisions } from '../platform/decisions';
import { DomainError, notFound } from '../platform/errors';
import { Answers, type Asker, done, written } from '../platform/http';
import { requireNamed } from '../platform/kit';
import { mayActAs } from '../platform/sessions';
import { DB, EVENT_STORE, type EventStore, type Pool } from '../platform/tokens';
import { PushDeliveries } from './push-deliveries';
import { PushDoor } from './push-door';
import { PushRefusals } from './push-refusals';
import { PushTokens } from './push-tokens';
import { ApprovePush, pushesDecider, RefusePush } from './pushes.decider';
import { listPushes } from './pushes.queries';

@Controller()
export class PushesController {
  constructor(
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
    private readonly deliveries: PushDeliveries,
    private readonly door: PushDoor,
    private readonly refusals: PushRefusals,
    private readonly secrets: PushTokens,
  ) {}

  @Answers(calls.list)
  async list({ service: { id } }: InputOf<typeof calls.list>, { session: { workspace } }: Asker) {
    await requireNamed(service, this.db, workspace, id);
    return listPushes(this.db, workspace, id);
  }

  @Answers(calls.deliveries)
  async listDeliveries(
    { service: { id } }: InputOf<typeof calls.deliveries>,
    { session: { workspace } }: Asker,
  ) {
    await requireNamed(service, this.db, workspace, id);
    const refused = await this.refusals.of(id, workspace);
    return { deliveries: await this.deliveries.list(id, workspace), ...(refused && { refused }) };
  }

  @Answers(calls.approve)
  async approve({ id, note }: InputOf<typeof calls.approve>, asker: Asker) {
    await this.refuseLesser(id, asker);
    const approve = new ApprovePush(id, { note }, asker.meta);
    return done(await this.commands.execute<ApprovePush, Decision>(approve));
  }

  @Answers(calls.refuse)
  async refuse({ id, note }: InputOf<typeof calls.refuse>, asker: Asker) {
    await this.refuseLesser(id, asker);
    const refuse = new RefusePush(id, { note }, asker.meta);
    return done(await this.commands.execute<RefusePush, Decision>(refuse));
  }

  @Answers(calls.tokens)
  listTokens({ service: { id } }: InputOf<typeof calls.tokens>, { session: { workspace } }: Asker) {
    return this.secrets.list(id, workspace);
  }

  @Answers(calls.issue)
  @Header('cache-control', 'no-store')
  async issue({ service: { id: of } }: InputOf<typeof calls.issue>, { meta }: Asker) {
    const { id, secret, position } = await this.secrets.issue(of, meta);
    return written({ id, secret }, position);
  }

  @Answers(calls.revoke)
  async revoke({ id }: InputOf<typeof calls.revoke>, { meta }: Asker) {
    return done(await this.secrets.revoke(id, meta));
  }

  @Answers(pushDoor.receive)
  async receive(body: InputOf<typeof pushDoor.receive>, _asker: Asker, @Req() request: FastifyRequest) {
    const call = await this.door.callIn(request);
    await this.secrets.count(call.token);
    const taken = await this.deliveries.take(call, body, request.rawBody ?? Buffer.alloc(0));
    return written(taken, await this.store.head());
  }

  /** The role that was asked for when the version came in. */
  private async refuseLesser(id: string, { session: { role, workspace } }: Asker): Promise<void> {
    const { state } = await this.decisions.load(pushesDecider, id, workspace);
    if (state.is === 'unknown') throw notFound('pushed version');
    const { approval = 'admin' } = state.matched;
    if (!mayActAs(role, approval))
      throw new DomainError('forbidden', `this is for somebody with the role ${approval}`);
  }
}
