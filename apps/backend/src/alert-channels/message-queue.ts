/**
 * Makes messages of alerts. Alerts of one server, or of one run of a watch, rarely arise in the same instant, so a message
 * waits until no other alert has come for a moment. What was queued is in the log, so the end of a process loses nothing.
 */
import { alertKey, isUncertain, isWantedBy } from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { Watch, type WatchDeps } from '../alerts';
import { ownMeta } from '../platform/sessions';
import type { ProjectionRunner } from '../platform/tokens';
import { EndMessage, QueueMessage } from './alert-messages.decider';
import { overMessages, unqueued, type Unqueued } from './channels.queries';
import { together } from './grouping';
import { endOf } from './message-outcome';

const NAMESPACE = 'b9d5f3c8-6f43-4f0e-9c83-2a5d1a2f7e10';
const QUIET_MS = 3000;
/** A workspace in which alerts never cease to come. */
const MAX_WAIT_MS = 20_000;
/** How long the read model may take to show a queued message. Until then its alerts look unqueued. */
const PROJECTED_MS = 5000;

/** For how much longer the alerts of a channel are gathered; 0 if they are ready. */
export const gatheredIn = (raisedAt: readonly string[], now: Date): number => {
  const times = raisedAt.map((at) => Date.parse(at));
  const [first, last] = [Math.min(...times), Math.max(...times)];
  return Math.max(0, Math.min(last + QUIET_MS, first + MAX_WAIT_MS) - now.getTime());
};

export class MessageQueue extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 60_000;
  protected override readonly after = [
    'AlertRaised',
    'AlertResolved',
    'AlertDismissed',
    'AlertChannelRevised',
    'AlertChannelRemoved',
    'AlertChannelRestored',
    'AlertMessageDelivered',
    'AlertMessageFailed',
  ];
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    deps: WatchDeps,
    private readonly projections: ProjectionRunner,
  ) {
    super(deps);
  }

  override stop(): Promise<void> {
    clearTimeout(this.gathering);
    return super.stop();
  }

  protected async settle(): Promise<void> {
    await this.queueAll();
    await this.endAll();
  }

  private async queueAll(): Promise<void> {
    const arisen = (await unqueued(this.deps.db)).filter(({ channel, alert }) => isWantedBy(channel, alert));
    const now = new Date();
    let soonest = Number.POSITIVE_INFINITY;
    const channels = new Set(arisen.map(({ channel }) => channel.id));
    for (const id of channels) {
      const ofChannel = arisen.filter(({ channel }) => channel.id === id);
      const wait = gatheredIn(
        ofChannel.map(({ alert }) => alert.raisedAt),
        now,
      );
      if (wait === 0) await this.queue(ofChannel);
      else soonest = Math.min(soonest, wait);
    }
    clearTimeout(this.gathering);
    if (Number.isFinite(soonest) && !this.stopped)
      this.gathering = setTimeout(() => this.look(), soonest).unref();
  }

  private async queue(arisen: readonly Unqueued[]): Promise<void> {
    for (const alerts of together(
      arisen.map(({ alert, server }) => ({ alert, server: server ?? undefined })),
    )) {
      const [one] = arisen;
      const [first] = alerts;
      if (!one || !first) continue;
      const { id, name, workspace } = one.channel;
      // The same alerts are the same message, whichever process makes it.
      const message = uuidv5(`${id} ${alertKey(first)}`, NAMESPACE);
      const told = alerts.map((alert) => ({ id: alert.id, raisedAt: alert.raisedAt }));
      const data = { channel: { id, name }, is: 'raised', alerts: told } as const;
      await this.execute(new QueueMessage(message, data, ownMeta('system', workspace)));
    }
  }

  private async endAll(): Promise<void> {
    for (const { message, kind, alerts } of await overMessages(this.deps.db)) {
      // An attempt is under way. Its outcome leads to the next look.
      if (isUncertain(message)) continue;
      const { id, workspace } = message;
      await this.execute(new EndMessage(id, endOf(message, kind, alerts), ownMeta('system', workspace)));
    }
  }

  private async execute(command: QueueMessage | EndMessage): Promise<void> {
    const { position } = await this.deps.commands.execute(command);
    await this.projections.waitFor(position, PROJECTED_MS);
  }
}
