/**
 * Makes messages of alerts. Alerts of one server, or of one run of a watch, rarely arise in the same instant, so a message
 * waits until no other alert has come for a moment. What was queued is in the log, so the end of a process loses nothing.
 */
import {
  alertKey,
  dueOf,
  isCovered,
  isUncertain,
  isWantedBy,
  mayGet,
  tellingOf,
  type AlertView,
  type Covered,
  type MaintenanceTimes,
} from '@quarterdeck/projections';
import { v5 as uuidv5 } from 'uuid';
import { maintenanceWindows, Watch, type WatchDeps } from '../alerts';
import { ownMeta } from '../platform/sessions';
import type { ProjectionRunner } from '../platform/tokens';
import { EndMessage, QueueMessage } from './alert-messages.decider';
import { enabledRules, overMessages, tellable, type EnabledRule, type Tellable } from './channels.queries';
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

interface Arisen extends Tellable {
  /** The moment at which its rule tells it. */
  due: string;
  /** The rules that cover it. */
  by: readonly EnabledRule[];
}

/** When a channel is to be told about an alert: by the rules that cover it there, or at once if none does. Pure. */
export const judge = (
  { channel, alert, server, product, told }: Tellable,
  { rules, windows }: { rules: readonly EnabledRule[]; windows: readonly MaintenanceTimes[] },
  now: Date,
): { due?: string; next?: string; by: readonly EnabledRule[] } => {
  if (alert.about === 'test' || alert.acknowledged || !mayGet(channel, alert)) return { by: [] };
  const covered: Covered = { ...alert, about: alert.about, server, product };
  const by = rules.filter(
    (rule) =>
      rule.workspace === channel.workspace &&
      (rule.channels.length === 0 || rule.channels.includes(channel.id)) &&
      isCovered(rule, covered),
  );
  if (by.length === 0 && !isWantedBy(channel, alert)) return { by };
  const span = { since: sinceOf(alert), ...(told !== null && { told }) };
  const own = windows.filter(({ workspace }) => workspace === channel.workspace);
  const tellings = (by.length === 0 ? [undefined] : by).map((rule) => tellingOf(rule, covered, own));
  return { ...dueOf(tellings, span, now), by };
};

const sinceOf = ({ since, raisedAt }: AlertView): string => since ?? raisedAt;

export class MessageQueue extends Watch {
  /** A fallback only: events trigger the look whenever something has changed. */
  protected readonly everyMs = 60_000;
  protected override readonly after = [
    'AlertRaised',
    'AlertResolved',
    'AlertDismissed',
    'AlertAcknowledged',
    'AlertAcknowledgementWithdrawn',
    'AlertRuleEnabled',
    'AlertRuleDisabled',
    'AlertRuleRevised',
    'AlertRuleRemoved',
    'AlertRuleRestored',
    'AlertChannelRevised',
    'AlertChannelRemoved',
    'AlertChannelRestored',
    'MaintenanceWindowAdded',
    'MaintenanceWindowRevised',
    'MaintenanceWindowRemoved',
    'MaintenanceWindowRestored',
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
    const now = new Date();
    const { db } = this.deps;
    const [rules, windows] = [await enabledRules(db), await maintenanceWindows(db)];
    const judged = (await tellable(db)).map((one) => ({ one, ...judge(one, { rules, windows }, now) }));
    const arisen = judged.flatMap(({ one, due, by }) => (due === undefined ? [] : [{ ...one, due, by }]));
    let soonest = Math.min(
      ...judged.flatMap(({ next }) => (next === undefined ? [] : [Date.parse(next) - now.getTime()])),
    );
    const channels = new Set(arisen.map(({ channel }) => channel.id));
    for (const id of channels) {
      const ofChannel = arisen.filter(({ channel }) => channel.id === id);
      const wait = gatheredIn(
        ofChannel.map(({ alert, due }) => (due > alert.raisedAt ? due : alert.raisedAt)),
        now,
      );
      if (wait === 0) await this.queue(ofChannel);
      else soonest = Math.min(soonest, wait);
    }
    clearTimeout(this.gathering);
    // A longer wait ends with one of the regular looks.
    if (soonest < this.everyMs && !this.stopped)
      this.gathering = setTimeout(() => this.look(), soonest).unref();
  }

  private async queue(arisen: readonly Arisen[]): Promise<void> {
    for (const alerts of together(
      arisen.map(({ alert, server }) => ({ alert, server: server ?? undefined })),
    )) {
      const [one] = arisen;
      const [first] = alerts;
      if (!one || !first) continue;
      const { id, name, workspace } = one.channel;
      const told = alerts.flatMap((alert) => arisen.filter((each) => each.alert.id === alert.id));
      const again = told.find((each) => each.alert.id === first.id && each.told !== null);
      // The same alerts are the same message, whichever process makes it.
      const message = uuidv5(`${id} ${alertKey(first)}${again ? ` ${again.due}` : ''}`, NAMESPACE);
      const rules = new Map(told.flatMap(({ by }) => by).map((rule) => [rule.id, rule.name]));
      const data = {
        channel: { id, name },
        is: 'raised' as const,
        alerts: told.map(({ alert, due }) => ({ id: alert.id, raisedAt: alert.raisedAt, moment: due })),
        ...(rules.size > 0 && { rules: [...rules].map(([rule, named]) => ({ id: rule, name: named })) }),
      };
      await this.execute(new QueueMessage(message, data, ownMeta('system', workspace)));
    }
  }

  private async endAll(): Promise<void> {
    for (const { message, kind, alerts, isRepeated } of await overMessages(this.deps.db)) {
      // An attempt is under way. Its outcome leads to the next look.
      if (isUncertain(message)) continue;
      const { id, workspace } = message;
      const end = endOf(message, kind, alerts, isRepeated);
      await this.execute(new EndMessage(id, end, ownMeta('system', workspace)));
    }
  }

  private async execute(command: QueueMessage | EndMessage): Promise<void> {
    const { position } = await this.deps.commands.execute(command);
    await this.projections.waitFor(position, PROJECTED_MS);
  }
}
