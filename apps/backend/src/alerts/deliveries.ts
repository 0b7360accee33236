/**
 * Calls the webhooks. Events record when the next attempt is due, so that a restart loses nothing. The log is read
 * before each attempt, so that nothing is sent twice.
 *
 * One delivery at a time per workspace: its receiver gets alerts in order, and a receiver that hangs delays nobody
 * else.
 */
import type { CommandBus } from '@nestjs/cqrs';
import { streamName, type LoggedEvent, type RecordedEvent } from '@quarterdeck/events';
import { alerts, type AlertView } from '@quarterdeck/projections';
import { DomainError } from '../platform/errors';
import { callOut, type Outbound, type OutboundAnswer } from '../platform/outbound';
import { ownMeta } from '../platform/sessions';
import type { Config, EventStore, Pool, ProjectionRunner, Vault } from '../platform/tokens';
import type { WorkspaceSettings } from '../workspaces';
import { RecordDelivery } from './alerts.decider';
import {
  deliveryBody,
  deliveryHeaders,
  DELIVERY_TIMEOUT_MS,
  MAX_ANSWER_BYTES,
  outcomeOf,
} from './webhook-message';
import { DueWork } from './due-work';
import { waitingDeliveries, type Waiting } from './waiting-deliveries';
import { wholeAddress } from './webhook-address';

/** How long the read model may take to show a recorded attempt. Until then the alert still looks due. */
const PROJECTED_MS = 5000;

const WAKING: readonly string[] = [
  'AlertRaised',
  'AlertResolved',
  'AlertsConfigured',
  'MaintenanceWindowRevised',
  'MaintenanceWindowRemoved',
];

export interface DeliveryDeps {
  config: Config;
  db: Pool;
  store: EventStore;
  projections: ProjectionRunner;
  vault: Vault;
  commands: CommandBus;
  settings: WorkspaceSettings;
  outbound: Outbound;
  onFault: (error: unknown) => void;
}

interface Webhook {
  url: string;
  secret: string;
}

const viewOf = (id: string, events: readonly LoggedEvent[]): AlertView | undefined =>
  events.reduce<AlertView | undefined>((view, event) => alerts.evolve(view, event, id), undefined);

export class Deliveries {
  private readonly due: DueWork<Waiting>;

  constructor(private readonly deps: DeliveryDeps) {
    this.due = new DueWork({
      next: (busy) => waitingDeliveries(deps.db, busy),
      work: (waiting, ended) => this.deliver(waiting, ended),
      onFault: deps.onFault,
    });
  }

  start(): void {
    this.due.wake();
  }

  /** Aborts running deliveries without recording them. The next process makes the same attempt again. */
  stop(): Promise<void> {
    return this.due.stop();
  }

  heard(events: readonly RecordedEvent[]): void {
    if (events.some(({ type }) => WAKING.includes(type))) this.due.wake();
  }

  private async deliver({ id, lane: workspace, workspaceName }: Waiting, ended: AbortSignal): Promise<void> {
    const { store, projections, commands, config } = this.deps;
    const alert = viewOf(id, (await store.readStream(streamName('alert', id))) as LoggedEvent[]);
    if (!alert) return;
    if (alert.nextAttemptAt === undefined || Date.parse(alert.nextAttemptAt) > Date.now()) {
      // The read model is behind and does not show the recorded attempt yet.
      await projections.waitFor(alert.position, PROJECTED_MS);
      return;
    }
    const webhook = await this.webhookOf(workspace);
    if (!webhook) return;
    const body = deliveryBody(alert, {
      workspace: { id: workspace, name: workspaceName },
      publicUrl: config.PUBLIC_URL,
    });
    const began = new Date();
    const result = await this.send(alert, webhook, body, began, ended);
    if (ended.aborted) return;
    const endedAt = new Date();
    const outcome = outcomeOf(
      {
        attempt: alert.deliveries.length + 1,
        at: endedAt,
        durationMs: endedAt.getTime() - began.getTime(),
        once: alert.about === 'test',
      },
      result,
    );
    const recorded = await commands.execute(new RecordDelivery(id, outcome, ownMeta('system', workspace)));
    await projections.waitFor(recorded.position, PROJECTED_MS);
  }

  private async webhookOf(workspace: string): Promise<Webhook | undefined> {
    const { webhook } = await this.deps.settings.get('AlertsConfigured', workspace);
    if (!webhook) return undefined;
    const secret = await this.deps.vault.get({ workspace, ref: webhook.secret.ref });
    // The secret was replaced in between. The next look finds the new one.
    if (secret === undefined) throw new Error('the secret of the webhook is not in the vault');
    const whole = await wholeAddress(this.deps, webhook, workspace);
    if (whole === undefined) throw new Error('the address of the webhook is not in the vault');
    return { url: whole, secret };
  }

  private async send(
    alert: AlertView,
    { url, secret }: Webhook,
    body: string,
    at: Date,
    signal: AbortSignal,
  ): Promise<{ answer: OutboundAnswer } | { reason: string }> {
    try {
      const answer = await callOut(this.deps.outbound, {
        url,
        method: 'POST',
        headers: deliveryHeaders(alert, body, secret, at),
        body,
        timeoutMs: DELIVERY_TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      return { answer };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { reason: error.msg };
    }
  }
}
