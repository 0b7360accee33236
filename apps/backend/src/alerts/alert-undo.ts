/**
 * Undoes acknowledgements of alerts, and changes of alert settings. The vault entries of a replaced webhook were destroyed, so that webhook needs a new
 * address and secret.
 */
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { dequal } from 'dequal/lite';
import { Decisions, Undoing, type Undone, type UndoPlan } from '../platform/decisions';
import { DomainError } from '../platform/errors';
import type { CommandMeta } from '../platform/sessions';
import { SettingUndo } from '../workspaces';
import { AlertSettings } from './alert-settings';
import { alertsDecider, WithdrawAcknowledgement } from './alerts.decider';

@Injectable()
export class AlertUndo implements OnModuleInit {
  constructor(
    private readonly undoing: Undoing,
    private readonly decisions: Decisions,
    private readonly undo: SettingUndo,
    private readonly settings: AlertSettings,
  ) {}

  onModuleInit(): void {
    this.undoing.use(['AlertAcknowledged'], (undone) => this.withdraw(undone));
    this.undo.use('AlertsConfigured', (back, now) => {
      const { webhook, thresholds } = back;
      if (webhook && !dequal(webhook, now.webhook))
        throw new DomainError(
          'conflict',
          `the address and the secret of the webhook ${webhook.url} were destroyed when it was replaced: set it up again`,
        );
      return {
        data: back,
        // A shortened address means that the stored address stays.
        set: (_, meta, revision) =>
          this.settings.set(
            { thresholds, ...(webhook && { webhook: { url: webhook.url } }), revision },
            meta,
          ),
      };
    });
  }

  private async withdraw({ id, meta }: Undone): Promise<UndoPlan> {
    const { state } = await this.decisions.load(alertsDecider, id, meta.workspace);
    const would = alertsDecider.decide(new WithdrawAcknowledgement(id, {}, meta), state);
    if (state.is === 'unknown' || would.length === 0)
      throw new DomainError('conflict', 'the alert is over, or its acknowledgement was withdrawn already');
    const carryOut = (_: object, asker: CommandMeta) =>
      this.decisions.execute(alertsDecider, new WithdrawAcknowledgement(id, {}, asker));
    return { works: [{ subject: { category: 'alert', id, name: state.name }, would, carryOut }] };
  }
}
