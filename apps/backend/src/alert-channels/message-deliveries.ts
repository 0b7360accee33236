/**
 * Sends the messages. An attempt is recorded before the receiver is called and again with its outcome, so after the end of
 * a process the next one knows that a message may have arrived, and says so in the repetition.
 */
import type { CommandBus } from '@nestjs/cqrs';
import { streamName, type LoggedEvent, type RecordedEvent } from '@quarterdeck/events';
import { alertMessages, type AlertMessageView } from '@quarterdeck/projections';
import { DueWork } from '../alerts';
import type { Decisions } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import { ownMeta } from '../platform/sessions';
import type { Config, EventStore, Pool, ProjectionRunner } from '../platform/tokens';
import { alertMessagesDecider, BeginAttempt, EndMessage, RecordOutcome } from './alert-messages.decider';
import type { ChannelSender } from './channel-sender';
import { alertsOf, dueMessages, nameOfWorkspace, type DueMessage } from './channels.queries';
import { messageOf } from './message';
import { endOf, outcomeOf } from './message-outcome';
import type { OpenChannel } from './vendors';

/** How long the read model may take to show a recorded attempt. Until then the message still looks due. */
const PROJECTED_MS = 5000;
const WAKING: readonly string[] = ['AlertMessageQueued', 'AlertMessageEnded'];

export interface MessageDeps {
  config: Config;
  db: Pool;
  store: EventStore;
  projections: ProjectionRunner;
  commands: CommandBus;
  decisions: Decisions;
  sender: ChannelSender;
  onFault(error: unknown): void;
}

export const viewOfMessage = async (
  store: Pick<EventStore, 'readStream'>,
  id: string,
): Promise<AlertMessageView | undefined> =>
  ((await store.readStream(streamName('alertMessage', id))) as LoggedEvent[]).reduce<
    AlertMessageView | undefined
  >((view, event) => alertMessages.evolve(view, event, id), undefined);

export class MessageDeliveries {
  private readonly due: DueWork<DueMessage>;

  constructor(private readonly deps: MessageDeps) {
    this.due = new DueWork({
      next: (busy) => dueMessages(deps.db, busy),
      work: (due, ended) => this.deliver(due, ended),
      onFault: (error) => deps.onFault(error),
    });
  }

  start(): void {
    this.due.wake();
  }

  stop(): Promise<void> {
    return this.due.stop();
  }

  heard(events: readonly RecordedEvent[]): void {
    if (events.some(({ type }) => WAKING.includes(type))) this.due.wake();
  }

  private async deliver({ id, workspace }: DueMessage, ended: AbortSignal): Promise<void> {
    const { store, projections, db, config, sender } = this.deps;
    const view = await viewOfMessage(store, id);
    if (!view) return;
    if (view.nextAttemptAt === undefined || Date.parse(view.nextAttemptAt) > Date.now()) {
      // The read model is behind and does not show the recorded attempt yet.
      await projections.waitFor(view.position, PROJECTED_MS);
      return;
    }
    const channel = await this.channelOf(view);
    const alerts = await alertsOf(db, view);
    if (!channel || (view.is === 'raised' && !alerts.some(({ state }) => state === 'open'))) {
      const over = endOf(view, channel?.kind ?? null, alerts);
      await this.execute(new EndMessage(id, over, ownMeta('system', workspace)));
      return;
    }
    const message = messageOf(view, alerts, {
      workspace: { id: workspace, name: await nameOfWorkspace(db, workspace) },
      publicUrl: config.PUBLIC_URL,
    });
    const { state } = await this.deps.decisions.load(alertMessagesDecider, id, workspace);
    const attempt = state.is === 'unknown' ? 1 : state.attempt + 1;
    const begun = await this.execute(new BeginAttempt(id, { attempt }, ownMeta('system', workspace)));
    if (begun.written === 0 || ended.aborted) return;
    const beganAt = new Date();
    const verdict = await orEnded(sender.send(channel, message, ended), ended);
    if (!verdict || ended.aborted) return;
    const outcome = outcomeOf({ attempt, beganAt, endedAt: new Date() }, verdict);
    await this.execute(new RecordOutcome(id, outcome, ownMeta('system', workspace)));
  }

  /** Undefined if it was removed. */
  private async channelOf({ channel, workspace }: AlertMessageView): Promise<OpenChannel | undefined> {
    try {
      return await this.deps.sender.open(channel.id, workspace);
    } catch (error) {
      if (error instanceof DomainError && error.code === 'notFound') return undefined;
      throw error;
    }
  }

  private async execute(command: BeginAttempt | EndMessage | RecordOutcome) {
    const decision = await this.deps.commands.execute(command);
    await this.deps.projections.waitFor(decision.position, PROJECTED_MS);
    return decision;
  }
}

/** An e-mail that is being handed over must not hold up the end of this process. */
const orEnded = async <T>(work: Promise<T>, ended: AbortSignal): Promise<T | undefined> => {
  let stop = (): void => undefined;
  const end = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    ended.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    ended.removeEventListener('abort', stop);
  }
};
