/** Thresholds and webhook of a workspace's alerts. The webhook's secret and its whole address are only in the vault. */
import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { EventData } from '@quarterdeck/events';
import { shownAddress, type workspaceAlerts } from '@quarterdeck/events/inputs';
import type { z } from 'zod';
import { invalidField } from '../platform/errors';
import { written, type Written } from '../platform/http';
import { hostOf, Outbound } from '../platform/outbound';
import { type CommandMeta, idFor } from '../platform/sessions';
import { EVENT_STORE, VAULT, type EventStore, type Vault } from '../platform/tokens';
import { fingerprintOf, replacingSecrets } from '../platform/vault';
import { WorkspaceSettings } from '../workspaces';
import { wholeAddress } from './webhook-address';

type AlertSettingsInput = z.infer<typeof workspaceAlerts>;
type Webhook = NonNullable<EventData<'AlertsConfigured'>['webhook']>;

export interface AlertSettingsAnswer {
  id: string;
  uuid: string;
  /** Present only if the secret was generated: no other answer ever shows it. */
  secret?: string;
}

/** 32 bytes, the length of an HMAC-SHA256. */
const makeSecret = (): string => `qdwh_${randomBytes(32).toString('base64url')}`;

const secretsOf = (webhook: Webhook | undefined) => [webhook?.secret, webhook?.address];

@Injectable()
export class AlertSettings {
  constructor(
    private readonly settings: WorkspaceSettings,
    @Inject(VAULT) readonly vault: Vault,
    @Inject(EVENT_STORE) readonly store: EventStore,
    private readonly outbound: Outbound,
  ) {}

  /** @throws DomainError `conflict` with the current settings */
  set({ revision, ...wanted }: AlertSettingsInput, meta: CommandMeta): Promise<Written<AlertSettingsAnswer>> {
    return this.settings.replace('AlertsConfigured', meta.workspace, revision, (before, seen) =>
      this.setOver(before, wanted, meta, seen),
    );
  }

  private async setOver(
    { webhook: before }: EventData<'AlertsConfigured'>,
    wanted: Omit<AlertSettingsInput, 'revision'>,
    meta: CommandMeta,
    revision: number,
  ): Promise<Written<AlertSettingsAnswer>> {
    const { workspace } = meta;
    const { webhook, made } = await this.webhook(wanted.webhook, before, meta);
    const data = { thresholds: wanted.thresholds, ...(webhook ? { webhook } : {}) };
    const { body, position } = await replacingSecrets(
      this.vault,
      workspace,
      { before: secretsOf(before), after: secretsOf(webhook) },
      () => this.settings.set({ type: 'AlertsConfigured', data }, meta, revision),
    );
    return written({ ...body, ...(made === undefined ? {} : { secret: made }) }, position);
  }

  private async webhook(
    wanted: AlertSettingsInput['webhook'],
    before: Webhook | undefined,
    meta: CommandMeta,
  ): Promise<{ webhook?: Webhook; made?: string }> {
    if (!wanted) return {};
    const stored = before && (await this.vault.get({ workspace: meta.workspace, ref: before.secret.ref }));
    const keeps = stored !== undefined && (wanted.secret ?? stored) === stored;
    const made = keeps || wanted.secret !== undefined ? undefined : makeSecret();
    const secret =
      keeps && before ? before.secret : await this.put('secret', wanted.secret ?? made ?? '', meta);
    const webhook = { ...(await this.address(wanted.url, before, meta)), secret };
    return { webhook, ...(made === undefined ? {} : { made }) };
  }

  /** A shortened address means that the stored address stays. */
  private async address(
    url: string,
    before: Webhook | undefined,
    meta: CommandMeta,
  ): Promise<Pick<Webhook, 'url' | 'address'>> {
    const stored = before && (await wholeAddress(this, before, meta.workspace));
    const whole = stored !== undefined && url === before?.url ? stored : url;
    // Checked now, so that a refused address is noticed before the first alert is due. Names are resolved only at
    // delivery.
    const refusal = whole === stored ? undefined : this.outbound.refusalOfHost(hostOf(whole));
    if (refusal !== undefined) throw invalidField('webhook.url', refusal);
    if (before?.address && whole === stored) return { url: before.url, address: before.address };
    return { url: shownAddress(whole), address: await this.put('address', whole, meta) };
  }

  private async put(what: 'secret' | 'address', text: string, meta: CommandMeta): Promise<Webhook['secret']> {
    const ref = idFor(`webhook-${what}`, meta);
    const fingerprint = fingerprintOf(text);
    await this.vault.put({ workspace: meta.workspace, ref }, text, { kind: `webhook-${what}`, fingerprint });
    return { ref, fingerprint };
  }
}
