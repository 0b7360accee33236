/** Sends a test to a channel while the operator waits. It is recorded like every other message. */
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { alertChannel } from '@quarterdeck/events';
import { requireNamed } from '../platform/kit';
import { written } from '../platform/http';
import { type CommandMeta, idFor } from '../platform/sessions';
import { CONFIG, DB, EVENT_STORE, type Config, type EventStore, type Pool } from '../platform/tokens';
import { BeginAttempt, QueueMessage, RecordOutcome } from './alert-messages.decider';
import { ChannelSender } from './channel-sender';
import { nameOfWorkspace } from './channels.queries';
import { messageOf } from './message';
import { viewOfMessage } from './message-deliveries';
import { outcomeOf } from './message-outcome';

@Injectable()
export class ChannelTests {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(DB) private readonly db: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandBus,
    private readonly sender: ChannelSender,
  ) {}

  /** @throws DomainError `notFound` */
  async test(channelId: string, meta: CommandMeta) {
    const { workspace } = meta;
    const id = idFor('alertMessage', meta);
    const open = await this.sender.open(channelId, workspace);
    const channel = await requireNamed(alertChannel, this.db, workspace, channelId);
    await this.commands.execute(new QueueMessage(id, { channel, is: 'test', alerts: [] }, meta));
    const begun = await this.commands.execute(new BeginAttempt(id, { attempt: 1 }, meta));
    if (begun.written === 0) return this.before(id);
    const beganAt = new Date();
    const message = messageOf({ id, is: 'test', attempts: [], queuedAt: beganAt.toISOString() }, [], {
      workspace: { id: workspace, name: await nameOfWorkspace(this.db, workspace) },
      publicUrl: this.config.PUBLIC_URL,
    });
    const verdict = await this.sender.send(open, message, new AbortController().signal);
    const outcome = outcomeOf({ attempt: 1, beganAt, endedAt: new Date(), once: true }, verdict);
    const { position } = await this.commands.execute(new RecordOutcome(id, outcome, meta));
    const { delivered, says } = verdict;
    return written({ id, delivered, says, tookMs: outcome.data.durationMs }, position);
  }

  /** The same request came before. */
  private async before(id: string) {
    const view = await viewOfMessage(this.store, id);
    const last = view?.attempts.at(-1);
    const says = last?.says ?? 'the test was interrupted: it is not known whether it arrived';
    return written(
      { id, delivered: last?.delivered === true, says, tookMs: last?.durationMs ?? 0 },
      view?.position ?? '0',
    );
  }
}
